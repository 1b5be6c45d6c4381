import { JsonError } from "../../json/jsonError.js";
import { parseJson } from "../../json/jsonTree.js";

// src/pages/document/editorChecks.ts
/**
* Reads the text of an editor as a document.
* @throws JsonError It is no JSON, or no object.
*/
function readText(text) {
	const node = parseJson(text);
	if (node.kind !== "object") throw new JsonError(text, 0, "A document is an object: it begins with {.");
	return node;
}
/** Where an error is, for the editor. */
function marksOf(error) {
	return error instanceof JsonError ? [{
		from: error.offset,
		to: error.offset + 1,
		severity: "error",
		message: error.reason
	}] : NONE;
}
const NONE = [];

export { marksOf, readText };