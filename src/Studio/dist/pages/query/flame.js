import { formatDuration } from "../../ui/format.js";
import { flameBars } from "./queryModel.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/query/flame.tsx
const BAR_HEIGHT = 24;
/** Where the time went, as bars below each other; the same as a table for who cannot see bars. */
function Flame({ root }) {
	const bars = flameBars(root);
	const depth = Math.max(...bars.map((bar) => bar.depth)) + 1;
	return /* @__PURE__ */ jsxs("section", {
		className: "padded scroll",
		"aria-label": "Timings",
		tabIndex: 0,
		children: [/* @__PURE__ */ jsx("div", {
			className: "flame",
			style: { height: depth * 26 },
			"aria-hidden": "true",
			children: bars.map((bar) => /* @__PURE__ */ jsxs("div", {
				className: `flame-bar tone-${bar.depth % 4}`,
				style: {
					left: `${bar.start * 100}%`,
					width: `${bar.length * 100}%`,
					top: bar.depth * 26,
					height: BAR_HEIGHT
				},
				title: `${bar.name}: ${formatDuration(bar.ms)}`,
				children: [
					bar.name,
					" ",
					formatDuration(bar.ms)
				]
			}, `${bar.depth} ${bar.start} ${bar.name}`))
		}), /* @__PURE__ */ jsxs("table", {
			className: "plain-table narrow",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [/* @__PURE__ */ jsx("th", { children: "Part" }), /* @__PURE__ */ jsx("th", {
				className: "number",
				children: "Time"
			})] }) }), /* @__PURE__ */ jsx("tbody", { children: bars.map((bar) => /* @__PURE__ */ jsxs("tr", { children: [/* @__PURE__ */ jsx("td", { children: `${" ".repeat(bar.depth)}${bar.name}` }), /* @__PURE__ */ jsx("td", {
				className: "number",
				children: formatDuration(bar.ms)
			})] }, `${bar.depth} ${bar.start} ${bar.name}`)) })]
		})]
	});
}

export { Flame };