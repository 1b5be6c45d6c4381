import { localKeys, readLocal, writeLocal } from "../../app/storage.js";

// src/pages/document/drafts.ts
/** A longer draft is not kept: browsers give a page some 5 MB. */
const DRAFT_MAX = 1e6;
const thisPage = Math.random().toString(36).slice(2);
function keyOf(database, id, page) {
	return `draft.${database}\n${id}\n${page}`;
}
/** The drafts of a document in this browser, the last one first. */
function readDrafts(database, id) {
	const prefix = keyOf(database, id, "");
	return localKeys(prefix).map((key) => parse(readLocal(key), key.slice(prefix.length))).filter((draft) => draft !== void 0).sort((a, b) => a.at < b.at ? 1 : -1);
}
function parse(kept, page) {
	if (kept === void 0) return;
	try {
		const draft = JSON.parse(kept);
		return [
			draft.text,
			draft.changeVector,
			draft.base,
			draft.at
		].every((part) => typeof part === "string") ? {
			...draft,
			page
		} : void 0;
	} catch {
		return;
	}
}
/** Keeps the draft of this page, or forgets it. Gives whether it is kept. */
function keepDraft(database, id, draft) {
	if (draft && draft.text.length + draft.base.length > 1e6) return false;
	return writeLocal(keyOf(database, id, thisPage), draft && JSON.stringify(draft));
}
/** Forgets a draft. */
function dropDraft(database, id, page) {
	writeLocal(keyOf(database, id, page), void 0);
}

export { DRAFT_MAX, dropDraft, keepDraft, readDrafts };