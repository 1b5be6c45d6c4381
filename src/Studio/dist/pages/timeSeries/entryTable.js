import { readEntries } from "../../api/timeSeries.js";
import { Link } from "../../app/link.js";
import { documentUrl, useSearchState, useSetSearch } from "../../app/places.js";
import { IconButton } from "../../ui/button.js";
import { Pager } from "../../ui/pager.js";
import { ErrorBox, Loading } from "../../ui/states.js";
import { columnTitles, numberText, timeText } from "./seriesModel.js";
import { keepPreviousData, useQuery } from "../../vendor/query.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/timeSeries/entryTable.tsx
const PAGE_SIZE = 100;
/** The entries of a range, page by page. */
function EntryTable({ database, id, name, kind, names, range, onDelete }) {
	const { start: startText } = useSearchState();
	const setSearch = useSetSearch();
	const start = Math.max(0, Math.floor(Number(startText ?? 0)) || 0);
	const page = useQuery({
		queryKey: [
			"series",
			database,
			id,
			"table",
			name,
			range.from,
			range.to,
			start
		],
		queryFn: ({ signal }) => readEntries(database, id, name, range, {
			start,
			size: PAGE_SIZE
		}, signal),
		placeholderData: keepPreviousData,
		retry: false
	});
	const entries = page.data?.entries ?? [];
	const hasMore = page.data?.hasMore === true;
	const width = entries.reduce((most, one) => Math.max(most, one.values.length), 0);
	const titles = columnTitles(kind, width, names);
	return /* @__PURE__ */ jsxs("div", {
		className: "series-table",
		children: [
			page.error && /* @__PURE__ */ jsx(ErrorBox, {
				title: "The entries cannot be read",
				error: page.error,
				onRetry: () => void page.refetch()
			}),
			page.isPending && /* @__PURE__ */ jsx(Loading, { what: "the entries" }),
			entries.length > 0 && /* @__PURE__ */ jsx("section", {
				className: page.isPlaceholderData ? "scroll dimmed" : "scroll",
				"aria-label": "Entries of the range",
				tabIndex: 0,
				children: /* @__PURE__ */ jsxs("table", {
					className: "plain-table",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", { children: "Time" }),
						titles.map((title) => /* @__PURE__ */ jsx("th", {
							className: "number nowrap",
							children: title
						}, title)),
						/* @__PURE__ */ jsx("th", { children: "Tag" }),
						onDelete && /* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
							className: "offscreen",
							children: "Delete"
						}) })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: entries.map((one) => /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", {
							scope: "row",
							className: "nowrap",
							children: timeText(one.at)
						}),
						titles.map((title, at) => /* @__PURE__ */ jsx("td", {
							className: "number",
							children: one.values[at] === void 0 ? "" : numberText(one.values[at])
						}, title)),
						/* @__PURE__ */ jsx("td", {
							className: "nowrap",
							children: one.tag !== null && /* @__PURE__ */ jsx(Tag, {
								database,
								tag: one.tag
							})
						}),
						onDelete && /* @__PURE__ */ jsx("td", {
							className: "actions",
							children: /* @__PURE__ */ jsx(IconButton, {
								name: `Delete the entry of ${timeText(one.at)}`,
								icon: "trash",
								onClick: () => onDelete(one.at)
							})
						})
					] }, one.at)) })]
				})
			}),
			/* @__PURE__ */ jsx(Pager, {
				start,
				size: PAGE_SIZE,
				shown: entries.length,
				hasMore,
				onStart: (next) => setSearch({ start: next }, true)
			})
		]
	});
}
/** A tag is often the id of a document. */
function Tag({ database, tag }) {
	return /^[^\s/]+\/\S+$/.test(tag) ? /* @__PURE__ */ jsx(Link, {
		href: documentUrl(database, tag),
		children: tag
	}) : tag;
}

export { EntryTable };