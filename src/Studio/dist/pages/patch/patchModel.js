import { member, parseJson, printJson, textMember, textOf } from "../../json/jsonTree.js";
import { withoutSystemFields } from "../../json/systemFields.js";
import { rqlTokens } from "../../rql/rqlLexer.js";

// src/pages/patch/patchModel.ts
/** Reads the answer to a patch that was only tried. */
function readTrial(text) {
	const root = parseJson(text, 512);
	const debug = member(root, "Debug");
	const lines = member(debug, "Info") ?? member(debug, "Output");
	return {
		status: textMember(root, "Status") ?? "",
		before: documentText(member(root, "OriginalDocument")),
		after: documentText(member(root, "ModifiedDocument")),
		output: lines?.kind === "array" ? lines.items.map(lineText) : []
	};
}
function documentText(node) {
	return node?.kind === "object" ? printJson(withoutSystemFields(node), 2) : "";
}
function lineText(node) {
	return node.kind === "text" ? textOf(node.raw) : printJson(node, 0);
}
/** Cuts a query that updates into what it finds and its script; undefined if it has no update. */
function updateParts(query) {
	const tokens = rqlTokens(query);
	for (const [at, one] of tokens.entries()) {
		const script = tokens[at + 1];
		if (one.kind === "name" && one.text.toLowerCase() === "update" && script?.kind === "script" && script.isClosed) return {
			find: `${query.slice(0, one.start).trimEnd()}${query.slice(script.end)}`.trim(),
			script: script.text.slice(1, -1).trim(),
			alias: aliasOf(tokens.slice(0, at).map((part) => part.text))
		};
	}
}
function aliasOf(words) {
	const at = words.findIndex((word) => word.toLowerCase() === "as");
	return at < 0 ? void 0 : words[at + 1];
}
/** The script as one that is run on a document: there the document is `this`, and here it also has its alias. */
function trialScript({ script, alias }) {
	return alias === void 0 ? script : `const ${alias} = this;\n${script}`;
}

export { readTrial, trialScript, updateParts };