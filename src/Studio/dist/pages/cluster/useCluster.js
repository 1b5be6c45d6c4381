import { getJson } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { withLags } from "./clusterModel.js";
import { keepPreviousData, useQuery } from "../../vendor/query.js";

// src/pages/cluster/useCluster.ts
const HEALTH = "/admin/cluster/health";
/** How often a page asks how nodes and groups are. */
const LIVE_MS = 2e3;
/** How often it asks other nodes how they find etcd. */
const STORES_MS = 5e3;
/** After this time a node that was asked by way of this one counts as one that says nothing. */
const NODE_MS = 3e3;
/** A part of the databases of the cluster, with all of its nodes, as the node that is asked knows them. */
function useClusterHealth(start, pageSize) {
	return useQuery({
		queryKey: [
			"cluster",
			start,
			pageSize
		],
		queryFn: ({ signal }) => getJson(HEALTH, {
			query: {
				start,
				pageSize
			},
			signal,
			isRepeated: true
		}),
		placeholderData: keepPreviousData,
		refetchInterval: (query) => pollMs(query.state.error, LIVE_MS),
		retry: false
	});
}
/** What other nodes say, asked by way of this one; one that does not say it in time is left out. */
function useNodes(tags, database, everyMs) {
	const { data } = useQuery({
		queryKey: [
			"cluster-nodes",
			database ?? null,
			tags.join()
		],
		queryFn: async ({ signal }) => {
			const limited = AbortSignal.any([signal, AbortSignal.timeout(NODE_MS)]);
			const said = /* @__PURE__ */ new Map();
			await Promise.all(tags.map(async (tag) => {
				try {
					const query = {
						node: tag,
						...database === void 0 ? { pageSize: 0 } : { name: database }
					};
					said.set(tag, await getJson(HEALTH, {
						query,
						signal: limited,
						isRepeated: true
					}));
				} catch {}
			}));
			return said;
		},
		placeholderData: keepPreviousData,
		refetchInterval: everyMs,
		enabled: tags.length > 0,
		retry: false,
		structuralSharing: false
	});
	return data;
}
/** How each node finds etcd; one that does not say it is not there. */
function useStores(health) {
	const tags = (health?.Nodes ?? []).filter((node) => node.NodeTag !== health?.NodeTag && node.IsAlive).map((node) => node.NodeTag);
	const said = useNodes(tags, void 0, STORES_MS);
	const stores = new Map(tags.map((tag) => [tag, said?.get(tag)?.Store ?? null]));
	return health ? stores.set(health.NodeTag, health.Store) : stores;
}
/** The group of a database: with how far its nodes are as the primary says it, and what those copy that copy. */
function useGroup(name) {
	const own = useQuery({
		queryKey: ["cluster-group", name],
		queryFn: ({ signal }) => getJson(HEALTH, {
			query: { name },
			signal,
			isRepeated: true
		}),
		refetchInterval: (query) => pollMs(query.state.error, LIVE_MS),
		retry: false
	});
	const here = own.data?.NodeTag;
	const group = own.data?.Databases[0];
	const nodes = group?.Nodes ?? [];
	const said = useNodes(nodes.filter((node) => node.NodeTag !== here && node.IsAlive && (node.NodeTag === group?.Primary || node.Role !== "Member")).map((node) => node.NodeTag), name, LIVE_MS);
	const of = (tag) => tag === here ? group : said?.get(tag)?.Databases[0];
	return {
		health: own,
		group: group && withLags(group, of(group.Primary ?? "")),
		copies: new Map(nodes.map((node) => [node.NodeTag, of(node.NodeTag)?.CopiedBytes ?? null]))
	};
}

export { useClusterHealth, useGroup, useStores };