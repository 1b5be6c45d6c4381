// A cluster that is not there, between a page and the real server: what the routes of a cluster answer, and what they do.
import { errorAnswer, failing } from "./fault.mjs";

const json = (value) => ({ status: 200, contentType: "application/json", body: JSON.stringify(value) });
const NO_LEADER = "Raven.Client.Exceptions.Cluster.NoLeaderException";
const TIMEOUT = "Raven.Client.Exceptions.RavenTimeoutException";

const ETCD = { IsManaged: true, Version: "3.5.16", HasLeader: true, IsFull: false, SizeInBytes: 81_920, AgeInMs: 40, Problem: null, Advice: null };

const nodeOf = (tag) => ({
  NodeTag: tag, Url: `https://${tag.toLowerCase()}.example:8443`, Role: "Member", Version: "0.1.0", IsAlive: true, Hindrance: null, Advice: null,
});

/** Answers that a node was not reached, so that nothing was done. */
export const withoutNode = (why = "Nothing was done: no node could serve it.") => errorAnswer(503, NO_LEADER, why, { "Retry-After": "1" });

/** Answers that a node was asked, and its answer was lost. */
export const perhapsDone = (why = "Perhaps it was done: the request was sent to node B.") => errorAnswer(500, TIMEOUT, why);

/** Puts a cluster before all requests of a page. What it knows is changed at any time; what a page asks it to do is done. */
export async function standInCluster(page, tags = ["A", "B", "C"]) {
  const fault = await failing(page);
  const cluster = {
    fault,
    here: tags[0],
    nodes: tags.map(nodeOf),
    stores: Object.fromEntries(tags.map((tag) => [tag, { ...ETCD }])),
    groups: [],
    /** What was asked for, as a line each. */
    done: [],
    /** How a change is answered in place of being done. */
    refusal: undefined,
    node: (tag) => cluster.nodes.find((one) => one.NodeTag === tag),
    group: (name) => cluster.groups.find((one) => one.Name === name),
    /** A database on nodes: each as its tag and role. */
    add(name, roles, more = {}) {
      const nodes = roles.map((text) => {
        const [tag, role] = text.split(":");
        return { NodeTag: tag, Role: role, LagInRecords: 0, LagSizeInBytes: 0, LagInMs: 0, Why: null, Copied: null };
      });
      cluster.groups.push({ Name: name, Epoch: 4, MinInSync: Math.max(1, Math.floor((nodes.length + 1) / 2)), Hindrance: null, Advice: null, Committed: 120, UsedBytes: 8 << 20, nodes, ...more });
    },
    /** A node is gone, or back. */
    setAlive(tag, isAlive) {
      cluster.node(tag).IsAlive = isAlive;
      cluster.node(tag).Advice = isAlive ? null : "Start its server again; the log of it, and of the machine, say why it is away.";
    },
  };
  const primaryOf = (group) => group.nodes.find((one) => one.Role === "Primary")?.NodeTag ?? null;
  const seenBy = (group, tag) => {
    const isPrimary = primaryOf(group) === tag;
    return {
      ...group, nodes: undefined, Role: group.nodes.find((one) => one.NodeTag === tag)?.Role ?? "None", Primary: primaryOf(group), Failovers: 0,
      InSync: group.nodes.filter((one) => ["Primary", "Member"].includes(one.Role)).length,
      UsedBytes: isPrimary ? group.UsedBytes : null, CopiedBytes: group.nodes.find((one) => one.NodeTag === tag)?.Copied ?? null,
      Nodes: group.nodes.map((one) => ({
        ...one, Copied: undefined, IsAlive: cluster.node(one.NodeTag)?.IsAlive ?? false,
        ...(isPrimary && one.NodeTag !== tag ? {} : { LagInRecords: null, LagSizeInBytes: null, LagInMs: null }),
      })),
    };
  };
  const health = (query) => {
    const tag = query.get("node") ?? cluster.here;
    if (cluster.node(tag)?.IsAlive !== true) {
      return withoutNode();
    }
    const name = query.get("name");
    const size = Number(query.get("pageSize") ?? 1024);
    const found = name === null ? cluster.groups.slice(Number(query.get("start") ?? 0)).slice(0, size) : cluster.groups.filter((one) => one.Name === name);
    return json({ IsClustered: true, NodeTag: tag, Observer: "B", Store: cluster.stores[tag], Nodes: cluster.nodes, Databases: found.map((one) => seenBy(one, tag)) });
  };
  const changes = {
    "PUT /admin/databases/node": ({ query }) => {
      const group = cluster.group(query.get("name"));
      const tag = query.get("node") ?? cluster.nodes.find((one) => !group.nodes.some((has) => has.NodeTag === one.NodeTag)).NodeTag;
      group.nodes.push({ NodeTag: tag, Role: "Promotable", LagInRecords: 100, LagSizeInBytes: 4_096, LagInMs: 10, Why: "It gets its first copy.", Copied: 2 << 20 });
    },
    "POST /admin/databases/primary": ({ query }) => {
      const group = cluster.group(query.get("name"));
      group.Epoch++;
      for (const one of group.nodes) {
        one.Role = one.NodeTag === query.get("node") ? "Primary" : one.Role === "Primary" ? "Member" : one.Role;
      }
    },
    "POST /admin/databases/reorder": ({ query, body }) => {
      const { nodes } = cluster.group(query.get("name"));
      nodes.sort((a, b) => body.MembersOrder.indexOf(a.NodeTag) - body.MembersOrder.indexOf(b.NodeTag));
    },
    "POST /admin/databases/promote": ({ query }) => {
      const group = cluster.group(query.get("name"));
      Object.assign(group, { Epoch: group.Epoch + 1, MinInSync: 1, Hindrance: null, Advice: null });
      for (const one of group.nodes) {
        one.Role = one.NodeTag === query.get("node") ? "Primary" : "Rehab";
      }
    },
    "DELETE /admin/databases": ({ body }) => {
      const group = cluster.group(body.DatabaseNames[0]);
      group.nodes = group.nodes.filter((one) => !(body.FromNodes ?? []).includes(one.NodeTag));
    },
    "DELETE /admin/cluster/node": ({ query }) => {
      cluster.nodes = cluster.nodes.filter((one) => one.NodeTag !== query.get("nodeTag"));
    },
  };
  fault.answer = (request, url) => {
    if (url.pathname === "/admin/cluster/health") {
      return cluster.healthRefusal ?? health(url.searchParams);
    }
    const change = changes[`${request.method()} ${url.pathname}`];
    if (change === undefined) {
      return undefined;
    }
    const body = request.postData() === null ? undefined : JSON.parse(request.postData());
    cluster.done.push(`${request.method()} ${url.pathname}${url.search}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`);
    if (cluster.refusal !== undefined) {
      return cluster.refusal;
    }
    change({ query: url.searchParams, body });
    return json({ RaftCommandIndex: 7 });
  };
  return cluster;
}
