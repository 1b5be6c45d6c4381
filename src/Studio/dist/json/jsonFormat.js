import { JsonScanner, Token } from "./jsonScanner.js";

// src/json/jsonFormat.ts
/**
* Lays a JSON text out anew. Names, texts and numbers stay as they stand, character by character; only the white space
* between them changes.
* @throws JsonError The text is no JSON, or nests too deep.
*/
function formatJson(text, options = {}) {
	const indent = options.indent ?? 2;
	const depthMax = options.depthMax ?? 128;
	const scanner = new JsonScanner(text, depthMax);
	const lines = [];
	if (indent > 0) for (let depth = 0, blanks = "\n"; depth <= depthMax; depth++, blanks += " ".repeat(indent)) lines.push(blanks);
	const colon = indent > 0 ? ": " : ":";
	const pieces = [];
	let isFirst = true;
	let isMember = false;
	for (let kind = scanner.next(); kind !== Token.End; kind = scanner.next()) {
		if (kind === Token.ObjectEnd || kind === Token.ArrayEnd) {
			if (!isFirst) pieces.push(lines[scanner.depth] ?? "");
			pieces.push(kind === Token.ObjectEnd ? "}" : "]");
			isFirst = false;
			continue;
		}
		const isOpen = kind === Token.ObjectStart || kind === Token.ArrayStart;
		const depth = isOpen ? scanner.depth - 1 : scanner.depth;
		if (!isMember && depth > 0) {
			if (!isFirst) pieces.push(",");
			pieces.push(lines[depth] ?? "");
		}
		pieces.push(scanner.slice);
		isMember = kind === Token.Name;
		if (isMember) pieces.push(colon);
		isFirst = isOpen;
	}
	return pieces.join("");
}

export { formatJson };