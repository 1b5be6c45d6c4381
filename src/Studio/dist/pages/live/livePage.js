import { announce } from "../../app/announcer.js";
import { Link } from "../../app/link.js";
import { placeUrl, useSearchState, useSetSearch } from "../../app/places.js";
import { Chart, momentText } from "../../chart/chart.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatBytes, formatDuration, plural } from "../../ui/format.js";
import { Segments } from "../../ui/segments.js";
import { ErrorBox, Loading } from "../../ui/states.js";
import { CHARTS, formatCores, formatRate, pointText } from "./loadCharts.js";
import { useLoad } from "./useLoad.js";
import { jsx, jsxs, useMemo, useState } from "../../vendor/react.js";

// src/pages/live/livePage.tsx
const SPANS = [
	1,
	5,
	15
];
const DEFAULT_SPAN = 5;
/** What the server does, second by second, while somebody looks. */
function LivePage() {
	const { span: spanText } = useSearchState();
	const setSearch = useSetSearch();
	const [isPaused, setPaused] = useState(false);
	const { points, running, error, retry } = useLoad(isPaused);
	const minutes = SPANS.find((one) => String(one) === spanText) ?? DEFAULT_SPAN;
	const end = points.at(-1)?.at ?? 0;
	const from = Math.max(end - minutes * 6e4, Math.min(points[0]?.at ?? end, end - 6e4));
	const shown = useMemo(() => points.filter((one) => one.at >= from), [points, from]);
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Load of the server" }),
					isPaused ? /* @__PURE__ */ jsx(Chip, {
						tone: "stale",
						icon: "pause",
						children: "paused"
					}) : /* @__PURE__ */ jsx(Chip, {
						tone: "good",
						icon: "activity",
						children: "live"
					}),
					/* @__PURE__ */ jsx(Link, {
						href: placeUrl("/running"),
						children: running === void 0 ? "Running requests" : `${plural(running, "request")} running`
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Segments, {
						name: "How many minutes",
						choices: SPANS.map((one) => ({
							key: String(one),
							title: `${one} min`
						})),
						chosen: String(minutes),
						onChoose: (key) => setSearch({ span: key === String(DEFAULT_SPAN) ? void 0 : key })
					}),
					/* @__PURE__ */ jsx(Button, {
						icon: isPaused ? "play" : "pause",
						onClick: () => {
							setPaused(!isPaused);
							announce(isPaused ? "Live again." : "Paused.");
						},
						children: isPaused ? "Go on" : "Pause"
					})
				]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "The metrics cannot be read now",
				error,
				onRetry: retry
			}),
			points.length === 0 && error === void 0 && /* @__PURE__ */ jsx(Loading, {
				what: "the first two seconds",
				rows: 8
			}),
			points.length > 0 && /* @__PURE__ */ jsxs("section", {
				className: "scroll padded",
				"aria-label": "Charts",
				tabIndex: 0,
				children: [
					/* @__PURE__ */ jsx("div", {
						className: "charts",
						children: CHARTS.map((chart) => /* @__PURE__ */ jsx(LoadSection, {
							chart,
							points: shown,
							span: [from, end]
						}, chart.title))
					}),
					/* @__PURE__ */ jsx("p", {
						className: "hint padded",
						children: "All times are in UTC. This page asks once a second, and what it asks is among the requests; while it is hidden it asks nothing, which is a gap. Latencies are counted in steps that double, and lie within theirs."
					}),
					/* @__PURE__ */ jsxs("details", {
						className: "padded",
						children: [/* @__PURE__ */ jsx("summary", { children: "The last minute as a table" }), /* @__PURE__ */ jsx(LoadTable, { points: points.slice(-60).reverse() })]
					})
				]
			})
		]
	});
}
function LoadSection({ chart, points, span }) {
	const times = useMemo(() => points.map((one) => one.at), [points]);
	const series = useMemo(() => chart.lines.map((line, at) => ({
		title: line.title,
		color: at + 1,
		isDashed: at === 1,
		values: points.map((one) => one[line.field])
	})), [chart, points]);
	return /* @__PURE__ */ jsxs("section", {
		"aria-label": chart.title,
		children: [/* @__PURE__ */ jsx("h2", { children: chart.title }), /* @__PURE__ */ jsx(Chart, {
			name: chart.title,
			times,
			series,
			axis: chart.axis,
			unit: chart.unit,
			span,
			format: chart.format
		})]
	});
}
function LoadTable({ points }) {
	return /* @__PURE__ */ jsx("section", {
		className: "scroll short",
		"aria-label": "Load of the last minute",
		tabIndex: 0,
		children: /* @__PURE__ */ jsxs("table", {
			className: "plain-table",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "Time" }),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Requests/s"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Refused/s"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Failed/s"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "p50"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "p99"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Changes/s"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Commits/s"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Resident"
				}),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Cores"
				})
			] }) }), /* @__PURE__ */ jsx("tbody", { children: points.map((one) => /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("td", {
					className: "nowrap",
					children: momentText(one.at)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: pointText(one.ok, formatRate)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: pointText(one.refused, formatRate)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: pointText(one.failed, formatRate)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number nowrap",
					children: pointText(one.p50Ms, formatDuration)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number nowrap",
					children: pointText(one.p99Ms, formatDuration)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: pointText(one.changes, formatRate)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: pointText(one.commits, formatRate)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number nowrap",
					children: pointText(one.workingSet, formatBytes)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "number",
					children: pointText(one.cores, formatCores)
				})
			] }, one.at)) })]
		})
	});
}

export { LivePage };