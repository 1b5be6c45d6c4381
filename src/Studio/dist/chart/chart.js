import { Icon } from "../ui/icon.js";
import { chartData, chartOptions } from "./plotOptions.js";
import { jsx, jsxs, useEffect, useRef, useState, useSyncExternalStore } from "../vendor/react.js";
import uPlot from "../vendor/uplot.js";

// src/chart/chart.tsx
/** A chart. What it shows stands in a table beside it, for those who do not see it. */
function Chart({ name, format, height = 180, onRange, ...content }) {
	const place = useRef(null);
	const plot = useRef(null);
	const theme = useSyncExternalStore(watchTheme, readTheme);
	const [pointed, setPointed] = useState(null);
	const current = useRef({
		content,
		format,
		onRange
	});
	current.current = {
		content,
		format,
		onRange
	};
	const shape = JSON.stringify([
		theme,
		height,
		content.axis,
		content.unit,
		content.series.map((one) => [
			one.title,
			one.color,
			one.isDashed,
			one.band !== void 0
		]),
		onRange !== void 0
	]);
	useEffect(() => {
		const holder = place.current;
		if (!holder) return;
		const size = () => ({
			width: Math.max(160, holder.clientWidth),
			height
		});
		const made = new uPlot({
			...chartOptions(() => current.current, getComputedStyle(holder), setPointed),
			...size()
		}, chartData(current.current.content), holder);
		plot.current = made;
		const observer = new ResizeObserver(() => made.setSize(size()));
		observer.observe(holder);
		return () => {
			observer.disconnect();
			plot.current = null;
			made.destroy();
		};
	}, [shape]);
	const { times, series, span } = content;
	const [from, to] = span ?? [];
	useEffect(() => {
		plot.current?.setData(chartData(current.current.content));
	}, [
		times,
		series,
		from,
		to
	]);
	const at = pointed !== null && pointed < content.times.length ? pointed : void 0;
	return /* @__PURE__ */ jsxs("figure", {
		className: "chart",
		children: [/* @__PURE__ */ jsxs("figcaption", {
			className: "chart-legend",
			children: [content.series.map((one) => {
				const value = at === void 0 ? lastOf(one.values) : one.values[at];
				return /* @__PURE__ */ jsxs("span", {
					className: `chart-key tone-${one.color}`,
					children: [
						/* @__PURE__ */ jsx("span", {
							className: one.isDashed ? "chart-line dashed" : "chart-line",
							"aria-hidden": "true"
						}),
						/* @__PURE__ */ jsx("span", { children: one.title }),
						/* @__PURE__ */ jsx("strong", { children: value === null || value === void 0 ? "–" : format(value) })
					]
				}, one.title);
			}), at !== void 0 && /* @__PURE__ */ jsxs("span", {
				className: "muted nowrap",
				children: [
					/* @__PURE__ */ jsx(Icon, {
						name: "clock",
						size: 12
					}),
					" ",
					momentText(content.times[at] ?? 0)
				]
			})]
		}), /* @__PURE__ */ jsx("div", {
			ref: place,
			className: "chart-place",
			role: "img",
			"aria-label": `${name}: ${summary(content, format)}`
		})]
	});
}
/** What the chart says, in words. */
function summary({ series, unit }, format) {
	return `${series.map((one) => {
		const known = one.values.filter((value) => value !== null);
		const last = lastOf(one.values);
		return known.length === 0 || last === null ? `${one.title} has no values` : `${one.title} from ${format(least(known))} to ${format(most(known))}, at last ${format(last)}`;
	}).join("; ")} (${unit})`;
}
function least(values) {
	return values.reduce((a, b) => Math.min(a, b));
}
function most(values) {
	return values.reduce((a, b) => Math.max(a, b));
}
function lastOf(values) {
	return values.findLast((value) => value !== null) ?? null;
}
/** A moment in UTC. */
function momentText(time) {
	return new Date(time).toISOString().replace("T", " ");
}
function watchTheme(listener) {
	const observer = new MutationObserver(listener);
	observer.observe(document.documentElement, {
		attributes: true,
		attributeFilter: ["data-theme"]
	});
	return () => observer.disconnect();
}
function readTheme() {
	return document.documentElement.dataset.theme ?? "";
}

export { Chart, momentText };