import { databasePath, urlOf } from "../../api/http.js";
import { deleteEntries, readValueNames } from "../../api/timeSeries.js";
import { announce } from "../../app/announcer.js";
import { Link } from "../../app/link.js";
import { useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { Chart } from "../../chart/chart.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/dialog.js";
import { plural } from "../../ui/format.js";
import { Menu } from "../../ui/menu.js";
import { saveUrl } from "../../ui/saveFile.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { EntryDialog } from "./entryDialog.js";
import { EntryTable } from "./entryTable.js";
import { RangeBar } from "./rangeBar.js";
import { entryChart, frameChart, isWhole, kindOf, pan, readTime, shortNumber, shownValues, timeText, valueTitles, within, zoom } from "./seriesModel.js";
import { KindChip, seriesUrl } from "./timeSeriesPart.js";
import { useSeriesChart } from "./useSeriesChart.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs, useMemo, useState } from "../../vendor/react.js";

// src/pages/timeSeries/oneSeries.tsx
/** One series: a chart of a range, which keys, buttons and the mouse narrow, and its entries beside it. */
function OneSeries({ database, id, facts, onChanged }) {
	const { name } = facts;
	const go = useGo();
	const kind = kindOf(name);
	const search = useSearchState();
	const setSearch = useSetSearch();
	const [isAdding, setAdding] = useState(false);
	const [deleted, setDeleted] = useState();
	const whole = {
		from: facts.start,
		to: facts.end
	};
	const from = readTime(search.from ?? "") ?? whole.from;
	const to = readTime(search.to ?? "") ?? whole.to;
	const range = from <= to ? {
		from,
		to
	} : whole;
	const setRange = (next) => {
		const isAll = isWhole(next, whole);
		setSearch({
			from: isAll ? void 0 : timeText(next.from),
			to: isAll ? void 0 : timeText(next.to),
			start: void 0
		}, true);
	};
	const chart = useSeriesChart(database, id, name, range);
	const names = useNames(database, kind.raw);
	const width = drawnWidth(chart.data);
	const titles = useMemo(() => valueTitles(chart.data?.how === "frames" ? {
		...kind,
		policy: void 0
	} : kind, width, names), [
		chart.data,
		kind.policy,
		width,
		names
	]);
	const shown = shownValues(search.values, titles.length);
	const drawn = useDrawn(chart.data, name, titles, shown);
	const span = useMemo(() => [range.from, range.to], [range.from, range.to]);
	const onKeyDown = (event) => {
		const next = rangeOfKey(event, range, whole);
		if (next) {
			event.preventDefault();
			setRange(next);
			announce(`From ${timeText(next.from)} to ${timeText(next.to)}.`);
		}
	};
	const save = (format) => saveUrl(urlOf(databasePath(database, "streams/timeseries"), {
		docId: id,
		name,
		from: new Date(range.from).toISOString(),
		to: new Date(range.to).toISOString(),
		format: format === "csv" ? format : void 0
	}), `${name}.${format}`);
	const isOwn = kind.policy !== void 0;
	return /* @__PURE__ */ jsxs("section", {
		className: "page",
		"aria-label": `Series ${name}`,
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "mono ellipsis",
						title: name,
						children: name
					}),
					/* @__PURE__ */ jsx(KindChip, { name }),
					/* @__PURE__ */ jsx("span", {
						className: "muted",
						children: plural(facts.entries, "entry", "entries")
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Link, {
						href: seriesUrl(database, id),
						children: "All series"
					}),
					/* @__PURE__ */ jsx(Menu, {
						name: "More",
						entries: [
							{
								text: "Save the range as CSV",
								icon: "download",
								onSelect: () => save("csv")
							},
							{
								text: "Save the range as JSON lines",
								icon: "download",
								onSelect: () => save("jsonl")
							},
							...isOwn ? [] : [{
								text: "Delete the range…",
								icon: "trash",
								isDanger: true,
								onSelect: () => setDeleted({
									range,
									count: chart.data?.count ?? 0
								})
							}]
						]
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "plus",
						refusal: isOwn ? "A roll-up is made by its policy." : void 0,
						onClick: () => setAdding(true),
						children: "New entry"
					})
				]
			}),
			/* @__PURE__ */ jsx(RangeBar, {
				range,
				whole,
				onRange: setRange
			}),
			chart.error && /* @__PURE__ */ jsx(ErrorBox, {
				title: "The entries cannot be read",
				error: chart.error,
				onRetry: () => void chart.refetch()
			}),
			/* @__PURE__ */ jsxs("div", {
				className: "series",
				children: [/* @__PURE__ */ jsxs("div", {
					className: chart.isPlaceholderData ? "series-chart dimmed" : "series-chart",
					children: [
						titles.length > 1 && /* @__PURE__ */ jsx(ValueChoice, {
							titles,
							shown,
							onShown: (next) => setSearch({ values: next.length === titles.length ? void 0 : next.join() })
						}),
						chart.isPending && /* @__PURE__ */ jsx(Loading, {
							what: "the chart",
							rows: 8
						}),
						drawn && drawn.times.length === 0 && /* @__PURE__ */ jsx(Empty, {
							icon: "chart",
							title: "There are no entries in this range"
						}),
						drawn && drawn.times.length > 0 && /* @__PURE__ */ jsx("div", {
							className: "chart-keys",
							role: "group",
							tabIndex: 0,
							"aria-label": "Chart: plus and minus narrow and widen the range, arrows move it, Home shows all",
							onKeyDown,
							children: /* @__PURE__ */ jsx(Chart, {
								name,
								times: drawn.times,
								series: drawn.series,
								axis: "value",
								unit: titles.length === 1 ? titles[0] ?? "value" : "values",
								span,
								format: shortNumber,
								height: 320,
								onRange: (left, right) => setRange(within({
									from: left,
									to: right
								}, range))
							})
						}),
						chart.data && /* @__PURE__ */ jsxs("p", {
							className: "hint",
							children: [howText(chart.data), " Draw over a stretch to narrow the range; with the chart focused, + and − do it too."]
						})
					]
				}), /* @__PURE__ */ jsx(EntryTable, {
					database,
					id,
					name,
					kind,
					names,
					range,
					onDelete: isOwn ? void 0 : (at) => setDeleted({
						range: {
							from: at,
							to: at
						},
						count: 1
					})
				})]
			}),
			isAdding && /* @__PURE__ */ jsx(EntryDialog, {
				database,
				id,
				name,
				onClose: () => setAdding(false),
				onDone: () => void onChanged()
			}),
			/* @__PURE__ */ jsx(Confirm, {
				title: `Delete entries of ${name}`,
				isOpen: deleted !== void 0,
				first: "What is deleted cannot be brought back.",
				action: `Delete ${plural(deleted?.count ?? 0, "entry", "entries")}`,
				onClose: () => setDeleted(void 0),
				onConfirm: async () => {
					if (deleted) {
						await deleteEntries(database, id, name, deleted.range);
						announce(`${plural(deleted.count, "entry is", "entries are")} deleted.`);
						await onChanged();
						if (isWhole(deleted.range, whole)) go(seriesUrl(database, id));
					}
				},
				children: /* @__PURE__ */ jsx("p", { children: deleted && deleted.range.from === deleted.range.to ? `The entry of ${timeText(deleted.range.from)}.` : `From ${timeText(deleted?.range.from ?? 0)} to ${timeText(deleted?.range.to ?? 0)}, both ends included.` })
			})
		]
	});
}
function howText(drawn) {
	const count = plural(drawn.count, "entry", "entries");
	return drawn.how === "entries" ? `All ${count} of the range are drawn.` : `${count}: for each ${drawn.frame} the area from the least to the greatest, and the average as a line.`;
}
/** The names of the values of a series: those of any collection that has the series. */
function useNames(database, raw) {
	const names = useQuery({
		queryKey: ["valueNames", database],
		queryFn: ({ signal }) => readValueNames(database, signal),
		staleTime: 6e4,
		retry: false
	});
	return useMemo(() => {
		for (const series of Object.values(names.data ?? {})) {
			const found = Object.entries(series).find(([name]) => name.toLowerCase() === raw.toLowerCase());
			if (found) return found[1];
		}
		return NO_NAMES;
	}, [names.data, raw]);
}
const NO_NAMES = [];
function drawnWidth(drawn) {
	return ((drawn?.how === "frames" ? drawn.frames.map((one) => one.min) : drawn?.entries.map((one) => one.values)) ?? []).reduce((most, list) => Math.max(most, list.length), 0);
}
function useDrawn(drawn, name, titles, shown) {
	const key = shown.join();
	return useMemo(() => {
		const lines = key === "" ? [] : key.split(",").map(Number);
		if (!drawn) return;
		return drawn.how === "frames" ? frameChart(drawn.frames, titles, lines) : entryChart(kindOf(name), drawn.entries, titles, lines);
	}, [
		drawn,
		name,
		titles,
		key
	]);
}
function rangeOfKey(event, range, whole) {
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	switch (event.key) {
		case "+":
		case "=": return zoom(range, whole, .5);
		case "-": return zoom(range, whole, 2);
		case "ArrowLeft": return pan(range, whole, -.25);
		case "ArrowRight": return pan(range, whole, .25);
		case "Home": return whole;
		default: return;
	}
}
/** Which of several values are drawn; there are not more colors. */
function ValueChoice({ titles, shown, onShown }) {
	return /* @__PURE__ */ jsxs("fieldset", {
		className: "choices row",
		children: [/* @__PURE__ */ jsx("legend", {
			className: "offscreen",
			children: "Values that are drawn"
		}), titles.map((title, at) => {
			const isShown = shown.includes(at);
			const isFull = !isShown && shown.length >= 6;
			return /* @__PURE__ */ jsxs("label", {
				className: "check",
				title: isFull ? `At most ${6} at once.` : void 0,
				children: [/* @__PURE__ */ jsx("input", {
					type: "checkbox",
					checked: isShown,
					disabled: isFull || isShown && shown.length === 1,
					onChange: () => onShown(isShown ? shown.filter((one) => one !== at) : [...shown, at].sort((a, b) => a - b))
				}), /* @__PURE__ */ jsx("span", { children: title })]
			}, title);
		})]
	});
}

export { OneSeries };