import { completeRql, matchOptions } from "../rql/rqlCompletion.js";
import { rqlContext } from "../rql/rqlContext.js";
import { rqlTokenAt } from "../rql/rqlLexer.js";
import { KEYWORDS } from "../rql/rqlWords.js";
import { StreamLanguage, autocompletion } from "./codemirror.js";

// src/editor/rqlLanguage.ts
const language = StreamLanguage.define({
	name: "rql",
	startState: () => ({
		open: "",
		braces: 0
	}),
	token(stream, state) {
		if (state.open !== "") return goOn(stream, state);
		if (stream.eatSpace()) return null;
		const token = rqlTokenAt(stream.string, stream.pos);
		stream.pos = token.end;
		if (!token.isClosed) state.open = token.kind === "comment" ? "/*" : token.text.startsWith("\"") ? "\"" : "'";
		switch (token.kind) {
			case "comment": return "comment";
			case "text": return "string";
			case "number": return "number";
			case "parameter": return "variableName.special";
			case "comparison": return "operator";
			case "name": return state.braces > 0 && SCRIPT_WORDS.has(token.text) ? "keyword" : nameStyle(token.text, stream.string, token.end, state.braces === 0);
			case "sign":
				state.braces = Math.max(0, state.braces + (token.text === "{" ? 1 : token.text === "}" ? -1 : 0));
				return null;
			case "wrong": return state.braces > 0 ? null : "invalid";
			default: return null;
		}
	},
	languageData: {
		commentTokens: {
			line: "//",
			block: {
				open: "/*",
				close: "*/"
			}
		},
		closeBrackets: { brackets: [
			"(",
			"[",
			"{",
			"'",
			"\""
		] }
	}
});
function goOn(stream, state) {
	const kind = state.open === "/*" ? "comment" : "string";
	const end = stream.string.indexOf(state.open === "/*" ? "*/" : state.open, stream.pos);
	if (end < 0) stream.skipToEnd();
	else {
		stream.pos = end + (state.open === "/*" ? 2 : 1);
		state.open = "";
	}
	return kind;
}
/** The words of JavaScript that scripts of queries have most. */
const SCRIPT_WORDS = new Set("break case const continue delete do else for function if in let new of return switch this typeof var while".split(" "));
function nameStyle(name, line, end, isRql) {
	const lower = name.toLowerCase();
	if (lower === "true" || lower === "false" || lower === "null") return "atom";
	return /^\s*\(/.test(line.slice(end)) && lower !== "in" && lower !== "and" && lower !== "or" && lower !== "not" ? "variableName.function" : isRql && KEYWORDS.has(lower) ? "keyword" : "variableName";
}
/** How often and how long a completion waits for fields: ten seconds of a slow server. */
const WAITS = 200;
const WAIT_MS = 50;
const TYPES = {
	collection: "class",
	index: "namespace",
	field: "property",
	function: "function",
	parameter: "variable",
	keyword: "keyword"
};
/** RQL, with completion from what is known of a database at the moment. */
function rqlLanguage(schema) {
	const complete = async (context) => {
		const text = context.state.doc.toString();
		const { source } = rqlContext(text, context.pos);
		for (let turn = 0; turn < WAITS && source !== void 0 && schema().settled !== source && !context.aborted; turn++) await new Promise((resume) => setTimeout(resume, WAIT_MS));
		const found = completeRql(text, context.pos, schema());
		if (!found || !context.explicit && found.from === context.pos && !/[\s$(,]$/.test(text.slice(0, context.pos))) return null;
		const matched = matchOptions(found, text.slice(found.from, context.pos));
		return {
			from: found.from,
			filter: false,
			options: matched.slice(0, 200).map((option) => ({
				label: option.label,
				type: TYPES[option.kind],
				...option.apply === void 0 ? {} : { apply: option.apply },
				...option.detail ? { detail: option.detail } : {}
			}))
		};
	};
	return [language, autocompletion({
		override: [complete],
		icons: false,
		maxRenderedOptions: 14
	})];
}

export { rqlLanguage };