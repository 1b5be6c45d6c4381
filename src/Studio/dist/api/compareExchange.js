import { JsonError } from "../json/jsonError.js";
import { member, parseJson, textMember } from "../json/jsonTree.js";
import { numberMember } from "./documents.js";
import { ServerError, databasePath, send } from "./http.js";

// src/api/compareExchange.ts
/** The server's own values, which guard documents of cluster-wide transactions. */
const GUARD = "rvn-atomic/";
/** The id of the document that a value guards; undefined if it is no guard. */
function guardedId(key) {
	return key.startsWith(GUARD) ? key.slice(11) : void 0;
}
/** Reads a page of values by the beginning of their keys; whether there are more is told by one that is read too many. */
async function readValues(database, startsWith, start, pageSize, signal) {
	const answer = await send("GET", databasePath(database, "cmpxchg"), {
		query: {
			startsWith: startsWith === "" ? void 0 : startsWith,
			start,
			pageSize: pageSize + 1
		},
		...signal ? { signal } : {}
	});
	const values = valuesOf(parseJson(answer.text, 512));
	return {
		values: values.slice(0, pageSize),
		hasMore: values.length > pageSize
	};
}
/** Reads a value; null if there is none. */
async function readValue(database, key, signal) {
	try {
		const answer = await send("GET", databasePath(database, "cmpxchg"), {
			query: { key },
			...signal ? { signal } : {}
		});
		return valuesOf(parseJson(answer.text, 512))[0] ?? null;
	} catch (error) {
		if (error instanceof ServerError && error.status === 404 && !error.type.includes("DatabaseDoesNotExist")) return null;
		throw error;
	}
}
/** The values of an answer. */
function valuesOf(answer) {
	const results = member(answer, "Results");
	return (results?.kind === "array" ? results.items : []).flatMap((one) => {
		const node = member(one, "Value");
		const value = {
			key: textMember(one, "Key") ?? "",
			index: numberMember(one, "Index") ?? 0
		};
		return node?.kind === "object" ? [{
			...value,
			node
		}] : [];
	});
}
/** Sets a value where it has the index; 0 if there must be none. */
async function exchange(database, key, index, text) {
	const answer = await send("PUT", databasePath(database, "cmpxchg"), {
		query: {
			key,
			index
		},
		body: text
	});
	return outcomeOf(key, parseJson(answer.text, 512));
}
/** Deletes a value where it has the index. */
async function removeValue(database, key, index) {
	const answer = await send("DELETE", databasePath(database, "cmpxchg"), { query: {
		key,
		index
	} });
	return outcomeOf(key, parseJson(answer.text, 512));
}
/** What the server says of a write. */
function outcomeOf(key, answer) {
	const done = member(answer, "Successful");
	const index = numberMember(answer, "Index") ?? 0;
	if (done?.kind === "word" && done.raw === "true") return {
		isDone: true,
		index
	};
	const node = member(answer, "Value");
	return {
		isDone: false,
		there: node?.kind === "object" ? {
			key,
			index,
			node
		} : void 0
	};
}
/**
* Reads the text of an editor as a value.
* @throws JsonError It is no JSON, or not of the form: the server would leave out what is beside Object.
*/
function readValueText(text) {
	const node = parseJson(text);
	const names = node.kind === "object" ? [...node.members.keys()] : [];
	const other = names.find((name) => name !== "Object" && name !== "@metadata");
	if (other !== void 0) {
		const at = Math.max(0, text.indexOf(JSON.stringify(other)));
		throw new JsonError(text, at, `Only Object and @metadata are kept: ${JSON.stringify(other)} belongs into Object.`);
	}
	if (!names.includes("Object")) throw new JsonError(text, 0, "The value stands in {\"Object\": ...}.");
	return node;
}

export { exchange, guardedId, outcomeOf, readValue, readValueText, readValues, removeValue, valuesOf };