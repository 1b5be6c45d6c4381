import { ServerError, databasePath, getJson, send } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { Link } from "../../app/link.js";
import { databasePlace, documentUrl, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { showError } from "../../app/toasts.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatCount, formatTime, plural } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { Tabs } from "../../ui/tabs.js";
import { replacedName, replacementName } from "./definitionText.js";
import { IndexMenu } from "./indexActions.js";
import { IndexEditor } from "./indexEditor.js";
import { indexState } from "./indexState.js";
import { Replacement, ReplacementBar, useReplacement } from "./replacement.js";
import { useIndexStats } from "./useIndexStats.js";
import { useInfiniteQuery, useQuery } from "../../vendor/query.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/indexes/indexPage.tsx
/** One index, or a new one. */
function IndexPage() {
	const database = useDatabase();
	const { name = "", new: isNew } = useSearchState();
	return isNew ? /* @__PURE__ */ jsx(IndexEditor, {
		database,
		definition: void 0
	}) : /* @__PURE__ */ jsx(ExistingIndex, {
		database,
		name
	}, name);
}
function ExistingIndex({ database, name }) {
	const { tab = "definition" } = useSearchState();
	const setSearch = useSetSearch();
	const go = useGo();
	const stats = useIndexStats(database, name);
	const definition = useQuery({
		queryKey: [
			"index-definition",
			database,
			name
		],
		queryFn: ({ signal }) => getJson(databasePath(database, "indexes"), {
			query: { name },
			signal
		})
	});
	const replacement = useReplacement(database, name);
	const list = placeUrl(databasePlace(database, "indexes"));
	if (definition.error) return definition.error instanceof ServerError && definition.error.status === 404 ? /* @__PURE__ */ jsx(Empty, {
		icon: "tree",
		title: `There is no index ${name}`,
		action: /* @__PURE__ */ jsx(Link, {
			href: list,
			children: "All indexes"
		})
	}) : /* @__PURE__ */ jsx(ErrorBox, {
		error: definition.error,
		onRetry: () => void definition.refetch()
	});
	const found = definition.data?.Results[0];
	if (!found) return /* @__PURE__ */ jsx(Loading, { what: name });
	const one = stats.data?.[0];
	const state = one && indexState(one);
	const fields = Object.keys(found.Fields ?? {});
	const replaced = replacedName(name);
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "mono ellipsis",
						title: name,
						children: name
					}),
					state && /* @__PURE__ */ jsx(Chip, {
						tone: state.tone,
						children: state.word
					}),
					one && /* @__PURE__ */ jsx("span", {
						className: "muted",
						children: plural(one.EntriesCount, "entry", "entries")
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Link, {
						className: "button quiet",
						href: placeUrl(databasePlace(database, "query"), { q: `from index '${name.replaceAll("'", "''")}'` }),
						children: "Query it"
					}),
					one && /* @__PURE__ */ jsx(IndexMenu, {
						database,
						stats: one,
						onDone: () => void stats.refetch(),
						onDeleted: () => go(list)
					})
				]
			}),
			replaced !== void 0 && /* @__PURE__ */ jsx("p", {
				className: "row padded",
				children: /* @__PURE__ */ jsxs("span", { children: [
					"It is built beside",
					" ",
					/* @__PURE__ */ jsx(Link, {
						href: placeUrl(databasePlace(database, "index"), {
							name: replaced,
							tab: "replacement"
						}),
						children: replaced
					}),
					", and takes its place when it has caught up."
				] })
			}),
			replacement && /* @__PURE__ */ jsx(ReplacementBar, {
				name,
				stats: replacement,
				isShown: tab === "replacement",
				onShow: () => setSearch({ tab: "replacement" })
			}),
			/* @__PURE__ */ jsx(Tabs, {
				name: `Parts of ${name}`,
				value: tab,
				onChange: (key) => setSearch({ tab: key === "definition" ? void 0 : key }),
				entries: [
					{
						key: "definition",
						title: "Definition",
						content: () => /* @__PURE__ */ jsx(IndexEditor, {
							database,
							definition: found
						}, JSON.stringify(found))
					},
					{
						key: "errors",
						title: `Errors ${one ? formatCount(one.ErrorsCount) : ""}`.trim(),
						content: () => /* @__PURE__ */ jsx(Errors, {
							database,
							name
						})
					},
					...replacement || tab === "replacement" ? [{
						key: "replacement",
						title: "Replacement",
						content: () => /* @__PURE__ */ jsx(Replacement, {
							database,
							running: found,
							name: replacementName(name),
							stats: replacement
						}, JSON.stringify(found))
					}] : [],
					{
						key: "terms",
						title: "Terms",
						content: () => /* @__PURE__ */ jsx(Terms, {
							database,
							name,
							fields
						})
					}
				]
			})
		]
	});
}
function Errors({ database, name }) {
	const errors = useQuery({
		queryKey: [
			"index-errors",
			database,
			name
		],
		queryFn: ({ signal }) => getJson(databasePath(database, "indexes/errors"), {
			query: { name },
			signal
		}),
		refetchInterval: (query) => pollMs(query.state.error, 5e3)
	});
	if (errors.error) return /* @__PURE__ */ jsx(ErrorBox, {
		error: errors.error,
		onRetry: () => void errors.refetch()
	});
	if (!errors.data) return /* @__PURE__ */ jsx(Loading, { what: "the errors" });
	const list = errors.data.Results[0]?.Errors ?? [];
	if (list.length === 0) return /* @__PURE__ */ jsx(Empty, {
		icon: "check",
		title: "No errors",
		children: "Every document was taken."
	});
	const forget = () => {
		send("DELETE", databasePath(database, "indexes/errors"), { query: { name } }).catch((error) => showError("The errors were not forgotten", error)).finally(() => void errors.refetch());
	};
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll",
		"aria-label": "Errors",
		tabIndex: 0,
		children: [/* @__PURE__ */ jsx("div", {
			className: "row padded",
			children: /* @__PURE__ */ jsx(Button, {
				icon: "trash",
				onClick: forget,
				children: "Forget them"
			})
		}), /* @__PURE__ */ jsxs("table", {
			className: "plain-table roomy",
			children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("th", { children: "When" }),
				/* @__PURE__ */ jsx("th", { children: "Document" }),
				/* @__PURE__ */ jsx("th", { children: "In" }),
				/* @__PURE__ */ jsx("th", { children: "Error" })
			] }) }), /* @__PURE__ */ jsx("tbody", { children: list.map((one) => /* @__PURE__ */ jsxs("tr", { children: [
				/* @__PURE__ */ jsx("td", {
					className: "nowrap",
					children: formatTime(one.Timestamp)
				}),
				/* @__PURE__ */ jsx("td", { children: one.Document ? /* @__PURE__ */ jsx(Link, {
					href: documentUrl(database, one.Document),
					children: one.Document
				}) : "" }),
				/* @__PURE__ */ jsx("td", { children: one.Action }),
				/* @__PURE__ */ jsx("td", {
					className: "break",
					children: one.Error
				})
			] }, `${one.Timestamp} ${one.Document} ${one.Error}`)) })]
		})]
	});
}
const TERMS_PAGE = 100;
function Terms({ database, name, fields }) {
	const { field = fields[0] ?? "" } = useSearchState();
	const setSearch = useSetSearch();
	const terms = useInfiniteQuery({
		queryKey: [
			"index-terms",
			database,
			name,
			field
		],
		queryFn: ({ signal, pageParam }) => getJson(databasePath(database, "indexes/terms"), {
			query: {
				name,
				field,
				pageSize: TERMS_PAGE,
				fromValue: pageParam
			},
			signal
		}),
		initialPageParam: void 0,
		getNextPageParam: (last) => last.Terms.length < TERMS_PAGE ? void 0 : last.Terms[last.Terms.length - 1],
		enabled: field !== "",
		retry: false
	});
	const all = terms.data?.pages.flatMap((page) => page.Terms) ?? [];
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll",
		"aria-label": "Terms",
		tabIndex: 0,
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "row padded",
				children: [/* @__PURE__ */ jsxs("label", {
					className: "field inline",
					children: [/* @__PURE__ */ jsx("span", { children: "Field" }), /* @__PURE__ */ jsx("input", {
						list: "index-fields",
						defaultValue: field,
						spellCheck: false,
						onChange: (event) => setSearch({ field: event.target.value })
					})]
				}), /* @__PURE__ */ jsx("datalist", {
					id: "index-fields",
					children: fields.map((one) => /* @__PURE__ */ jsx("option", { value: one }, one))
				})]
			}),
			terms.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: terms.error,
				onRetry: () => void terms.refetch()
			}),
			field === "" && /* @__PURE__ */ jsx("p", {
				className: "muted padded",
				children: "Name a field of the index."
			}),
			terms.data && all.length === 0 && /* @__PURE__ */ jsx("p", {
				className: "muted padded",
				children: "This field has no terms."
			}),
			/* @__PURE__ */ jsx("ul", {
				className: "terms mono",
				children: all.map((term) => /* @__PURE__ */ jsx("li", { children: term }, term))
			}),
			terms.hasNextPage && /* @__PURE__ */ jsx("div", {
				className: "row padded",
				children: /* @__PURE__ */ jsx(Button, {
					isBusy: terms.isFetchingNextPage,
					onClick: () => void terms.fetchNextPage(),
					children: "More"
				})
			})
		]
	});
}

export { IndexPage };