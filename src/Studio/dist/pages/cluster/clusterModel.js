import { formatBytes, formatCount, formatDuration, plural } from "../../ui/format.js";

// src/pages/cluster/clusterModel.ts
const ROLES = {
	Primary: {
		tone: "good",
		text: "primary"
	},
	Member: {
		tone: "good",
		text: "in sync"
	},
	Rehab: {
		tone: "stale",
		text: "catching up"
	},
	Promotable: {
		tone: "info",
		text: "first copy"
	},
	None: {
		tone: "none",
		text: "no part"
	}
};
/** What a node is in a group, in words. One that is away is that first of all. */
function roleOf(node) {
	const role = ROLES[node.Role] ?? {
		tone: "none",
		text: node.Role
	};
	return node.IsAlive ? role : {
		tone: "bad",
		text: `${role.text}, away`
	};
}
/** How a group is, in words: the worst first. */
function groupState(group) {
	const living = group.Nodes.filter((node) => node.Role === "Primary" || node.Role === "Member").filter((node) => node.IsAlive).length;
	const primary = group.Nodes.find((node) => node.NodeTag === group.Primary);
	const share = `${living} of ${group.Nodes.length} in sync`;
	if (group.Primary === null) return {
		tone: "info",
		text: "no primary yet"
	};
	if (living < group.MinInSync) return {
		tone: "bad",
		text: `no writes: ${share}`
	};
	if (primary?.IsAlive !== true) return {
		tone: "bad",
		text: "the primary is away"
	};
	if (group.Hindrance !== null) return {
		tone: "bad",
		text: `hindered, ${share}`
	};
	return {
		tone: living === group.Nodes.length ? "good" : "stale",
		text: share
	};
}
/** How a node is, in words. */
function nodeState(node) {
	return node.Hindrance !== null ? {
		tone: "bad",
		text: "takes no part"
	} : node.IsAlive ? {
		tone: "good",
		text: "alive"
	} : {
		tone: "bad",
		text: "away"
	};
}
/** How etcd is as a node finds it, in words. */
function storeState(store) {
	if (store === null) return {
		tone: "none",
		text: "not known"
	};
	if (store.IsFull === true) return {
		tone: "bad",
		text: "full"
	};
	if (store.HasLeader === false) return {
		tone: "bad",
		text: "no leader"
	};
	return store.Problem === null ? {
		tone: "good",
		text: "well"
	} : {
		tone: "bad",
		text: "not reached"
	};
}
/** How far a node is behind, as far as the primary says it. */
function lagOf(node) {
	if (node.LagInRecords === null || node.LagSizeInBytes === null) return node.Role === "Primary" ? "" : "not known";
	if (node.LagInRecords === 0) return "nothing";
	const parts = [plural(node.LagInRecords, "record"), formatBytes(node.LagSizeInBytes)];
	if (node.LagInMs !== null && node.LagInMs > 0) parts.push(formatDuration(node.LagInMs));
	return parts.join(" · ");
}
/** A copy under way: what has come, and which part of the whole that is, if the primary says how much there is. */
function copyOf(copied, whole) {
	if (copied === null || copied === void 0) return;
	if (!whole) return {
		text: `${formatBytes(copied)} copied`,
		share: void 0
	};
	return {
		text: `${formatBytes(copied)} of about ${formatBytes(whole)} copied`,
		share: Math.min(1, copied / whole)
	};
}
/** The group as the node that is asked knows it, with how far the others are as the primary knows that. */
function withLags(group, ofPrimary) {
	if (ofPrimary === void 0 || ofPrimary.Role !== "Primary" || ofPrimary.Epoch < group.Epoch) return group;
	const known = new Map(ofPrimary.Nodes.map((node) => [node.NodeTag, node]));
	return {
		...group,
		Committed: ofPrimary.Committed,
		Failovers: ofPrimary.Failovers,
		UsedBytes: ofPrimary.UsedBytes,
		Nodes: group.Nodes.map((node) => {
			const seen = known.get(node.NodeTag);
			return seen ? {
				...node,
				LagInRecords: seen.LagInRecords,
				LagSizeInBytes: seen.LagSizeInBytes,
				LagInMs: seen.LagInMs,
				Why: seen.Why ?? node.Why
			} : node;
		})
	};
}
/** Why another node cannot be made the primary; undefined if it can. */
function primaryRefusal(group, node) {
	if (node.Role !== "Member") return "It is not in sync: what it lacks would be lost.";
	if (!node.IsAlive) return "It is away.";
	return group.Nodes.some((one) => one.NodeTag === group.Primary && one.IsAlive) ? void 0 : "The primary is away: another node takes over by itself.";
}
/** Why a node cannot be taken out of a group; undefined if it can. */
function removalRefusal(group, node) {
	if (group.Nodes.length === 1) return "It is the only node that has the database.";
	return node.NodeTag === group.Primary ? "It is the primary: make another node the primary first." : void 0;
}
/** Whether a node may begin anew with what it has: it runs, and those that surely have more do not. */
function mayBeginAnew(group, node) {
	const inSync = group.Nodes.filter((one) => one.Role === "Primary" || one.Role === "Member");
	const living = inSync.filter((one) => one.IsAlive).length;
	return node.IsAlive && node.Role !== "Promotable" && inSync.length > 0 && living < group.MinInSync;
}
/** What may be lost when a node begins anew, in a sentence. */
function lossOf(group, node) {
	const others = group.Nodes.filter((one) => one.NodeTag !== node.NodeTag).map((one) => one.NodeTag);
	const from = others.length === 0 ? "other nodes" : listOf(others);
	return node.Role === "Primary" || node.Role === "Member" ? `${node.NodeTag} was in sync, so that it should have all that was acknowledged; it cannot know that. What ${from} took later is lost.` : `${node.NodeTag} was behind: writes that were acknowledged and that ${from} had are lost.`;
}
/** Words as a list: A, B and C. */
function listOf(words) {
	return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
/** A list with one of its items moved. */
function moved(list, from, to) {
	if (to < 0 || to >= list.length) return list;
	const next = [...list];
	next.splice(to, 0, ...next.splice(from, 1));
	return next;
}
/** The numbers of nodes that a new database may have, and the one that is proposed. */
function factorChoices(health) {
	const living = health?.Nodes.filter((node) => node.IsAlive && node.Hindrance === null).length ?? 0;
	return {
		all: Array.from({ length: living }, (_, at) => at + 1),
		proposed: Math.min(3, living)
	};
}
/** What a number of nodes means for a database, in words. */
function factorSaid(factor) {
	switch (factor) {
		case 1: return "1: what this one machine loses is lost";
		case 2: return "2: goes on without one of them, and what is written then is on the other alone";
		default: return `${formatCount(factor)}: survives the loss of ${Math.floor((factor - 1) / 2) === 1 ? "one" : formatCount(Math.floor((factor - 1) / 2))} and goes on`;
	}
}

export { copyOf, factorChoices, factorSaid, groupState, lagOf, listOf, lossOf, mayBeginAnew, moved, nodeState, primaryRefusal, removalRefusal, roleOf, storeState, withLags };