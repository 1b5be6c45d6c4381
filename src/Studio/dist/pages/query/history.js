import { readLocal, writeLocal } from "../../app/storage.js";

// src/pages/query/history.ts
/** How many queries are kept for each database. */
const KEPT_MAX = 500;
const LENGTH_MAX = 2e4;
/** The queries that were run from this browser, the newest first. */
function queryHistory(database) {
	try {
		const kept = JSON.parse(readLocal(`queries.${database}`) ?? "[]");
		return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
	} catch {
		return [];
	}
}
/** Keeps a query that was run. */
function keepQuery(database, query) {
	if (query.length <= LENGTH_MAX) {
		const rest = queryHistory(database).filter((one) => one !== query);
		writeLocal(`queries.${database}`, JSON.stringify([query, ...rest].slice(0, KEPT_MAX)));
	}
}

export { keepQuery, queryHistory };