import { Button, IconButton } from "../../ui/button.js";
import { isWhole, pan, readTime, timeText, zoom } from "./seriesModel.js";
import { jsx, jsxs, useEffect, useState } from "../../vendor/react.js";

// src/pages/timeSeries/rangeBar.tsx
/** The range that is shown, as times to be typed and buttons that narrow, widen and move it. */
function RangeBar({ range, whole, onRange }) {
	const [texts, setTexts] = useState({
		from: "",
		to: ""
	});
	useEffect(() => setTexts({
		from: timeText(range.from),
		to: timeText(range.to)
	}), [range.from, range.to]);
	const from = readTime(texts.from);
	const to = readTime(texts.to);
	const isAll = isWhole(range, whole);
	const refusal = from === void 0 || to === void 0 ? "Times are written as 2026-01-31 10:00:00Z." : from > to ? "It ends before it begins." : void 0;
	const all = isAll ? "All of the series is shown." : void 0;
	return /* @__PURE__ */ jsxs("form", {
		className: "range-bar",
		"aria-label": "Range",
		onSubmit: (event) => {
			event.preventDefault();
			if (refusal === void 0 && from !== void 0 && to !== void 0) onRange({
				from,
				to
			});
		},
		children: [
			/* @__PURE__ */ jsxs("label", {
				className: "field inline",
				children: [/* @__PURE__ */ jsx("span", { children: "From" }), /* @__PURE__ */ jsx("input", {
					className: "mono",
					size: 24,
					value: texts.from,
					"aria-invalid": from === void 0,
					onChange: (event) => setTexts({
						...texts,
						from: event.target.value
					})
				})]
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "field inline",
				children: [/* @__PURE__ */ jsx("span", { children: "to" }), /* @__PURE__ */ jsx("input", {
					className: "mono",
					size: 24,
					value: texts.to,
					"aria-invalid": to === void 0 || from !== void 0 && from > to,
					onChange: (event) => setTexts({
						...texts,
						to: event.target.value
					})
				})]
			}),
			/* @__PURE__ */ jsx(Button, {
				type: "submit",
				refusal,
				children: "Show"
			}),
			/* @__PURE__ */ jsxs("span", {
				className: "row",
				children: [
					/* @__PURE__ */ jsx(IconButton, {
						kind: "plain",
						name: "Earlier",
						icon: "chevronLeft",
						refusal: all,
						onClick: () => onRange(pan(range, whole, -.5))
					}),
					/* @__PURE__ */ jsx(IconButton, {
						kind: "plain",
						name: "Later",
						icon: "chevronRight",
						refusal: all,
						onClick: () => onRange(pan(range, whole, .5))
					}),
					/* @__PURE__ */ jsx(IconButton, {
						kind: "plain",
						name: "Narrow the range",
						icon: "zoomIn",
						onClick: () => onRange(zoom(range, whole, .5))
					}),
					/* @__PURE__ */ jsx(IconButton, {
						kind: "plain",
						name: "Widen the range",
						icon: "zoomOut",
						refusal: all,
						onClick: () => onRange(zoom(range, whole, 2))
					}),
					/* @__PURE__ */ jsx(Button, {
						refusal: all,
						onClick: () => onRange(whole),
						children: "All"
					})
				]
			})
		]
	});
}

export { RangeBar };