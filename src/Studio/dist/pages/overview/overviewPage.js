import { databasePath, getJson } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { Link } from "../../app/link.js";
import { useMay } from "../../app/pages.js";
import { databasePlace, placeUrl, useDatabase } from "../../app/places.js";
import { isPlainName, quoteRql } from "../../rql/rqlLexer.js";
import { Chip } from "../../ui/chip.js";
import { formatCount, plural } from "../../ui/format.js";
import { Icon } from "../../ui/icon.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { groupUrl } from "../cluster/groupTable.js";
import { NodeChips } from "../cluster/saidChip.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs } from "../../vendor/react.js";

// src/pages/overview/overviewPage.tsx
/** A database at a glance: its collections, its indexes, and what to do next. */
function OverviewPage() {
	const database = useDatabase();
	const counts = useQuery({
		queryKey: ["collections", database],
		queryFn: ({ signal }) => getJson(databasePath(database, "collections/stats"), { signal }),
		refetchInterval: (query) => pollMs(query.state.error, 1e4)
	});
	const stats = useQuery({
		queryKey: ["stats", database],
		queryFn: ({ signal }) => getJson(databasePath(database, "stats"), { signal }),
		refetchInterval: (query) => pollMs(query.state.error, 1e4)
	});
	if (counts.error && !counts.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: `${database} cannot be read`,
		error: counts.error,
		onRetry: () => void counts.refetch()
	});
	if (counts.isPending) return /* @__PURE__ */ jsx(Loading, { what: database });
	const collections = Object.entries(counts.data.Collections).filter(([, count]) => count > 0);
	collections.sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
	const first = collections.find(([name]) => !name.startsWith("@"))?.[0];
	return /* @__PURE__ */ jsxs("div", {
		className: "page scroll padded",
		children: [
			counts.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: counts.error,
				onRetry: () => void counts.refetch()
			}),
			/* @__PURE__ */ jsxs("div", {
				className: "page-head flush",
				children: [/* @__PURE__ */ jsx("h1", {
					className: "ellipsis",
					children: database
				}), /* @__PURE__ */ jsx("span", {
					className: "muted",
					children: plural(counts.data.CountOfDocuments, "document")
				})]
			}),
			collections.length === 0 ? /* @__PURE__ */ jsx(Empty, {
				icon: "files",
				title: "No documents yet",
				action: /* @__PURE__ */ jsx(Link, {
					className: "button primary",
					href: placeUrl(databasePlace(database, "doc"), { new: "1" }),
					children: "Write the first one"
				}),
				children: "Clients and bulk inserts write here; so does this page."
			}) : /* @__PURE__ */ jsxs("div", {
				className: "cards",
				children: [
					/* @__PURE__ */ jsxs("section", {
						className: "card",
						"aria-labelledby": "overview-collections",
						children: [
							/* @__PURE__ */ jsx("h2", {
								id: "overview-collections",
								children: "Collections"
							}),
							/* @__PURE__ */ jsx("ul", {
								className: "card-list",
								children: collections.slice(0, 20).map(([name, count]) => /* @__PURE__ */ jsxs("li", { children: [/* @__PURE__ */ jsx(Link, {
									href: placeUrl(databasePlace(database, "docs"), { collection: name }),
									children: name
								}), /* @__PURE__ */ jsx("span", {
									className: "number",
									children: formatCount(count)
								})] }, name))
							}),
							collections.length > 20 && /* @__PURE__ */ jsx("p", {
								className: "muted",
								children: `and ${formatCount(collections.length - 20)} more`
							})
						]
					}),
					first && /* @__PURE__ */ jsx(NextCard, {
						database,
						collection: first
					}),
					/* @__PURE__ */ jsx(IndexCard, {
						database,
						stats: stats.data,
						error: stats.error
					}),
					/* @__PURE__ */ jsx(NodesCard, { database })
				]
			})
		]
	});
}
/** The nodes that keep the database, in a cluster. */
function NodesCard({ database }) {
	const mayLook = useMay("GET /admin/cluster/health");
	const nodes = useQuery({
		queryKey: [
			"databases",
			database,
			"nodes"
		],
		queryFn: ({ signal }) => getJson("/studio/databases", {
			query: { filter: database },
			signal,
			isRepeated: true
		}),
		refetchInterval: (query) => pollMs(query.state.error, 1e4),
		retry: false
	}).data?.Databases.find((row) => row.Name.toLowerCase() === database.toLowerCase())?.Nodes;
	if (!nodes) return null;
	return /* @__PURE__ */ jsxs("section", {
		className: "card",
		"aria-labelledby": "overview-nodes",
		children: [
			/* @__PURE__ */ jsx("h2", {
				id: "overview-nodes",
				children: "Nodes"
			}),
			/* @__PURE__ */ jsx(NodeChips, { nodes }),
			mayLook && /* @__PURE__ */ jsx(Link, {
				href: groupUrl(database),
				children: "How they are"
			})
		]
	});
}
function NextCard({ database, collection }) {
	const query = `from ${isPlainName(collection) ? collection : quoteRql(collection)} order by id() desc`;
	const url = placeUrl(databasePlace(database, "query"), { q: query });
	return /* @__PURE__ */ jsxs("section", {
		className: "card",
		"aria-labelledby": "overview-next",
		children: [
			/* @__PURE__ */ jsx("h2", {
				id: "overview-next",
				children: "Next: ask a query"
			}),
			/* @__PURE__ */ jsx("pre", {
				className: "sample",
				children: query
			}),
			/* @__PURE__ */ jsxs(Link, {
				className: "button primary",
				href: url,
				children: [/* @__PURE__ */ jsx(Icon, { name: "play" }), /* @__PURE__ */ jsx("span", { children: "Run it" })]
			})
		]
	});
}
function IndexCard({ database, stats, error }) {
	const stale = stats?.Indexes.filter((index) => index.IsStale) ?? [];
	const faulty = stats?.Indexes.filter((index) => index.State === "Error") ?? [];
	return /* @__PURE__ */ jsxs("section", {
		className: "card",
		"aria-labelledby": "overview-indexes",
		children: [
			/* @__PURE__ */ jsx("h2", {
				id: "overview-indexes",
				children: "Indexes"
			}),
			error !== null && error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, { error }),
			stats && /* @__PURE__ */ jsxs(Fragment, { children: [
				/* @__PURE__ */ jsx("p", { children: plural(stats.CountOfIndexes, "index", "indexes") }),
				/* @__PURE__ */ jsx("p", { children: faulty.length > 0 ? /* @__PURE__ */ jsx(Link, {
					href: placeUrl(databasePlace(database, "indexes"), { show: "errors" }),
					children: /* @__PURE__ */ jsx(Chip, {
						tone: "bad",
						children: `${formatCount(faulty.length)} faulty`
					})
				}) : stale.length > 0 ? /* @__PURE__ */ jsx(Link, {
					href: placeUrl(databasePlace(database, "indexes"), { show: "stale" }),
					children: /* @__PURE__ */ jsx(Chip, {
						tone: "stale",
						children: `${formatCount(stale.length)} stale`
					})
				}) : /* @__PURE__ */ jsx(Chip, {
					tone: "good",
					children: "all up to date"
				}) }),
				/* @__PURE__ */ jsx(Link, {
					href: placeUrl(databasePlace(database, "indexes")),
					children: "All indexes"
				})
			] })
		]
	});
}

export { OverviewPage };