import { serverNowMs } from "../../api/serverClock.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { FilterInput } from "../../ui/filterInput.js";
import { formatCount, formatDuration, formatTime } from "../../ui/format.js";
import { Segments } from "../../ui/segments.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { replacedName } from "./definitionText.js";
import { IndexMenu } from "./indexActions.js";
import { indexState, isOfFilter, lagMs } from "./indexState.js";
import { useIndexStats } from "./useIndexStats.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/indexes/indexesPage.tsx
/** The most rows that are drawn; a filter finds the others. */
const SHOWN_MAX = 500;
/** All indexes of a database, and how they are. */
function IndexesPage() {
	const database = useDatabase();
	const { show = "all", filter = "" } = useSearchState();
	const setSearch = useSetSearch();
	const go = useGo();
	const stats = useIndexStats(database);
	if (stats.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the indexes" });
	if (!stats.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The indexes cannot be listed",
		error: stats.error,
		onRetry: () => void stats.refetch()
	});
	const all = stats.data;
	const again = () => void stats.refetch();
	const create = /* @__PURE__ */ jsx(Button, {
		kind: "primary",
		icon: "plus",
		onClick: () => go(placeUrl(databasePlace(database, "index"), { new: "1" })),
		children: "New"
	});
	if (all.length === 0) return /* @__PURE__ */ jsx(Empty, {
		icon: "tree",
		title: "There are no indexes",
		action: create,
		children: "A query with a condition makes one by itself; one that computes or groups is written here."
	});
	const shown = all.filter((one) => isOfFilter(one, show, filter));
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Indexes" }),
					/* @__PURE__ */ jsx(Segments, {
						name: "Which",
						choices: [
							"all",
							"stale",
							"errors"
						].map((key) => ({
							key,
							title: `${key} ${formatCount(all.filter((one) => isOfFilter(one, key, "")).length)}`
						})),
						chosen: show,
						onChoose: (key) => setSearch({ show: key === "all" ? void 0 : key })
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(FilterInput, {
						initial: filter,
						onChange: (text) => setSearch({ filter: text })
					}),
					create
				]
			}),
			stats.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: stats.error,
				onRetry: again
			}),
			/* @__PURE__ */ jsxs("section", {
				className: "scroll",
				"aria-label": "Indexes",
				tabIndex: 0,
				children: [
					/* @__PURE__ */ jsxs("table", {
						className: "plain-table",
						children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
							/* @__PURE__ */ jsx("th", { children: "Name" }),
							/* @__PURE__ */ jsx("th", { children: "State" }),
							/* @__PURE__ */ jsx("th", { children: "Kind" }),
							/* @__PURE__ */ jsx("th", {
								className: "number",
								children: "Entries"
							}),
							/* @__PURE__ */ jsx("th", {
								className: "number",
								children: "Errors"
							}),
							/* @__PURE__ */ jsx("th", { children: "Last query" }),
							/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
								className: "offscreen",
								children: "Actions"
							}) })
						] }) }), /* @__PURE__ */ jsx("tbody", { children: shown.slice(0, SHOWN_MAX).map((one) => {
							const state = indexState(one);
							const behindMs = lagMs(one, serverNowMs());
							const replaced = replacedName(one.Name);
							const url = (tab) => placeUrl(databasePlace(database, "index"), {
								name: one.Name,
								tab
							});
							return /* @__PURE__ */ jsxs("tr", { children: [
								/* @__PURE__ */ jsxs("th", {
									scope: "row",
									className: "ellipsis",
									children: [/* @__PURE__ */ jsx(Link, {
										href: url(),
										children: replaced ?? one.Name
									}), replaced !== void 0 && /* @__PURE__ */ jsx("span", {
										className: "muted",
										children: " · its replacement, being built"
									})]
								}),
								/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsxs(Chip, {
									tone: state.tone,
									children: [state.word, one.IsStale && state.kind !== "error" && behindMs !== void 0 ? ` · ${formatDuration(behindMs)}` : ""]
								}) }),
								/* @__PURE__ */ jsx("td", { children: one.Type }),
								/* @__PURE__ */ jsx("td", {
									className: "number",
									children: formatCount(one.EntriesCount)
								}),
								/* @__PURE__ */ jsx("td", {
									className: "number",
									children: one.ErrorsCount > 0 ? /* @__PURE__ */ jsx(Link, {
										href: url("errors"),
										children: formatCount(one.ErrorsCount)
									}) : "0"
								}),
								/* @__PURE__ */ jsx("td", {
									className: "muted",
									children: one.LastQueryingTime ? formatTime(one.LastQueryingTime) : "never"
								}),
								/* @__PURE__ */ jsx("td", {
									className: "actions",
									children: /* @__PURE__ */ jsx(IndexMenu, {
										database,
										stats: one,
										onDone: again
									})
								})
							] }, one.Name);
						}) })]
					}),
					shown.length === 0 && /* @__PURE__ */ jsx("p", {
						className: "muted padded",
						children: "No index is like that."
					}),
					shown.length > SHOWN_MAX && /* @__PURE__ */ jsx("p", {
						className: "muted padded",
						children: `${formatCount(shown.length - SHOWN_MAX)} more: filter by a part of the name.`
					})
				]
			})
		]
	});
}

export { IndexesPage };