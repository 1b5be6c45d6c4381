// src/rql/rqlLexer.ts
const NAME_START = /[\p{L}_@]/u;
const NAME = /[\p{L}_@][\p{L}\p{Nd}\p{Mn}\p{Mc}_@$-]*/uy;
const PARAMETER = /\$[\p{L}\p{Nd}\p{Mn}\p{Mc}_@$-]*/uy;
const NUMBER = /-?\d(?:[A-Za-z0-9]|\.(?=\d)|(?<=[eE])[+-])*/y;
const COMPARISON = /<>|[=!<>]=?/y;
/** Reads the token at an offset, which is no blank. */
function rqlTokenAt(text, start) {
	const first = text.charAt(start);
	if (first === "'" || first === "\"") return quoted(text, start, first);
	if (text.startsWith("//", start)) {
		const end = text.indexOf("\n", start);
		return token(text, "comment", start, end < 0 ? text.length : end, true);
	}
	if (text.startsWith("/*", start)) {
		const end = text.indexOf("*/", start + 2);
		return token(text, "comment", start, end < 0 ? text.length : end + 2, end >= 0);
	}
	const kinds = [
		["number", NUMBER],
		["comparison", COMPARISON],
		["parameter", PARAMETER],
		["name", NAME]
	];
	for (const [kind, pattern] of kinds) {
		pattern.lastIndex = start;
		const match = pattern.exec(text);
		if (match) return token(text, kind, start, start + match[0].length, true);
	}
	const length = (text.codePointAt(start) ?? 0) > 65535 ? 2 : 1;
	return token(text, "()[]{},.*".includes(first) ? "sign" : "wrong", start, start + length, true);
}
/**
* Reads all tokens. The body of a declared function and of an update, and an object behind select, are one token of
* kind script each: they are JavaScript.
*/
function rqlTokens(text) {
	const tokens = [];
	let at = 0;
	for (;;) {
		while (at < text.length && isBlank(text.charCodeAt(at))) at++;
		if (at >= text.length) return tokens;
		const next = text.charAt(at) === "{" ? script(text, at) : rqlTokenAt(text, at);
		tokens.push(next);
		at = next.end;
	}
}
/** Whether a character is white space between tokens. */
function isBlank(code) {
	return code <= 32 || code === 160 || code === 65279 || code >= 8192 && code <= 8203 || code === 12288;
}
/** Whether a name can stand in a query without quotes. */
function isPlainName(name) {
	NAME.lastIndex = 0;
	return NAME_START.test(name.charAt(0)) && NAME.exec(name)?.[0].length === name.length;
}
/** A text as RQL writes it. */
function quoteRql(text) {
	return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;
}
/** The query of all documents of a collection, or (without one) of all collections. */
function collectionQuery(collection) {
	return `from ${collection === void 0 ? "@all_docs" : isPlainName(collection) ? collection : quoteRql(collection)}`;
}
function token(text, kind, start, end, isClosed) {
	return {
		kind,
		start,
		end,
		text: text.substring(start, end),
		isClosed
	};
}
function quoted(text, start, quote) {
	for (let at = start + 1; at < text.length; at++) {
		const one = text.charAt(at);
		if (one === "\\") at++;
		else if (one === quote) {
			if (text.charAt(at + 1) !== quote) return token(text, "text", start, at + 1, true);
			at++;
		}
	}
	return token(text, "text", start, text.length, false);
}
/** From a brace to the one that closes it; braces in texts, templates and comments do not count. */
function script(text, start) {
	let depth = 0;
	for (let at = start; at < text.length; at++) {
		const one = text.charAt(at);
		if (one === "'" || one === "\"" || one === "`") at = scriptTextEnd(text, at, one);
		else if (one === "/" && (text.charAt(at + 1) === "/" || text.charAt(at + 1) === "*")) at = rqlTokenAt(text, at).end - 1;
		else {
			depth += one === "{" ? 1 : one === "}" ? -1 : 0;
			if (depth === 0) return token(text, "script", start, at + 1, true);
		}
	}
	return token(text, "script", start, text.length, false);
}
function scriptTextEnd(text, start, quote) {
	for (let at = start + 1; at < text.length; at++) if (text.charAt(at) === "\\") at++;
	else if (text.charAt(at) === quote) return at;
	return text.length;
}

export { collectionQuery, isBlank, isPlainName, quoteRql, rqlTokenAt, rqlTokens };