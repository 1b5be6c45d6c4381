import { describe, expect, test } from "vitest";
import { ServerError } from "../src/api/http";
import {
  type ClusterHealth,
  copyOf,
  factorChoices,
  factorSaid,
  type GroupHealth,
  type GroupNode,
  type GroupRole,
  groupState,
  lagOf,
  listOf,
  lossOf,
  mayBeginAnew,
  moved,
  nodeState,
  primaryRefusal,
  removalRefusal,
  roleOf,
  type StoreHealth,
  storeState,
  withLags,
} from "../src/pages/cluster/clusterModel";

const plain = (text: string) => text.replaceAll("\u2009", " ");

function node(text: string): GroupNode {
  const [tag = "", role = ""] = text.replace("-", "").split(":");
  return {
    NodeTag: tag,
    Role: role as GroupRole,
    IsAlive: !text.startsWith("-"),
    LagInRecords: null,
    LagSizeInBytes: null,
    LagInMs: null,
    Why: null,
  };
}

/** A group from its nodes as tag and role, those that are away with a sign before them. */
function group(text: string, more: Partial<GroupHealth> = {}): GroupHealth {
  const nodes = text.split(" ").map(node);
  return {
    Name: "shop",
    Role: "None",
    Primary: nodes.find((one) => one.Role === "Primary")?.NodeTag ?? null,
    Epoch: 3,
    InSync: nodes.length,
    MinInSync: Math.max(1, Math.floor((nodes.length + 1) / 2)),
    Hindrance: null,
    Advice: null,
    Committed: null,
    Failovers: null,
    CopiedBytes: null,
    UsedBytes: null,
    Nodes: nodes,
    ...more,
  };
}

const at = (one: GroupHealth, place: number) => one.Nodes[place] as GroupNode;

describe("a group in words", () => {
  test.each([
    ["A:Primary B:Member C:Member", "good", "3 of 3 in sync"],
    ["A:Primary B:Member C:Rehab", "stale", "2 of 3 in sync"],
    ["A:Primary B:Member -C:Member", "stale", "2 of 3 in sync"],
    ["-A:Primary B:Member C:Member", "bad", "the primary is away"],
    ["A:Primary -B:Member -C:Member", "bad", "no writes: 1 of 3 in sync"],
    ["A:Member B:Promotable", "info", "no primary yet"],
    ["A:Primary B:Promotable", "stale", "1 of 2 in sync"],
  ])("%s is %s: %s", (nodes, tone, text) => {
    expect(groupState(group(nodes))).toEqual({ tone, text });
  });

  test("a hindrance is told before what is in sync", () => {
    expect(groupState(group("A:Primary", { Hindrance: "x" })).tone).toBe("bad");
  });

  test("the role of a node, and that it is away", () => {
    expect(
      ["A:Primary", "A:Member", "A:Rehab", "A:Promotable", "-A:Member"].map((one) => roleOf(node(one)).text),
    ).toEqual(["primary", "in sync", "catching up", "first copy", "in sync, away"]);
    expect(roleOf({ Role: "Newer" as GroupRole, IsAlive: true }).text).toBe("Newer");
  });

  test("how far a node is behind has records, bytes and time", () => {
    const lag = (records: number | null, bytes: number | null, ms: number | null) =>
      plain(lagOf({ ...node("B:Rehab"), LagInRecords: records, LagSizeInBytes: bytes, LagInMs: ms }));
    expect(lag(0, 0, 0)).toBe("nothing");
    expect(lag(1, 2048, 0)).toBe("1 record · 2.0 KiB");
    expect(lag(12_345, 2048, 1500)).toBe("12 345 records · 2.0 KiB · 1.5 s");
    expect(lag(null, null, null)).toBe("not known");
    expect(lagOf(node("A:Primary"))).toBe("");
  });

  test("a copy under way, with its share if the whole is known", () => {
    expect(copyOf(null, 100)).toBeUndefined();
    expect(copyOf(undefined, 100)).toBeUndefined();
    expect(copyOf(1024, null)).toEqual({ text: "1.0\u2009KiB copied", share: undefined });
    expect(copyOf(1024, 4096)?.share).toBe(0.25);
    // What changes meanwhile is copied once more.
    expect(copyOf(5000, 4096)?.share).toBe(1);
  });

  test("lags are the primary's, unless it is one of an older epoch", () => {
    const own = group("A:Primary B:Member C:Rehab");
    const seen = group("A:Primary B:Member C:Rehab", { Role: "Primary", Committed: 9, UsedBytes: 4096 });
    const told = {
      ...seen,
      Nodes: seen.Nodes.map((one) => ({ ...one, LagInRecords: 2, LagSizeInBytes: 3, Why: "slow" })),
    };
    expect(withLags(own, undefined)).toBe(own);
    expect(withLags(own, { ...told, Role: "Member" })).toBe(own);
    expect(withLags(own, { ...told, Epoch: 2 })).toBe(own);
    const whole = withLags(own, told);
    expect([whole.Committed, whole.UsedBytes, at(whole, 2).LagInRecords, at(whole, 2).Why]).toEqual([
      9,
      4096,
      2,
      "slow",
    ]);
    expect(at(withLags(group("A:Primary D:Promotable"), told), 1).LagInRecords).toBeNull();
  });
});

describe("what can be done", () => {
  test("another primary is one that has everything and lives, while there is one that hands over", () => {
    const well = group("A:Primary B:Member C:Rehab -D:Member");
    expect(well.Nodes.slice(1).map((one) => primaryRefusal(well, one) === undefined)).toEqual([true, false, false]);
    const headless = group("-A:Primary B:Member C:Member");
    expect(primaryRefusal(headless, at(headless, 1))).toContain("by itself");
  });

  test("the primary and the only one are not taken out", () => {
    const well = group("A:Primary B:Member");
    expect(well.Nodes.map((one) => removalRefusal(well, one) === undefined)).toEqual([false, true]);
    const one = group("A:Primary");
    expect(removalRefusal(one, at(one, 0))).toContain("only node");
  });

  test("to begin anew is offered when nothing else goes on, and never on a node that has no whole copy", () => {
    const offered = (text: string) => {
      const one = group(text);
      return one.Nodes.filter((each) => mayBeginAnew(one, each)).map((each) => each.NodeTag);
    };
    expect(offered("A:Primary B:Member C:Member")).toEqual([]);
    expect(offered("-A:Primary B:Member C:Member")).toEqual([]);
    expect(offered("A:Primary -B:Member -C:Member")).toEqual(["A"]);
    expect(offered("-A:Primary -B:Member C:Rehab")).toEqual(["C"]);
    expect(offered("-A:Primary -B:Member C:Promotable")).toEqual([]);
  });

  test("what may be lost is said, worse for one that was behind", () => {
    const dead = group("-A:Primary B:Member C:Rehab");
    expect(lossOf(dead, at(dead, 1))).toContain("should have all");
    expect(lossOf(dead, at(dead, 2))).toContain("A and B had are lost");
  });

  test("an order is changed by one place, and not beyond its ends", () => {
    expect(moved(["A", "B", "C"], 2, 1)).toEqual(["A", "C", "B"]);
    expect(moved(["A", "B", "C"], 0, 1)).toEqual(["B", "A", "C"]);
    expect(moved(["A", "B"], 0, -1)).toEqual(["A", "B"]);
    expect(moved(["A", "B"], 1, 2)).toEqual(["A", "B"]);
    expect([listOf([]), listOf(["A"]), listOf(["A", "B"]), listOf(["A", "B", "C"])]).toEqual([
      "",
      "A",
      "A and B",
      "A, B and C",
    ]);
  });

  test("a new database has as many nodes as live, three if there are", () => {
    const health = (living: number) =>
      ({
        Nodes: Array.from({ length: 5 }, (_, place) => ({ IsAlive: place < living, Hindrance: null })),
      }) as unknown as ClusterHealth;
    expect(factorChoices(health(5))).toEqual({ all: [1, 2, 3, 4, 5], proposed: 3 });
    expect(factorChoices(health(2))).toEqual({ all: [1, 2], proposed: 2 });
    expect(factorChoices(undefined)).toEqual({ all: [], proposed: 0 });
    expect([3, 4, 5].map((factor) => factorSaid(factor).split(" ").slice(-5).join(" "))).toEqual([
      "loss of one and goes on".split(" ").slice(-5).join(" "),
      "loss of one and goes on".split(" ").slice(-5).join(" "),
      "loss of 2 and goes on".split(" ").slice(-5).join(" "),
    ]);
  });
});

describe("nodes and etcd in words", () => {
  test("a hindrance comes before the sign of life", () => {
    const one = {
      NodeTag: "A",
      Url: "",
      Role: "Member",
      Version: null,
      IsAlive: true,
      Hindrance: null,
      Advice: null,
    } as const;
    expect(nodeState(one).text).toBe("alive");
    expect(nodeState({ ...one, IsAlive: false }).text).toBe("away");
    expect(nodeState({ ...one, Hindrance: "x" }).tone).toBe("bad");
  });

  test("etcd that is full, has no leader, or is not reached", () => {
    const well: StoreHealth = {
      IsManaged: true,
      Version: "3.5.16",
      HasLeader: true,
      IsFull: false,
      SizeInBytes: 1,
      AgeInMs: 1,
      Problem: null,
      Advice: null,
    };
    expect(storeState(well).text).toBe("well");
    expect(storeState({ ...well, IsFull: true, Problem: "x" }).text).toBe("full");
    expect(storeState({ ...well, HasLeader: false, Problem: "x" }).text).toBe("no leader");
    expect(storeState({ ...well, HasLeader: null, Problem: "x" }).text).toBe("not reached");
    expect(storeState({ ...well, HasLeader: null }).text).toBe("well");
    expect(storeState(null).tone).toBe("none");
  });
});

describe("what a cluster answers", () => {
  const error = (status: number, type: string) =>
    new ServerError("PUT", "/", status, JSON.stringify({ Type: type, Message: "m" }));

  test("without a node nothing was done; a lost answer is perhaps done", () => {
    const none = error(503, "Raven.Client.Exceptions.Cluster.NoLeaderException");
    const lost = error(500, "Raven.Client.Exceptions.RavenTimeoutException");
    expect([none.isWithoutNode, none.isPerhapsDone, none.isPassing]).toEqual([true, false, true]);
    expect([lost.isWithoutNode, lost.isPerhapsDone]).toEqual([false, true]);
    expect(error(500, "System.InvalidOperationException").isPerhapsDone).toBe(false);
  });
});
