import { formatBytes, formatCount } from "../../ui/format.js";

// src/pages/operations/operationModel.ts
/** Whether an operation still runs. */
function isRunning(state) {
	return state.Status === "InProgress";
}
/** What an operation is, as far as its figures tell: the server names no kinds. */
function operationKind(state) {
	const figures = {
		...state.Progress,
		...state.Result
	};
	if ("RevisionDocuments" in figures) return {
		name: "Import or export",
		unit: "items"
	};
	if ("Files" in figures) return {
		name: "Restore or verification",
		unit: "bytes"
	};
	if ("Messages" in figures) return {
		name: "Backup",
		unit: "bytes"
	};
	if ("BatchCount" in figures) return {
		name: "Bulk insert",
		unit: "documents"
	};
	return {
		name: "Operation",
		unit: "steps"
	};
}
/** How far an operation is: its share from 0 to 1, undefined while nobody knows how much there is. */
function operationShare(state) {
	const done = state.Progress?.Processed ?? 0;
	const total = state.Progress?.Total ?? 0;
	if (!isRunning(state)) return state.Status === "Completed" ? 1 : total > 0 ? Math.min(1, done / total) : void 0;
	return total > done ? done / total : void 0;
}
/** How far an operation is, in words. */
function progressText(state, unit) {
	const done = state.Progress?.Processed ?? 0;
	const total = state.Progress?.Total ?? 0;
	const format = unit === "bytes" ? formatBytes : formatCount;
	const what = unit === "documents" || unit === "items" ? ` ${unit}` : "";
	return total > done ? `${format(done)} of ${format(total)}${what}` : `${format(done)}${what}`;
}
/** What an operation ended with, in one line. */
function outcomeText(state) {
	return state.Result?.Message ?? state.Result?.Error ?? "";
}
/** How the state of an operation is shown. */
function operationTone(status) {
	switch (status) {
		case "InProgress": return {
			tone: "info",
			word: "running"
		};
		case "Completed": return {
			tone: "good",
			word: "completed"
		};
		case "Canceled": return {
			tone: "none",
			word: "canceled"
		};
		default: return {
			tone: "bad",
			word: status.toLowerCase()
		};
	}
}

export { isRunning, operationKind, operationShare, operationTone, outcomeText, progressText };