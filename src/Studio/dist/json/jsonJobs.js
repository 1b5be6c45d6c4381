import { formatJson } from "./jsonFormat.js";
import { mergeJson, pathText } from "./jsonMerge.js";
import { member, parseDocument, parseJson, printJson, textMember, textOf } from "./jsonTree.js";
import { diffLines } from "./lineDiff.js";
import { withoutSystemFields } from "./systemFields.js";

// src/json/jsonJobs.ts
/** Answers nest documents deeper than those may. */
const ANSWER_DEPTH = 512;
const BLOB_LENGTH = 1e6;
/** How much of a side of a conflict is shown, in characters. */
const SIDE_MAX = 1e5;
/** What is left of a row of a long answer: so many properties, and so many characters of a text. */
const SHRUNK_MEMBERS = 1e3;
const SHRUNK_TEXT = 1e3;
const merges = /* @__PURE__ */ new Map();
/** Each job by its name. */
const JSON_JOBS = {
	/** The first document of an answer with `Results`; null if there is none. */
	open(answer) {
		const results = member(parseJson(answer, ANSWER_DEPTH), "Results");
		const node = results?.kind === "array" ? results.items.find((item) => item.kind === "object") : void 0;
		if (!node) return null;
		const metadata = member(node, "@metadata");
		return {
			id: textMember(metadata, "@id") ?? "",
			collection: textMember(metadata, "@collection"),
			changeVector: textMember(metadata, "@change-vector") ?? "",
			lastModified: textMember(metadata, "@last-modified"),
			text: printJson(withoutSystemFields(node), 2)
		};
	},
	/** Lays a text out; answers nest deeper than documents. */
	format: (text, isAnswer = false) => formatJson(text, isAnswer ? { depthMax: ANSWER_DEPTH } : {}),
	/** An answer with `Results` for a list: of what stands inside of a value only the count is left, of a long text its begin. */
	shrink(answer) {
		const root = parseJson(answer, ANSWER_DEPTH);
		if (root.kind !== "object") return answer;
		const members = [...root.members].map(([name, value]) => [name, name === "Results" && value.kind === "array" ? {
			kind: "array",
			items: value.items.map(shrinkRow)
		} : name === "Includes" ? shrinkRow(value) : value]);
		return printJson({
			kind: "object",
			members: new Map(members)
		}, 0);
	},
	/** Fails if a text is no document; gives it as it is to be sent. A long one as a blob: the page then copies nothing. */
	pack(text) {
		parseDocument(text);
		return text.length < BLOB_LENGTH ? text : new Blob([text], { type: "application/json" });
	},
	/** What went and what came between two texts. */
	diff: diffLines,
	/** Merges, and keeps the merge under a number until `endMerge`. */
	merge(key, base, theirs, mine) {
		const merge = mergeJson(parseDocument(base), parseDocument(theirs), parseDocument(mine));
		merges.set(key, merge);
		return {
			fromTheirs: merge.fromTheirs,
			fromMine: merge.fromMine,
			conflicts: merge.conflicts.map((one) => ({
				path: pathText(one.path),
				base: sideText(one.base),
				theirs: sideText(one.theirs),
				mine: sideText(one.mine)
			}))
		};
	},
	/** The text that a merge comes to with these choices. */
	resolve(key, choices) {
		const node = merges.get(key)?.resolve(choices);
		if (!node) throw new Error("This merge is over.");
		return printJson(node, 2);
	},
	endMerge(key) {
		merges.delete(key);
		return null;
	}
};
function shrinkRow(row) {
	if (row.kind !== "object") return shrinkValue(row);
	const members = [...row.members].slice(0, SHRUNK_MEMBERS);
	const metadata = row.members.get("@metadata");
	return {
		kind: "object",
		members: new Map([...members.map(([name, value]) => [name, shrinkValue(value)]), ...metadata ? [["@metadata", metadata]] : []])
	};
}
function shrinkValue(value) {
	switch (value.kind) {
		case "object": return countOf("@object", value.members.size);
		case "array": return countOf("@array", value.items.length);
		case "text": {
			const text = value.raw.length > SHRUNK_TEXT ? textOf(value.raw) : "";
			return text.length > SHRUNK_TEXT ? {
				kind: "text",
				raw: JSON.stringify(`${text.slice(0, SHRUNK_TEXT)}…`)
			} : value;
		}
		default: return value;
	}
}
/** As the server writes it in its own lists. */
function countOf(name, count) {
	return {
		kind: "object",
		members: /* @__PURE__ */ new Map([[name, {
			kind: "number",
			raw: String(count)
		}]])
	};
}
function sideText(node) {
	const text = node && printJson(node, 2);
	return text && text.length > SIDE_MAX ? `${text.slice(0, SIDE_MAX)}…` : text;
}

export { JSON_JOBS };