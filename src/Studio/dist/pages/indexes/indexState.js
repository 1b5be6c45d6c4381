import { formatCount } from "../../ui/format.js";

// src/pages/indexes/indexState.ts
/** The state of an index: what is worst about it. */
function indexState(stats) {
	if (stats.State === "Error") return {
		tone: "bad",
		word: "faulted",
		kind: "error"
	};
	const lag = lagOf(stats);
	const behind = stats.IsStale ? lag > 0 ? `behind ${formatCount(lag)}` : "behind" : "";
	const off = stats.State === "Disabled" || stats.Status === "Disabled" ? "disabled" : stats.Status === "Paused" ? "paused" : void 0;
	if (off !== void 0) return {
		tone: behind === "" ? "none" : "stale",
		word: behind === "" ? off : `${off}, ${behind}`,
		kind: "off"
	};
	if (behind !== "") return {
		tone: "stale",
		word: behind,
		kind: "stale"
	};
	return {
		tone: "good",
		word: "up to date",
		kind: "ok"
	};
}
/** How many changes of its collections an index has not covered. */
function lagOf(stats) {
	return Object.values(stats.Collections ?? {}).reduce((sum, one) => sum + Math.max(0, one.DocumentLag), 0);
}
/** Since how many milliseconds an index is behind, by the clock of the server's answer. */
function lagMs(stats, nowMs) {
	const since = stats.BehindSince ? Date.parse(stats.BehindSince) : NaN;
	return Number.isNaN(since) ? void 0 : Math.max(0, nowMs - since);
}
/** Whether an index is of a filter of the list. */
function isOfFilter(stats, filter, text) {
	const isNamed = stats.Name.toLowerCase().includes(text.toLowerCase());
	switch (filter) {
		case "stale": return isNamed && stats.IsStale;
		case "errors": return isNamed && (stats.ErrorsCount > 0 || stats.State === "Error");
		default: return isNamed;
	}
}

export { indexState, isOfFilter, lagMs, lagOf };