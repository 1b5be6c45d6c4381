import { formatBytes } from "../../ui/format.js";
import { structureKey } from "./storageModel.js";
import { treemap } from "./treemap.js";
import { jsx, jsxs, useEffect, useMemo, useRef, useState } from "../../vendor/react.js";

// src/pages/storage/treemapView.tsx
const HEIGHT = 360;
/** A rectangle that is smaller has no room for its name. */
const NAMED_MIN = {
	width: 60,
	height: 22
};
/** About how wide a letter is. */
const NAME_WIDTH = 7.5;
/** Sizes as areas. The table below says the same, for whoever does not see it; there each row is reached by keys. */
function TreemapView({ groups, colors, chosen, onChoose }) {
	const frame = useRef(null);
	const width = useWidth(frame);
	const boxes = useMemo(() => {
		const outer = treemap(groups.map((group) => ({
			key: group.name,
			size: group.size
		})), width, HEIGHT);
		const byName = new Map(groups.map((group) => [group.name, group]));
		return outer.flatMap((place) => {
			const group = byName.get(place.key);
			const structures = new Map((group?.structures ?? []).map((one) => [structureKey(one), one]));
			return treemap([...structures].map(([key, one]) => ({
				key,
				size: one.SizeInBytes
			})), place.width, place.height).flatMap((inner) => {
				const structure = structures.get(inner.key);
				return structure ? [{
					...inner,
					x: place.x + inner.x,
					y: place.y + inner.y,
					group: place.key,
					structure
				}] : [];
			});
		});
	}, [groups, width]);
	return /* @__PURE__ */ jsx("div", {
		className: "treemap",
		ref: frame,
		children: /* @__PURE__ */ jsx("svg", {
			role: "img",
			"aria-label": "What takes the room in the data file; the table below says the same",
			children: boxes.map((box) => /* @__PURE__ */ jsxs("g", {
				className: box.key === chosen ? "is-chosen" : void 0,
				onClick: () => onChoose(box.key),
				"aria-hidden": "true",
				children: [
					/* @__PURE__ */ jsx("title", { children: `${box.structure.Name} (${box.structure.Kind}): ${formatBytes(box.structure.SizeInBytes)}` }),
					/* @__PURE__ */ jsx("rect", {
						className: `kind-${colors.get(box.group) ?? 4}`,
						x: box.x,
						y: box.y,
						width: box.width,
						height: box.height
					}),
					box.width >= NAMED_MIN.width && box.height >= NAMED_MIN.height && /* @__PURE__ */ jsxs("svg", {
						x: box.x,
						y: box.y,
						width: box.width - 4,
						height: box.height,
						"aria-hidden": "true",
						children: [/* @__PURE__ */ jsx("text", {
							x: 6,
							y: 16,
							children: nameThatFits(box.structure.Name, box.width)
						}), box.height >= 2 * NAMED_MIN.height && /* @__PURE__ */ jsx("text", {
							x: 6,
							y: 32,
							children: formatBytes(box.structure.SizeInBytes)
						})]
					})
				]
			}, box.key))
		})
	});
}
/** A name, or only its last part if there is no room for all of it. */
function nameThatFits(name, width) {
	return name.length * NAME_WIDTH <= width ? name : name.split(".").at(-1) ?? name;
}
/** The width of the inside of an element, as it changes. */
function useWidth(of) {
	const [width, setWidth] = useState(0);
	useEffect(() => {
		const element = of.current?.firstElementChild;
		if (!element) return;
		const observer = new ResizeObserver(() => setWidth(Math.floor(element.getBoundingClientRect().width)));
		observer.observe(element);
		return () => observer.disconnect();
	}, [of]);
	return width;
}

export { TreemapView };