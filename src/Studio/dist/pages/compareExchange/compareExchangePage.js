import { guardedId, readValue, readValues } from "../../api/compareExchange.js";
import { Link } from "../../app/link.js";
import { databasePlace, documentUrl, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { member, textMember } from "../../json/jsonTree.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { FilterInput } from "../../ui/filterInput.js";
import { formatCount, formatTime } from "../../ui/format.js";
import { Pager } from "../../ui/pager.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { Value } from "../../ui/value.js";
import { ValueEditor } from "./valueEditor.js";
import { keepPreviousData, useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs } from "../../vendor/react.js";

// src/pages/compareExchange/compareExchangePage.tsx
const PAGE_SIZE = 50;
/** The compare-exchange values of a database: all by the beginning of their keys, or one to be changed. */
function CompareExchangePage() {
	const database = useDatabase();
	const { key, new: isNew } = useSearchState();
	if (isNew) return /* @__PURE__ */ jsx(ValueEditor, {
		database,
		stored: void 0
	}, `${database}\n`);
	return key === void 0 ? /* @__PURE__ */ jsx(ValueList, { database }) : /* @__PURE__ */ jsx(OneValue, {
		database,
		name: key
	}, `${database}\n${key}`);
}
function OneValue({ database, name }) {
	const value = useQuery({
		queryKey: [
			"cmpxchg",
			database,
			name
		],
		queryFn: ({ signal }) => readValue(database, name, signal),
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 0,
		refetchOnWindowFocus: false
	});
	if (value.error) return /* @__PURE__ */ jsx(ErrorBox, {
		title: `${name} cannot be read`,
		error: value.error,
		onRetry: () => void value.refetch()
	});
	if (value.isPending) return /* @__PURE__ */ jsx(Loading, {
		what: name,
		rows: 12
	});
	if (value.data === null) {
		const all = /* @__PURE__ */ jsx(Link, {
			href: placeUrl(databasePlace(database, "cmpxchg")),
			children: "All values"
		});
		return /* @__PURE__ */ jsx(Empty, {
			icon: "key",
			title: `There is no ${name}`,
			action: all,
			children: "It may have been deleted, expired, or never set."
		});
	}
	return /* @__PURE__ */ jsx(ValueEditor, {
		database,
		stored: value.data
	});
}
function ValueList({ database }) {
	const { startsWith = "", start: startText } = useSearchState();
	const setSearch = useSetSearch();
	const go = useGo();
	const start = Math.max(0, Math.floor(Number(startText ?? 0)) || 0);
	const page = useQuery({
		queryKey: [
			"cmpxchg",
			database,
			"list",
			startsWith,
			start
		],
		queryFn: ({ signal }) => readValues(database, startsWith, start, PAGE_SIZE, signal),
		placeholderData: keepPreviousData
	});
	const values = page.data?.values ?? [];
	const hasMore = page.data?.hasMore === true;
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Compare-exchange" }),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(FilterInput, {
						name: "Beginning of the key",
						hint: "Key begins with",
						initial: startsWith,
						onChange: (text) => setSearch({
							startsWith: text,
							start: void 0
						})
					}),
					/* @__PURE__ */ jsx(Button, {
						icon: "refresh",
						kind: "quiet",
						onClick: () => void page.refetch(),
						children: "Read again"
					}),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "plus",
						onClick: () => go(placeUrl(databasePlace(database, "cmpxchg"), {
							new: "1",
							key: startsWith
						})),
						children: "New value"
					})
				]
			}),
			page.error && /* @__PURE__ */ jsx(ErrorBox, {
				title: "The values cannot be read",
				error: page.error,
				onRetry: () => void page.refetch()
			}),
			page.isPending && /* @__PURE__ */ jsx(Loading, { what: "the values" }),
			page.data && values.length === 0 && /* @__PURE__ */ jsx(Empty, {
				icon: "key",
				title: emptyTitle(startsWith, start),
				children: "A compare-exchange value is changed only by who knows its last state: a name that is taken once, a lock, a leader."
			}),
			values.length > 0 && /* @__PURE__ */ jsx("section", {
				className: page.isPlaceholderData ? "scroll dimmed" : "scroll",
				"aria-label": "List of values",
				tabIndex: 0,
				children: /* @__PURE__ */ jsxs("table", {
					className: "plain-table",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", { children: "Key" }),
						/* @__PURE__ */ jsx("th", { children: "Value" }),
						/* @__PURE__ */ jsx("th", {
							className: "number",
							children: "Index"
						}),
						/* @__PURE__ */ jsx("th", { children: "Expires" })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: values.map((one) => /* @__PURE__ */ jsx(ValueRow, {
						database,
						value: one
					}, one.key)) })]
				})
			}),
			/* @__PURE__ */ jsx(Pager, {
				start,
				size: PAGE_SIZE,
				shown: values.length,
				hasMore,
				onStart: (next) => setSearch({ start: next }, true)
			})
		]
	});
}
function emptyTitle(startsWith, start) {
	if (start > 0) return "There are no more";
	return startsWith === "" ? "There are no values" : `No key begins with ${startsWith}`;
}
function ValueRow({ database, value }) {
	const { key, index, node } = value;
	const expires = textMember(member(node, "@metadata"), "@expires");
	const guarded = guardedId(key);
	return /* @__PURE__ */ jsxs("tr", { children: [
		/* @__PURE__ */ jsx("th", {
			scope: "row",
			className: "mono break",
			children: /* @__PURE__ */ jsx(Link, {
				href: placeUrl(databasePlace(database, "cmpxchg"), { key }),
				children: key
			})
		}),
		/* @__PURE__ */ jsx("td", {
			className: "break",
			children: guarded === void 0 ? /* @__PURE__ */ jsx(Value, {
				node: member(node, "Object"),
				database
			}) : /* @__PURE__ */ jsxs(Fragment, { children: [
				/* @__PURE__ */ jsx(Chip, {
					tone: "none",
					icon: "lock",
					children: "guard"
				}),
				" ",
				"of ",
				/* @__PURE__ */ jsx(Link, {
					href: documentUrl(database, guarded),
					children: guarded
				})
			] })
		}),
		/* @__PURE__ */ jsx("td", {
			className: "number nowrap",
			children: formatCount(index)
		}),
		/* @__PURE__ */ jsx("td", {
			className: "nowrap",
			children: expires === void 0 ? "" : formatTime(expires)
		})
	] });
}

export { CompareExchangePage };