import { watchChanges } from "../../api/changes.js";
import { readSeries } from "../../api/timeSeries.js";
import { lazyPart } from "../../app/lazyPart.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useSearchState } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatCount, plural } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { EntryDialog } from "./entryDialog.js";
import { kindOf, timeText } from "./seriesModel.js";
import { useQuery, useQueryClient } from "../../vendor/query.js";
import { Suspense, jsx, jsxs, useCallback, useEffect, useState } from "../../vendor/react.js";

// src/pages/timeSeries/timeSeriesPart.tsx
const OneSeries = lazyPart(() => import("./oneSeries.js").then((module) => module.OneSeries));
/** The time series of a document: all of them, or one as a chart and a table. */
function TimeSeriesPart({ database, parts, onChanged }) {
	const { id } = parts;
	const { series: name } = useSearchState();
	const client = useQueryClient();
	const [isAdding, setAdding] = useState(false);
	const all = useQuery({
		queryKey: [
			"series",
			database,
			id
		],
		queryFn: ({ signal }) => readSeries(database, id, signal),
		retry: false
	});
	const refresh = useCallback(() => refreshSeries(client, database, id), [
		client,
		database,
		id
	]);
	useEffect(() => watchChanges(database, "watch-all-document-timeseries", id, () => void refresh()), [
		database,
		id,
		refresh
	]);
	const changed = async () => {
		await Promise.all([refresh(), onChanged()]);
	};
	const one = all.data?.find((facts) => facts.name.toLowerCase() === name?.toLowerCase());
	if (name !== void 0 && one) return /* @__PURE__ */ jsx(Suspense, {
		fallback: /* @__PURE__ */ jsx(Loading, {
			what: name,
			rows: 12
		}),
		children: /* @__PURE__ */ jsx(OneSeries, {
			database,
			id,
			facts: one,
			onChanged: changed
		}, one.name)
	});
	return /* @__PURE__ */ jsxs("section", {
		className: "page",
		"aria-label": "Time series",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "mono ellipsis",
						title: id,
						children: id
					}),
					/* @__PURE__ */ jsx("span", {
						className: "muted",
						children: all.data ? `${formatCount(all.data.length)} series` : ""
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "plus",
						onClick: () => setAdding(true),
						children: "New series"
					})
				]
			}),
			all.error && /* @__PURE__ */ jsx(ErrorBox, {
				title: "The time series cannot be read",
				error: all.error,
				onRetry: () => void all.refetch()
			}),
			all.isPending && /* @__PURE__ */ jsx(Loading, { what: "the time series" }),
			all.data && name !== void 0 && /* @__PURE__ */ jsx(Empty, {
				icon: "chart",
				title: `It has no series ${name}`,
				action: /* @__PURE__ */ jsx(Link, {
					href: seriesUrl(database, id),
					children: "All series"
				}),
				children: "A series without entries is gone."
			}),
			all.data && name === void 0 && all.data.length === 0 && /* @__PURE__ */ jsx(Empty, {
				icon: "chart",
				title: "It has no time series",
				children: "A series is a list of entries: a time, up to 32 values, perhaps a tag. Its first entry makes it."
			}),
			all.data && name === void 0 && all.data.length > 0 && /* @__PURE__ */ jsx(SeriesTable, {
				database,
				id,
				all: all.data
			}),
			isAdding && /* @__PURE__ */ jsx(EntryDialog, {
				database,
				id,
				name: void 0,
				onClose: () => setAdding(false),
				onDone: () => void changed()
			})
		]
	});
}
/** Reads the list of series again, and then what is shown of those that are left: one without entries is gone. */
async function refreshSeries(client, database, id) {
	const queryKey = [
		"series",
		database,
		id
	];
	await client.refetchQueries({
		queryKey,
		exact: true
	});
	const left = new Set(client.getQueryData(queryKey)?.map((one) => one.name));
	await client.invalidateQueries({
		queryKey,
		predicate: (query) => left.has(String(query.queryKey[4]))
	});
}
/** The place of one series, or of all. */
function seriesUrl(database, id, series) {
	return placeUrl(databasePlace(database, "doc"), {
		id,
		tab: "timeseries",
		series
	});
}
function SeriesTable({ database, id, all }) {
	return /* @__PURE__ */ jsx("section", {
		className: "scroll",
		"aria-label": "List of series",
		tabIndex: 0,
		children: /* @__PURE__ */ jsxs("table", {
			className: "plain-table",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "Series" }),
				/* @__PURE__ */ jsx("th", { children: "Kind" }),
				/* @__PURE__ */ jsx("th", {
					className: "number",
					children: "Entries"
				}),
				/* @__PURE__ */ jsx("th", { children: "First" }),
				/* @__PURE__ */ jsx("th", { children: "Last" })
			] }) }), /* @__PURE__ */ jsx("tbody", { children: all.map((one) => /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", {
					scope: "row",
					className: "break",
					children: /* @__PURE__ */ jsx(Link, {
						href: seriesUrl(database, id, one.name),
						children: one.name
					})
				}),
				/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(KindChip, { name: one.name }) }),
				/* @__PURE__ */ jsx("td", {
					className: "number nowrap",
					title: plural(one.entries, "entry", "entries"),
					children: formatCount(one.entries)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "nowrap",
					children: timeText(one.start)
				}),
				/* @__PURE__ */ jsx("td", {
					className: "nowrap",
					children: timeText(one.end)
				})
			] }, one.name)) })]
		})
	});
}
/** What a series is beside a plain one. */
function KindChip({ name }) {
	const kind = kindOf(name);
	if (kind.policy !== void 0) return /* @__PURE__ */ jsx(Chip, {
		tone: "info",
		icon: "reset",
		children: `roll-up of ${kind.raw}`
	});
	return kind.isIncremental ? /* @__PURE__ */ jsx(Chip, {
		tone: "none",
		icon: "plus",
		children: "incremental"
	}) : null;
}

export { KindChip, TimeSeriesPart, seriesUrl };