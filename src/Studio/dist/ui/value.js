import { Link } from "../app/link.js";
import { documentUrl } from "../app/places.js";
import { member, printJson, textOf } from "../json/jsonTree.js";
import { jsx } from "../vendor/react.js";

// src/ui/value.tsx
/** How much of a value a cell shows, in characters. */
const SHOWN_MAX = 200;
/** An id of another document: a name, a slash and more, without blanks; "Meat/Poultry" is none. */
const REFERENCE = /^(?=\p{Ll}|.*\d)\p{L}[\p{L}\p{N}_-]{0,40}\/[^\s/]{1,100}$/u;
/** A value of a document in a cell; a text that looks like an id is a link. */
function Value({ node, database }) {
	if (!node) return /* @__PURE__ */ jsx("span", {
		className: "absent",
		title: "This document has no such property."
	});
	switch (node.kind) {
		case "text": {
			const text = textOf(node.raw);
			return REFERENCE.test(text) ? /* @__PURE__ */ jsx(Link, {
				href: documentUrl(database, text),
				tabIndex: -1,
				children: text
			}) : /* @__PURE__ */ jsx("span", {
				className: "json-text",
				children: cut(text)
			});
		}
		case "number": return /* @__PURE__ */ jsx("span", {
			className: "json-number",
			children: node.raw
		});
		case "word": return /* @__PURE__ */ jsx("span", {
			className: "json-word",
			children: node.raw
		});
		default: return /* @__PURE__ */ jsx("span", {
			className: "json-whole",
			children: summary(node)
		});
	}
}
function summary(node) {
	for (const [name, one, several] of [[
		"@object",
		"property",
		"properties"
	], [
		"@array",
		"item",
		"items"
	]]) {
		const count = member(node, name);
		if (count?.kind === "number" && node.kind === "object" && node.members.size === 1) return `${name === "@object" ? "{" : "["} ${count.raw} ${count.raw === "1" ? one : several} ${name === "@object" ? "}" : "]"}`;
	}
	return cut(printJson(node, 0));
}
function cut(text) {
	return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

export { Value };