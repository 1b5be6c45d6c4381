import { JsonError } from "../../json/jsonError.js";

// src/pages/document/editorChecks.ts
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

export { marksOf };