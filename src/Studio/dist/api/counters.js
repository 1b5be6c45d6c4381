import { member, parseJson, textMember } from "../json/jsonTree.js";
import { databasePath, send } from "./http.js";

// src/api/counters.ts
/** Reads all counters of a document, by name. */
async function readCounters(database, id, signal) {
	const answer = await send("GET", databasePath(database, "counters"), {
		query: {
			docId: id,
			full: true
		},
		...signal ? { signal } : {}
	});
	return countersOf(parseJson(answer.text));
}
/** The counters of an answer. */
function countersOf(answer) {
	const list = member(answer, "Counters");
	return (list?.kind === "array" ? list.items : []).filter((one) => one.kind === "object").map((one) => {
		const values = member(one, "CounterValues");
		const shares = values?.kind === "object" ? [...values.members] : [];
		return {
			name: textMember(one, "CounterName") ?? "",
			value: digits(member(one, "TotalValue")),
			shares: shares.map(([name, value]) => ({
				database: name,
				value: digits(value)
			}))
		};
	}).sort((a, b) => a.name < b.name ? -1 : 1);
}
function digits(node) {
	return node?.kind === "number" ? node.raw : "0";
}
/** Changes a counter. */
async function changeCounter(database, id, change) {
	await send("POST", databasePath(database, "counters"), { body: counterBody(id, change) });
}
/** The body that changes a counter: the amount goes in its digits. */
function counterBody(id, { type, name, amount }) {
	const delta = amount === void 0 ? "" : `,"Delta":${amount}`;
	const operation = `{"Type":"${type}","CounterName":${JSON.stringify(name)}${delta}}`;
	return `{"Documents":[{"DocumentId":${JSON.stringify(id)},"Operations":[${operation}]}]}`;
}

export { changeCounter, counterBody, countersOf, readCounters };