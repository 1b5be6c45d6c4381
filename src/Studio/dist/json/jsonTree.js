import { JsonError } from "./jsonError.js";
import { JsonScanner, Token } from "./jsonScanner.js";

// src/json/jsonTree.ts
/**
* Reads a JSON text as a tree.
* @throws JsonError The text is no JSON, nests too deep, or an object has a name twice, which the server refuses.
*/
function parseJson(text, depthMax = 128) {
	const scanner = new JsonScanner(text, depthMax);
	const open = [];
	let root;
	for (let kind = scanner.next(); kind !== Token.End; kind = scanner.next()) {
		const top = open[open.length - 1];
		let node;
		switch (kind) {
			case Token.Name: {
				const name = textOf(scanner.slice);
				if (top?.members?.has(name)) throw new JsonError(text, scanner.start, `The object has a property ${scanner.slice} already.`);
				if (top) top.name = name;
				continue;
			}
			case Token.ObjectEnd:
			case Token.ArrayEnd:
				open.pop();
				continue;
			case Token.ObjectStart:
				node = {
					kind: "object",
					members: /* @__PURE__ */ new Map()
				};
				break;
			case Token.ArrayStart:
				node = {
					kind: "array",
					items: []
				};
				break;
			default: node = {
				kind: kind === Token.Text ? "text" : kind === Token.Number ? "number" : "word",
				raw: scanner.slice
			};
		}
		if (top?.members) top.members.set(top.name, node);
		else if (top?.items) top.items.push(node);
		else root = node;
		if (node.kind === "object") open.push({
			members: node.members,
			name: ""
		});
		else if (node.kind === "array") open.push({
			items: node.items,
			name: ""
		});
	}
	if (!root) throw new JsonError(text, text.length, "The text ends too early.");
	return root;
}
/** Writes a tree. */
function printJson(node, indent = 2) {
	const pieces = [];
	print(node, indent, indent > 0 ? "\n" : "", pieces);
	return pieces.join("");
}
function print(node, indent, line, pieces) {
	if (node.kind !== "object" && node.kind !== "array") {
		pieces.push(node.raw);
		return;
	}
	const inner = indent > 0 ? line + " ".repeat(indent) : "";
	const isObject = node.kind === "object";
	let isFirst = true;
	pieces.push(isObject ? "{" : "[");
	for (const [name, value] of isObject ? node.members : node.items.entries()) {
		pieces.push(isFirst ? inner : `,${inner}`);
		isFirst = false;
		if (isObject) pieces.push(JSON.stringify(name), indent > 0 ? ": " : ":");
		print(value, indent, inner, pieces);
	}
	pieces.push(isFirst ? "" : line, isObject ? "}" : "]");
}
/** Whether two values are the same: numbers digit by digit, texts by what they say, objects in any order. */
function isSame(a, b) {
	if (a === b) return true;
	if (!a || !b || a.kind !== b.kind) return false;
	if (a.kind === "object" && b.kind === "object") return a.members.size === b.members.size && [...a.members].every(([name, value]) => isSame(value, b.members.get(name)));
	if (a.kind === "array" && b.kind === "array") return a.items.length === b.items.length && a.items.every((item, at) => isSame(item, b.items[at]));
	const left = a;
	const right = b;
	return left.raw === right.raw || left.kind === "text" && textOf(left.raw) === textOf(right.raw);
}
/** What a text in quotes says. */
function textOf(raw) {
	return raw.includes("\\") ? JSON.parse(raw) : raw.slice(1, -1);
}
/** The value of a property, if the node is an object that has it. */
function member(node, name) {
	return node?.kind === "object" ? node.members.get(name) : void 0;
}
/** What a property says, if it is a text. */
function textMember(node, name) {
	const value = member(node, name);
	return value?.kind === "text" ? textOf(value.raw) : void 0;
}
/**
* Reads a text as a document.
* @throws JsonError It is no JSON, or no object, or has half of a character, which the server refuses.
*/
function parseDocument(text) {
	const node = parseJson(text);
	refuseHalves(text);
	if (node.kind !== "object") throw new JsonError(text, 0, "A document is an object: it begins with {.");
	return node;
}
/** Characters beyond the first 65,536 take two code units or escapes: one without the other has no UTF-8. */
function refuseHalves(text) {
	const lone = text.search(/\p{Surrogate}/u);
	if (lone >= 0) throw new JsonError(text, lone, "Half of a character stands here.");
	if (!/\\u[dD][89a-fA-F]/.test(text)) return;
	const scanner = new JsonScanner(text);
	for (let kind = scanner.next(); kind !== Token.End; kind = scanner.next()) if (kind === Token.Name || kind === Token.Text) {
		for (const found of scanner.slice.matchAll(ESCAPES)) if (found.groups?.half) throw new JsonError(text, scanner.start + found.index, "This escape is half of a character.");
	}
}
/** Both halves, one of them, or another escape. */
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(?<half>u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

export { isSame, member, parseDocument, parseJson, printJson, textMember, textOf };