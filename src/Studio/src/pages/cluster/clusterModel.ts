// What GET /admin/cluster/health says, and what a page makes of it.

import type { Tone } from "../../ui/chip";
import { formatBytes, formatCount, formatDuration, plural } from "../../ui/format";

/** What a node is in the group of a database. */
export type GroupRole = "None" | "Primary" | "Member" | "Rehab" | "Promotable";

/** GET /admin/cluster/health */
export interface ClusterHealth {
  readonly IsClustered: boolean;
  /** The node that answers. */
  readonly NodeTag: string;
  readonly Observer: string | null;
  readonly Store: StoreHealth | null;
  readonly Nodes: readonly NodeHealth[];
  readonly Databases: readonly GroupHealth[];
}

/** How the node that answers finds etcd. */
export interface StoreHealth {
  readonly IsManaged: boolean;
  readonly Version: string | null;
  readonly HasLeader: boolean | null;
  readonly IsFull: boolean | null;
  readonly SizeInBytes: number | null;
  readonly AgeInMs: number;
  readonly Problem: string | null;
  readonly Advice: string | null;
}

/** A node of the cluster. */
export interface NodeHealth {
  readonly NodeTag: string;
  readonly Url: string;
  readonly Role: "Member" | "Promotable" | "Watcher";
  readonly Version: string | null;
  readonly IsAlive: boolean;
  readonly Hindrance: string | null;
  readonly Advice: string | null;
}

/** A database, and the nodes that keep it. */
export interface GroupHealth {
  readonly Name: string;
  /** What the node that answers is in it. */
  readonly Role: GroupRole;
  readonly Primary: string | null;
  readonly Epoch: number;
  readonly InSync: number;
  readonly MinInSync: number;
  readonly Hindrance: string | null;
  readonly Advice: string | null;
  readonly Committed: number | null;
  readonly Failovers: number | null;
  readonly CopiedBytes: number | null;
  readonly UsedBytes: number | null;
  readonly Nodes: readonly GroupNode[];
}

/** A node of a group; how far it is only the primary knows. */
export interface GroupNode {
  readonly NodeTag: string;
  readonly Role: GroupRole;
  readonly IsAlive: boolean;
  readonly LagInRecords: number | null;
  readonly LagSizeInBytes: number | null;
  readonly LagInMs: number | null;
  readonly Why: string | null;
}

/** A state: what it means, and its words. */
export interface Said {
  readonly tone: Tone;
  readonly text: string;
}

const ROLES: Readonly<Record<GroupRole, Said>> = {
  Primary: { tone: "good", text: "primary" },
  Member: { tone: "good", text: "in sync" },
  Rehab: { tone: "stale", text: "catching up" },
  Promotable: { tone: "info", text: "first copy" },
  None: { tone: "none", text: "no part" },
};

/** What a node is in a group, in words. One that is away is that first of all. */
export function roleOf(node: { readonly Role: GroupRole; readonly IsAlive: boolean }): Said {
  const role = ROLES[node.Role] ?? { tone: "none", text: node.Role };
  return node.IsAlive ? role : { tone: "bad", text: `${role.text}, away` };
}

/** How a group is, in words: the worst first. */
export function groupState(group: GroupHealth): Said {
  const inSync = group.Nodes.filter((node) => node.Role === "Primary" || node.Role === "Member");
  const living = inSync.filter((node) => node.IsAlive).length;
  const primary = group.Nodes.find((node) => node.NodeTag === group.Primary);
  const share = `${living} of ${group.Nodes.length} in sync`;
  if (group.Primary === null) {
    return { tone: "info", text: "no primary yet" };
  }
  if (living < group.MinInSync) {
    return { tone: "bad", text: `no writes: ${share}` };
  }
  if (primary?.IsAlive !== true) {
    return { tone: "bad", text: "the primary is away" };
  }
  if (group.Hindrance !== null) {
    return { tone: "bad", text: `hindered, ${share}` };
  }
  return { tone: living === group.Nodes.length ? "good" : "stale", text: share };
}

/** How a node is, in words. */
export function nodeState(node: NodeHealth): Said {
  return node.Hindrance !== null
    ? { tone: "bad", text: "takes no part" }
    : node.IsAlive
      ? { tone: "good", text: "alive" }
      : { tone: "bad", text: "away" };
}

/** How etcd is as a node finds it, in words. */
export function storeState(store: StoreHealth | null): Said {
  if (store === null) {
    return { tone: "none", text: "not known" };
  }
  if (store.IsFull === true) {
    return { tone: "bad", text: "full" };
  }
  if (store.HasLeader === false) {
    return { tone: "bad", text: "no leader" };
  }
  return store.Problem === null ? { tone: "good", text: "well" } : { tone: "bad", text: "not reached" };
}

/** How far a node is behind, as far as the primary says it. */
export function lagOf(node: GroupNode): string {
  if (node.LagInRecords === null || node.LagSizeInBytes === null) {
    return node.Role === "Primary" ? "" : "not known";
  }
  if (node.LagInRecords === 0) {
    return "nothing";
  }
  const parts = [plural(node.LagInRecords, "record"), formatBytes(node.LagSizeInBytes)];
  if (node.LagInMs !== null && node.LagInMs > 0) {
    parts.push(formatDuration(node.LagInMs));
  }
  return parts.join(" · ");
}

/** A copy under way: what has come, and which part of the whole that is, if the primary says how much there is. */
export function copyOf(
  copied: number | null | undefined,
  whole: number | null | undefined,
): { readonly text: string; readonly share: number | undefined } | undefined {
  if (copied === null || copied === undefined) {
    return undefined;
  }
  if (!whole) {
    return { text: `${formatBytes(copied)} copied`, share: undefined };
  }
  return {
    text: `${formatBytes(copied)} of about ${formatBytes(whole)} copied`,
    share: Math.min(1, copied / whole),
  };
}

/** The group as the node that is asked knows it, with how far the others are as the primary knows that. */
export function withLags(group: GroupHealth, ofPrimary: GroupHealth | undefined): GroupHealth {
  if (ofPrimary === undefined || ofPrimary.Role !== "Primary" || ofPrimary.Epoch < group.Epoch) {
    return group;
  }
  const known = new Map(ofPrimary.Nodes.map((node) => [node.NodeTag, node]));
  return {
    ...group,
    Committed: ofPrimary.Committed,
    Failovers: ofPrimary.Failovers,
    UsedBytes: ofPrimary.UsedBytes,
    Nodes: group.Nodes.map((node) => {
      const seen = known.get(node.NodeTag);
      return seen
        ? {
            ...node,
            LagInRecords: seen.LagInRecords,
            LagSizeInBytes: seen.LagSizeInBytes,
            LagInMs: seen.LagInMs,
            Why: seen.Why ?? node.Why,
          }
        : node;
    }),
  };
}

/** Why another node cannot be made the primary; undefined if it can. */
export function primaryRefusal(group: GroupHealth, node: GroupNode): string | undefined {
  if (node.Role !== "Member") {
    return "It is not in sync: what it lacks would be lost.";
  }
  if (!node.IsAlive) {
    return "It is away.";
  }
  return group.Nodes.some((one) => one.NodeTag === group.Primary && one.IsAlive)
    ? undefined
    : "The primary is away: another node takes over by itself.";
}

/** Why a node cannot be taken out of a group; undefined if it can. */
export function removalRefusal(group: GroupHealth, node: GroupNode): string | undefined {
  if (group.Nodes.length === 1) {
    return "It is the only node that has the database.";
  }
  return node.NodeTag === group.Primary ? "It is the primary: make another node the primary first." : undefined;
}

/** Whether a node may begin anew with what it has: it runs, and those that surely have more do not. */
export function mayBeginAnew(group: GroupHealth, node: GroupNode): boolean {
  const inSync = group.Nodes.filter((one) => one.Role === "Primary" || one.Role === "Member");
  const living = inSync.filter((one) => one.IsAlive).length;
  return node.IsAlive && node.Role !== "Promotable" && inSync.length > 0 && living < group.MinInSync;
}

/** What may be lost when a node begins anew, in a sentence. */
export function lossOf(group: GroupHealth, node: GroupNode): string {
  const others = group.Nodes.filter((one) => one.NodeTag !== node.NodeTag).map((one) => one.NodeTag);
  const from = others.length === 0 ? "other nodes" : listOf(others);
  return node.Role === "Primary" || node.Role === "Member"
    ? `${node.NodeTag} was in sync, so that it should have all that was acknowledged; it cannot know that. What ${from} took later is lost.`
    : `${node.NodeTag} was behind: writes that were acknowledged and that ${from} had are lost.`;
}

/** Words as a list: A, B and C. */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** A list with one of its items moved. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  if (to < 0 || to >= list.length) {
    return list;
  }
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** The numbers of nodes that a new database may have, and the one that is proposed. */
export function factorChoices(health: ClusterHealth | undefined): {
  readonly all: readonly number[];
  readonly proposed: number;
} {
  const living = health?.Nodes.filter((node) => node.IsAlive && node.Hindrance === null).length ?? 0;
  return { all: Array.from({ length: living }, (_, at) => at + 1), proposed: Math.min(3, living) };
}

/** What a number of nodes means for a database, in words. */
export function factorSaid(factor: number): string {
  switch (factor) {
    case 1:
      return "1: what this one machine loses is lost";
    case 2:
      return "2: goes on without one of them, and what is written then is on the other alone";
    default:
      return `${formatCount(factor)}: survives the loss of ${Math.floor((factor - 1) / 2) === 1 ? "one" : formatCount(Math.floor((factor - 1) / 2))} and goes on`;
  }
}
