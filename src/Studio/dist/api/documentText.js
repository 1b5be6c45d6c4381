import { member, parseJson, textMember } from "../json/jsonTree.js";
import { runJob } from "../json/jsonWork.js";
import { ServerError, databasePath, send } from "./http.js";

// src/api/documentText.ts
/** Reads a document as a text for an editor; undefined if there is none. */
async function readDocumentText(database, id, signal) {
	const answer = await ask(database, { id }, signal);
	return answer === void 0 ? void 0 : await runJob("open", answer) ?? void 0;
}
/** Reads the change vector of a document and nothing else of it; undefined if there is none. */
async function readVersion(database, id) {
	const answer = await ask(database, {
		id,
		metadataOnly: true
	});
	const results = answer === void 0 ? void 0 : member(parseJson(answer, 512), "Results");
	const first = results?.kind === "array" ? results.items[0] : void 0;
	return textMember(member(first, "@metadata"), "@change-vector");
}
async function ask(database, query, signal) {
	try {
		return (await send("GET", databasePath(database, "docs"), {
			query,
			...signal ? { signal } : {}
		})).text;
	} catch (error) {
		if (error instanceof ServerError && error.status === 404 && !error.isDatabaseMissing) return;
		throw error;
	}
}

export { readDocumentText, readVersion };