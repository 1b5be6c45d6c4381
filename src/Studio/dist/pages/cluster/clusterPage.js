import { ServerError } from "../../api/http.js";
import { Link } from "../../app/link.js";
import { placeUrl, useSearchState, useSetSearch } from "../../app/places.js";
import { formatCount, plural } from "../../ui/format.js";
import { Pager } from "../../ui/pager.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { GroupPage } from "./groupPage.js";
import { GroupTable } from "./groupTable.js";
import { NodeTable } from "./nodeTable.js";
import { SingleServer } from "./singleServer.js";
import { useClusterHealth, useStores } from "./useCluster.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/cluster/clusterPage.tsx
/** How many databases are shown at once. */
const PAGE_SIZE = 100;
/** The nodes of the cluster and who keeps which database; or one database, if the URL names it. */
function ClusterPage() {
	const { name } = useSearchState();
	return name === void 0 ? /* @__PURE__ */ jsx(WholeCluster, {}) : /* @__PURE__ */ jsx(GroupPage, { name }, name);
}
function WholeCluster() {
	const { start: startText = "0" } = useSearchState();
	const start = Number(startText) || 0;
	const setSearch = useSetSearch();
	const health = useClusterHealth(start, PAGE_SIZE);
	const stores = useStores(health.data?.IsClustered ? health.data : void 0);
	if (health.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the cluster" });
	if (!health.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: health.error instanceof ServerError && health.error.status === 403 ? "The cluster is not shown to you" : "The cluster cannot be looked at",
		error: health.error,
		onRetry: () => void health.refetch()
	});
	if (!health.data.IsClustered) return /* @__PURE__ */ jsx(SingleServer, {});
	const { Nodes: nodes, Databases: groups, NodeTag: here, Observer: observer } = health.data;
	return /* @__PURE__ */ jsxs("div", {
		className: "page scroll",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Cluster" }),
					/* @__PURE__ */ jsxs("span", {
						className: "muted",
						children: [
							plural(nodes.length, "node"),
							" · node ",
							here,
							" answers",
							observer === null ? "" : ` · node ${observer} looks after the others`
						]
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Link, {
						className: "button primary",
						href: placeUrl("/", { create: "1" }),
						children: "New database"
					})
				]
			}),
			health.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: health.error,
				onRetry: () => void health.refetch()
			}),
			/* @__PURE__ */ jsx(NodeTable, {
				health: health.data,
				stores,
				onChanged: () => void health.refetch()
			}),
			/* @__PURE__ */ jsxs("h2", {
				className: "part-head",
				children: ["Databases ", /* @__PURE__ */ jsx("span", {
					className: "muted",
					children: formatCount(groups.length)
				})]
			}),
			groups.length === 0 ? /* @__PURE__ */ jsx(Empty, {
				icon: "database",
				title: start === 0 ? "No database yet" : "No more databases",
				children: "A new one is on as many nodes as you say."
			}) : /* @__PURE__ */ jsx(GroupTable, { groups }),
			/* @__PURE__ */ jsx(Pager, {
				start,
				size: PAGE_SIZE,
				shown: groups.length,
				hasMore: groups.length === PAGE_SIZE,
				onStart: (next) => setSearch({ start: next }, true)
			})
		]
	});
}

export { ClusterPage };