import type { Tone } from "../../ui/chip";
import { formatBytes, formatCount } from "../../ui/format";

/** What an operation says of itself while it runs and at its end; kinds of operations have more members. */
export interface OperationFigures {
  readonly Processed?: number;
  readonly Total?: number;
  readonly Message?: string;
  readonly Error?: string;
  readonly Type?: string;
  readonly [name: string]: unknown;
}

/** GET operations/state */
export interface OperationState {
  readonly Status: "InProgress" | "Completed" | "Canceled" | "Faulted" | string;
  readonly Progress: OperationFigures | null;
  readonly Result: OperationFigures | null;
}

/** An operation of the list. */
export interface OperationRow {
  readonly Id: number;
  readonly Database: string;
  readonly StartTime: string;
  readonly State: OperationState;
}

/** What an operation counts. */
export type OperationUnit = "bytes" | "documents" | "items" | "steps";

/** Whether an operation still runs. */
export function isRunning(state: OperationState): boolean {
  return state.Status === "InProgress";
}

/** What an operation is, as far as its figures tell: the server names no kinds. */
export function operationKind(state: OperationState): { name: string; unit: OperationUnit } {
  const figures = { ...state.Progress, ...state.Result };
  if ("RevisionDocuments" in figures) {
    return { name: "Import or export", unit: "items" };
  }
  if ("Files" in figures) {
    return { name: "Restore or verification", unit: "bytes" };
  }
  if ("Messages" in figures) {
    return { name: "Backup", unit: "bytes" };
  }
  if ("BatchCount" in figures) {
    return { name: "Bulk insert", unit: "documents" };
  }
  return { name: "Operation", unit: "steps" };
}

/** How far an operation is: its share from 0 to 1, undefined while nobody knows how much there is. */
export function operationShare(state: OperationState): number | undefined {
  const done = state.Progress?.Processed ?? 0;
  const total = state.Progress?.Total ?? 0;
  if (!isRunning(state)) {
    return state.Status === "Completed" ? 1 : total > 0 ? Math.min(1, done / total) : undefined;
  }
  // An operation that does not know its end says that its total is what it has done.
  return total > done ? done / total : undefined;
}

/** How far an operation is, in words. */
export function progressText(state: OperationState, unit: OperationUnit): string {
  const done = state.Progress?.Processed ?? 0;
  const total = state.Progress?.Total ?? 0;
  const format = unit === "bytes" ? formatBytes : formatCount;
  const what = unit === "documents" || unit === "items" ? ` ${unit}` : "";
  return total > done ? `${format(done)} of ${format(total)}${what}` : `${format(done)}${what}`;
}

/** What an operation ended with, in one line. */
export function outcomeText(state: OperationState): string {
  return state.Result?.Message ?? state.Result?.Error ?? "";
}

/** How the state of an operation is shown. */
export function operationTone(status: string): { tone: Tone; word: string } {
  switch (status) {
    case "InProgress":
      return { tone: "info", word: "running" };
    case "Completed":
      return { tone: "good", word: "completed" };
    case "Canceled":
      return { tone: "none", word: "canceled" };
    default:
      return { tone: "bad", word: status.toLowerCase() };
  }
}
