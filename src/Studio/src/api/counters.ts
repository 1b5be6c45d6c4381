import { type JsonNode, member, parseJson, textMember } from "../json/jsonTree";
import { databasePath, send } from "./http";

/** A counter of a document. Its value has 64 bits, which JavaScript's numbers have not: it stays its digits. */
export interface Counter {
  readonly name: string;
  readonly value: string;
  /** What each database has added, if there are several. */
  readonly shares: readonly { readonly database: string; readonly value: string }[];
}

/** What is done to a counter; the amount is a whole number in digits. */
export interface CounterChange {
  readonly type: "Increment" | "Put" | "Delete";
  readonly name: string;
  readonly amount?: string;
}

/** Reads all counters of a document, by name. */
export async function readCounters(database: string, id: string, signal?: AbortSignal): Promise<readonly Counter[]> {
  const answer = await send("GET", databasePath(database, "counters"), {
    query: { docId: id, full: true },
    ...(signal ? { signal } : {}),
  });
  return countersOf(parseJson(answer.text));
}

/** The counters of an answer. */
export function countersOf(answer: JsonNode): readonly Counter[] {
  const list = member(answer, "Counters");
  return (list?.kind === "array" ? list.items : [])
    .filter((one) => one.kind === "object")
    .map((one) => {
      const values = member(one, "CounterValues");
      const shares = values?.kind === "object" ? [...values.members] : [];
      return {
        name: textMember(one, "CounterName") ?? "",
        value: digits(member(one, "TotalValue")),
        shares: shares.map(([name, value]) => ({ database: name, value: digits(value) })),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function digits(node: JsonNode | undefined): string {
  return node?.kind === "number" ? node.raw : "0";
}

/** Changes a counter. */
export async function changeCounter(database: string, id: string, change: CounterChange): Promise<void> {
  await send("POST", databasePath(database, "counters"), { body: counterBody(id, change) });
}

/** The body that changes a counter: the amount goes in its digits. */
export function counterBody(id: string, { type, name, amount }: CounterChange): string {
  const delta = amount === undefined ? "" : `,"Delta":${amount}`;
  const operation = `{"Type":"${type}","CounterName":${JSON.stringify(name)}${delta}}`;
  return `{"Documents":[{"DocumentId":${JSON.stringify(id)},"Operations":[${operation}]}]}`;
}
