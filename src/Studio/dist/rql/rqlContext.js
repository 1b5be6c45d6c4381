import { rqlTokens } from "./rqlLexer.js";

// src/rql/rqlContext.ts
const CLAUSE_WORDS = /* @__PURE__ */ new Set([
	"from",
	"group",
	"where",
	"order",
	"load",
	"filter",
	"filter_limit",
	"select",
	"update",
	"include",
	"limit",
	"offset",
	"declare"
]);
/** Names that stand behind from without being an alias. */
const NO_ALIAS = /* @__PURE__ */ new Set([...CLAUSE_WORDS, "as"]);
/** Reads a query up to a place. */
function rqlContext(text, at) {
	const tokens = rqlTokens(text.slice(0, at));
	const typing = cutTyping(tokens, at);
	const isQuoted = typing.length > 0 && typing[0]?.kind === "text";
	const words = tokens.filter((one) => one.kind !== "comment");
	const state = readClauses(words);
	const last = tokens[tokens.length - 1];
	const isInComment = last?.kind === "comment" && last.end === at && (!last.isClosed || last.text.startsWith("//"));
	const isScript = last?.kind === "script" && !last.isClosed;
	const before = words[words.length - 1];
	const isName = state.clause === "from" && (isWord(before, "from") || isWord(before, "index"));
	return {
		...state,
		before,
		beforeThat: words[words.length - 2],
		typed: typing.map((one) => one.text).join(""),
		from: typing[0]?.start ?? at,
		isOff: isInComment || isScript || isQuoted && !isName,
		isScript
	};
}
/** Takes what is being typed off the tokens: the names and dots of a path that ends at the place, or an open text. */
function cutTyping(tokens, at) {
	const typing = [];
	let end = at;
	for (let last = tokens[tokens.length - 1]; last && last.end === end; last = tokens[tokens.length - 1]) {
		const isOpenText = last.kind === "text" && !last.isClosed && typing.length === 0;
		const isPath = last.kind === "name" || last.kind === "sign" && last.text === ".";
		const isParameter = typing.length === 0 && (last.kind === "parameter" || last.text === "$");
		const isBehindName = typing.length > 0 && typing[0]?.kind === "name" && last.kind === "name";
		if (!(isOpenText || isPath || isParameter) || isBehindName) break;
		typing.unshift(last);
		tokens.pop();
		end = last.start;
		if (isOpenText || isParameter) break;
	}
	return typing;
}
function readClauses(tokens) {
	let clause = "start";
	let source;
	let isIndex = false;
	let alias;
	let depth = 0;
	const declared = [];
	const seen = /* @__PURE__ */ new Set();
	for (let at = 0; at < tokens.length; at++) {
		const one = tokens[at];
		depth += one.kind !== "sign" ? 0 : "([".includes(one.text) ? 1 : ")]".includes(one.text) ? -1 : 0;
		const word = one.kind === "name" ? one.text.toLowerCase() : "";
		const isPart = tokens[at - 1]?.text === "." || tokens[at + 1]?.text === ".";
		if (depth === 0 && CLAUSE_WORDS.has(word) && !isPart && !isSourcePlace(clause, source)) {
			clause = word;
			seen.add(clause);
		} else if (clause === "declare" && isWord(tokens[at - 1], "function") && one.kind === "name") declared.push(one.text);
		else if (clause === "from" && depth === 0) {
			const next = tokens[at + 1];
			if (word === "index" && source === void 0 && (!next || next.kind === "text")) isIndex = true;
			else if (source === void 0 && (one.kind === "name" || one.kind === "text")) source = one.kind === "text" ? unquote(one.text) : one.text;
			else if (one.kind === "name" && !NO_ALIAS.has(word)) alias = one.text;
		}
	}
	return {
		clause,
		source,
		isIndex,
		alias,
		declared,
		seen
	};
}
/** Behind from a collection may be called as a clause is: from Order. */
function isSourcePlace(clause, source) {
	return clause === "from" && source === void 0;
}
/** Whether a token is a word, in any case. */
function isWord(one, word) {
	return one?.kind === "name" && one.text.toLowerCase() === word;
}
/** What a text in quotes says; its end may be missing. */
function unquote(text) {
	const quote = text.charAt(0);
	const isClosed = text.length > 1 && text.endsWith(quote);
	return text.slice(1, isClosed ? -1 : void 0).replaceAll(quote + quote, quote).replace(/\\(.)/gs, "$1");
}

export { isWord, rqlContext, unquote };