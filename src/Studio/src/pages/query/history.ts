import { readLocal, writeLocal } from "../../app/storage";

/** How many queries are kept for each database. */
const KEPT_MAX = 500;
const LENGTH_MAX = 20_000;

/** The queries that were run from this browser, the newest first. */
export function queryHistory(database: string): string[] {
  try {
    const kept: unknown = JSON.parse(readLocal(`queries.${database}`) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Keeps a query that was run. */
export function keepQuery(database: string, query: string): void {
  if (query.length <= LENGTH_MAX) {
    const rest = queryHistory(database).filter((one) => one !== query);
    writeLocal(`queries.${database}`, JSON.stringify([query, ...rest].slice(0, KEPT_MAX)));
  }
}
