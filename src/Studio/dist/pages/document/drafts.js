import { readLocal, writeLocal } from "../../app/storage.js";

// src/pages/document/drafts.ts
/** A longer draft is not kept: browsers give a page some 5 MB. */
const DRAFT_MAX = 1e6;
function keyOf(database, id) {
	return `draft.${database}\n${id}`;
}
/** The draft of a document in this browser. */
function readDraft(database, id) {
	const kept = readLocal(keyOf(database, id));
	if (kept === void 0) return;
	try {
		const draft = JSON.parse(kept);
		return [
			draft.text,
			draft.changeVector,
			draft.base,
			draft.at
		].every((part) => typeof part === "string") ? draft : void 0;
	} catch {
		return;
	}
}
/** Keeps a draft, or forgets it. Gives whether it is kept. */
function keepDraft(database, id, draft) {
	if (draft && draft.text.length + draft.base.length > 1e6) return false;
	return writeLocal(keyOf(database, id), draft && JSON.stringify(draft));
}

export { DRAFT_MAX, keepDraft, readDraft };