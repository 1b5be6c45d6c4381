import { numberMember } from "../../api/documents.js";
import { JsonError } from "../../json/jsonError.js";
import { member, parseJson, printJson, textMember } from "../../json/jsonTree.js";
import { rqlTokens } from "../../rql/rqlLexer.js";

// src/pages/query/queryModel.ts
/** Results of a request. */
const PAGE_SIZE = 100;
/** Reads the answer of a query. */
function readResult(text) {
	const root = parseJson(text, 512);
	const results = member(root, "Results");
	const stale = member(root, "IsStale");
	const timings = member(root, "Timings");
	return {
		rows: results?.kind === "array" ? results.items : [],
		total: numberMember(root, "TotalResults") ?? 0,
		indexName: textMember(root, "IndexName"),
		isStale: stale?.kind === "word" && stale.raw === "true",
		durationMs: numberMember(root, "DurationInMs"),
		timings: timings?.kind === "object" ? readTiming("All", timings) : void 0,
		includes: member(root, "Includes"),
		raw: text
	};
}
function readTiming(name, node) {
	const parts = member(node, "Timings");
	const micros = numberMember(node, "DurationInMicroseconds");
	return {
		name,
		ms: micros === void 0 ? numberMember(node, "DurationInMs") ?? 0 : micros / 1e3,
		parts: parts?.kind === "object" ? [...parts.members].map(([part, value]) => readTiming(part, value)) : []
	};
}
/** The bars of a flame. Parts stand one behind the other; if they sum up to more than their whole, they are scaled to it. */
function flameBars(root) {
	const bars = [];
	const add = (timing, depth, start, length) => {
		bars.push({
			name: timing.name,
			ms: timing.ms,
			depth,
			start,
			length
		});
		const whole = Math.max(timing.ms, timing.parts.reduce((sum, part) => sum + part.ms, 0));
		let at = start;
		for (const part of timing.parts) {
			const share = whole === 0 ? 0 : part.ms / whole * length;
			add(part, depth + 1, at, share);
			at += share;
		}
	};
	add(root, 0, 0, 1);
	return bars;
}
/** The columns of results: the names of their properties, in the order in which they are met. */
function resultColumns(rows) {
	const names = /* @__PURE__ */ new Set();
	for (const row of rows) if (row.kind === "object") {
		for (const name of row.members.keys()) if (name !== "@metadata" && names.size < 40) names.add(name);
	}
	return [...names];
}
/** The query with its timings asked for. */
function withTimings(query) {
	const tokens = rqlTokens(query).filter((one) => one.kind !== "comment");
	let depth = 0;
	let before;
	for (const [at, one] of tokens.entries()) {
		depth += one.kind !== "sign" ? 0 : "([".includes(one.text) ? 1 : ")]".includes(one.text) ? -1 : 0;
		const word = depth === 0 && one.kind === "name" ? one.text.toLowerCase() : "";
		if (word === "timings" && tokens[at + 1]?.text === "(") return query;
		if (word === "include" && at > 1) return /\btimings\s*\(/i.test(query.slice(one.end)) ? query : `${query.slice(0, one.end)} timings(),${query.slice(one.end)}`;
		if ((word === "limit" || word === "offset" || word === "filter_limit") && at > 1) before ??= one.start;
	}
	const end = before ?? tokens[tokens.length - 1]?.end ?? query.length;
	const rest = query.slice(end);
	return `${query.slice(0, end).trimEnd()}\ninclude timings()${before === void 0 ? rest : `\n${rest}`}`;
}
/** The names of the parameters that a query has. */
function parameterNames(query) {
	const names = rqlTokens(query).filter((one) => one.kind === "parameter" && one.text.length > 1).map((one) => one.text.slice(1));
	return [...new Set(names)];
}
/** A value as it was typed, as JSON: what is no JSON is a text. */
function parameterJson(typed) {
	try {
		return printJson(parseJson(typed), 0);
	} catch (error) {
		if (error instanceof JsonError) return JSON.stringify(typed);
		throw error;
	}
}
/** The body of a query. */
function queryBody(query, parameters, start) {
	const values = Object.entries(parameters).map(([name, typed]) => `${JSON.stringify(name)}:${parameterJson(typed)}`);
	return `{"Query":${JSON.stringify(query)},"QueryParameters":{${values.join(",")}},"Start":${start},"PageSize":${100}}`;
}

export { flameBars, parameterJson, parameterNames, queryBody, readResult, resultColumns, withTimings };