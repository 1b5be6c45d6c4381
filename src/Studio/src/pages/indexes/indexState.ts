import type { IndexStats } from "../../api/types";
import type { Tone } from "../../ui/chip";
import { formatCount } from "../../ui/format";

/** How an index is, in one word, and how far it is behind. */
export interface IndexState {
  readonly tone: Tone;
  readonly word: string;
  /** What puts it into a filter. */
  readonly kind: "ok" | "stale" | "error" | "off";
}

/** The state of an index: what is worst about it. */
export function indexState(stats: IndexStats): IndexState {
  if (stats.State === "Error") {
    return { tone: "bad", word: "faulted", kind: "error" };
  }
  const lag = lagOf(stats);
  const behind = stats.IsStale ? (lag > 0 ? `behind ${formatCount(lag)}` : "behind") : "";
  const off =
    stats.State === "Disabled" || stats.Status === "Disabled"
      ? "disabled"
      : stats.Status === "Paused"
        ? "paused"
        : undefined;
  if (off !== undefined) {
    return { tone: behind === "" ? "none" : "stale", word: behind === "" ? off : `${off}, ${behind}`, kind: "off" };
  }
  if (behind !== "") {
    return { tone: "stale", word: behind, kind: "stale" };
  }
  return { tone: "good", word: "up to date", kind: "ok" };
}

/** How many changes of its collections an index has not covered. */
export function lagOf(stats: IndexStats): number {
  return Object.values(stats.Collections ?? {}).reduce((sum, one) => sum + Math.max(0, one.DocumentLag), 0);
}

/** Since how many milliseconds an index is behind, by the clock of the server's answer. */
export function lagMs(stats: IndexStats, nowMs: number): number | undefined {
  const since = stats.BehindSince ? Date.parse(stats.BehindSince) : Number.NaN;
  return Number.isNaN(since) ? undefined : Math.max(0, nowMs - since);
}

/** Whether an index is of a filter of the list. */
export function isOfFilter(stats: IndexStats, filter: string, text: string): boolean {
  const isNamed = stats.Name.toLowerCase().includes(text.toLowerCase());
  switch (filter) {
    case "stale":
      return isNamed && stats.IsStale;
    case "errors":
      return isNamed && (stats.ErrorsCount > 0 || stats.State === "Error");
    default:
      return isNamed;
  }
}
