import { JsonError } from "../json/jsonError";
import { type JsonNode, member, parseJson, textMember } from "../json/jsonTree";
import { ANSWER_DEPTH, numberMember } from "./documents";
import { databasePath, ServerError, send } from "./http";

/** A compare-exchange value; it is changed only by who names its index. */
export interface CompareExchange {
  readonly key: string;
  readonly index: number;
  /** An object: the value is its Object, and it may have @metadata. */
  readonly node: JsonNode;
}

/** What a write came to; one that lost the race has what is there, undefined if nothing is. */
export type Exchanged =
  | { readonly isDone: true; readonly index: number }
  | { readonly isDone: false; readonly there: CompareExchange | undefined };

/** The server's own values, which guard documents of cluster-wide transactions. */
const GUARD = "rvn-atomic/";

/** The id of the document that a value guards; undefined if it is no guard. */
export function guardedId(key: string): string | undefined {
  return key.startsWith(GUARD) ? key.slice(GUARD.length) : undefined;
}

/** Reads a page of values by the beginning of their keys; whether there are more is told by one that is read too many. */
export async function readValues(
  database: string,
  startsWith: string,
  start: number,
  pageSize: number,
  signal?: AbortSignal,
): Promise<{ readonly values: readonly CompareExchange[]; readonly hasMore: boolean }> {
  const answer = await send("GET", databasePath(database, "cmpxchg"), {
    query: { startsWith: startsWith === "" ? undefined : startsWith, start, pageSize: pageSize + 1 },
    ...(signal ? { signal } : {}),
  });
  const values = valuesOf(parseJson(answer.text, ANSWER_DEPTH));
  return { values: values.slice(0, pageSize), hasMore: values.length > pageSize };
}

/** Reads a value; null if there is none. */
export async function readValue(database: string, key: string, signal?: AbortSignal): Promise<CompareExchange | null> {
  try {
    const answer = await send("GET", databasePath(database, "cmpxchg"), {
      query: { key },
      ...(signal ? { signal } : {}),
    });
    return valuesOf(parseJson(answer.text, ANSWER_DEPTH))[0] ?? null;
  } catch (error) {
    if (error instanceof ServerError && error.status === 404 && !error.type.includes("DatabaseDoesNotExist")) {
      return null;
    }
    throw error;
  }
}

/** The values of an answer. */
export function valuesOf(answer: JsonNode): readonly CompareExchange[] {
  const results = member(answer, "Results");
  return (results?.kind === "array" ? results.items : []).flatMap((one) => {
    const node = member(one, "Value");
    const value = { key: textMember(one, "Key") ?? "", index: numberMember(one, "Index") ?? 0 };
    return node?.kind === "object" ? [{ ...value, node }] : [];
  });
}

/** Sets a value where it has the index; 0 if there must be none. */
export async function exchange(database: string, key: string, index: number, text: string): Promise<Exchanged> {
  const answer = await send("PUT", databasePath(database, "cmpxchg"), { query: { key, index }, body: text });
  return outcomeOf(key, parseJson(answer.text, ANSWER_DEPTH));
}

/** Deletes a value where it has the index. */
export async function removeValue(database: string, key: string, index: number): Promise<Exchanged> {
  const answer = await send("DELETE", databasePath(database, "cmpxchg"), { query: { key, index } });
  return outcomeOf(key, parseJson(answer.text, ANSWER_DEPTH));
}

/** What the server says of a write. */
export function outcomeOf(key: string, answer: JsonNode): Exchanged {
  const done = member(answer, "Successful");
  const index = numberMember(answer, "Index") ?? 0;
  if (done?.kind === "word" && done.raw === "true") {
    return { isDone: true, index };
  }
  const node = member(answer, "Value");
  return { isDone: false, there: node?.kind === "object" ? { key, index, node } : undefined };
}

/**
 * Reads the text of an editor as a value.
 * @throws JsonError It is no JSON, or not of the form: the server would leave out what is beside Object.
 */
export function readValueText(text: string): JsonNode {
  const node = parseJson(text);
  const names = node.kind === "object" ? [...node.members.keys()] : [];
  const other = names.find((name) => name !== "Object" && name !== "@metadata");
  if (other !== undefined) {
    const at = Math.max(0, text.indexOf(JSON.stringify(other)));
    throw new JsonError(text, at, `Only Object and @metadata are kept: ${JSON.stringify(other)} belongs into Object.`);
  }
  if (!names.includes("Object")) {
    throw new JsonError(text, 0, 'The value stands in {"Object": ...}.');
  }
  return node;
}
