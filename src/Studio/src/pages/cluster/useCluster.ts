import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getJson } from "../../api/http";
import { pollMs } from "../../api/polling";
import { type ClusterHealth, type GroupHealth, type StoreHealth, withLags } from "./clusterModel";

const HEALTH = "/admin/cluster/health";

/** How often a page asks how nodes and groups are. */
const LIVE_MS = 2_000;
/** How often it asks other nodes how they find etcd. */
const STORES_MS = 5_000;
/** After this time a node that was asked by way of this one counts as one that says nothing. */
const NODE_MS = 3_000;

/** A part of the databases of the cluster, with all of its nodes, as the node that is asked knows them. */
export function useClusterHealth(start: number, pageSize: number) {
  return useQuery({
    queryKey: ["cluster", start, pageSize],
    queryFn: ({ signal }) => getJson<ClusterHealth>(HEALTH, { query: { start, pageSize }, signal, isRepeated: true }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => pollMs(query.state.error, LIVE_MS),
    retry: false,
  });
}

/** What other nodes say, asked by way of this one; one that does not say it in time is left out. */
function useNodes(tags: readonly string[], database: string | undefined, everyMs: number) {
  const { data } = useQuery({
    queryKey: ["cluster-nodes", database ?? null, tags.join()],
    queryFn: async ({ signal }) => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(NODE_MS)]);
      const said = new Map<string, ClusterHealth>();
      await Promise.all(
        tags.map(async (tag) => {
          try {
            const query = { node: tag, ...(database === undefined ? { pageSize: 0 } : { name: database }) };
            said.set(tag, await getJson<ClusterHealth>(HEALTH, { query, signal: limited, isRepeated: true }));
          } catch {
            // The page shows that it says nothing.
          }
        }),
      );
      return said;
    },
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    enabled: tags.length > 0,
    retry: false,
    structuralSharing: false,
  });
  return data;
}

/** How each node finds etcd; one that does not say it is not there. */
export function useStores(health: ClusterHealth | undefined): ReadonlyMap<string, StoreHealth | null> {
  const others = (health?.Nodes ?? []).filter((node) => node.NodeTag !== health?.NodeTag && node.IsAlive);
  const tags = others.map((node) => node.NodeTag);
  const said = useNodes(tags, undefined, STORES_MS);
  const stores = new Map(tags.map((tag) => [tag, said?.get(tag)?.Store ?? null]));
  return health ? stores.set(health.NodeTag, health.Store) : stores;
}

/** How many bytes have come to each node that takes a copy. */
export type Copies = ReadonlyMap<string, number | null>;

/** The group of a database: with how far its nodes are as the primary says it, and what those copy that copy. */
export function useGroup(name: string) {
  const own = useQuery({
    queryKey: ["cluster-group", name],
    queryFn: ({ signal }) => getJson<ClusterHealth>(HEALTH, { query: { name }, signal, isRepeated: true }),
    refetchInterval: (query) => pollMs(query.state.error, LIVE_MS),
    retry: false,
  });
  const here = own.data?.NodeTag;
  const group: GroupHealth | undefined = own.data?.Databases[0];
  const nodes = group?.Nodes ?? [];
  const asked = nodes.filter(
    (node) => node.NodeTag !== here && node.IsAlive && (node.NodeTag === group?.Primary || node.Role !== "Member"),
  );
  const said = useNodes(
    asked.map((node) => node.NodeTag),
    name,
    LIVE_MS,
  );
  const of = (tag: string) => (tag === here ? group : said?.get(tag)?.Databases[0]);
  return {
    health: own,
    group: group && withLags(group, of(group.Primary ?? "")),
    copies: new Map(nodes.map((node) => [node.NodeTag, of(node.NodeTag)?.CopiedBytes ?? null])) as Copies,
  };
}
