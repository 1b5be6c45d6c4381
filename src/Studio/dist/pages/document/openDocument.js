import { readDocumentText } from "../../api/documentText.js";
import { linesOf } from "../../editor/longText.js";

// src/pages/document/openDocument.ts
/** Reads a document for an editor; undefined if there is none. */
async function openDocument(database, id, signal) {
	const read = await readDocumentText(database, id, signal);
	if (!read) return;
	const { text, ...rest } = read;
	return {
		...rest,
		lines: await linesOf(text)
	};
}

export { openDocument };