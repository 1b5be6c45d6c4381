import { numberMember } from "../../api/documents";
import { JsonError } from "../../json/jsonError";
import { type JsonNode, member, parseJson, printJson, textMember } from "../../json/jsonTree";
import { rqlTokens } from "../../rql/rqlLexer";

/** Results of a request. */
export const PAGE_SIZE = 100;

/** What a query came to. */
export interface QueryResult {
  readonly rows: readonly JsonNode[];
  readonly total: number;
  readonly indexName: string | undefined;
  readonly isStale: boolean;
  readonly durationMs: number | undefined;
  readonly timings: Timing | undefined;
  readonly includes: JsonNode | undefined;
  readonly raw: string;
}

/** Where the time of a query went. */
export interface Timing {
  readonly name: string;
  readonly ms: number;
  readonly parts: readonly Timing[];
}

/** Reads the answer of a query. */
export function readResult(text: string): QueryResult {
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
    timings: timings?.kind === "object" ? readTiming("All", timings) : undefined,
    includes: member(root, "Includes"),
    raw: text,
  };
}

function readTiming(name: string, node: JsonNode): Timing {
  const parts = member(node, "Timings");
  const micros = numberMember(node, "DurationInMicroseconds");
  return {
    name,
    ms: micros === undefined ? (numberMember(node, "DurationInMs") ?? 0) : micros / 1000,
    parts: parts?.kind === "object" ? [...parts.members].map(([part, value]) => readTiming(part, value)) : [],
  };
}

/** A bar of the flame: where it begins and how long it is, as fractions of the whole. */
export interface FlameBar {
  readonly name: string;
  readonly ms: number;
  readonly depth: number;
  readonly start: number;
  readonly length: number;
}

/** The bars of a flame. Parts stand one behind the other; if they sum up to more than their whole, they are scaled to it. */
export function flameBars(root: Timing): FlameBar[] {
  const bars: FlameBar[] = [];
  const add = (timing: Timing, depth: number, start: number, length: number) => {
    bars.push({ name: timing.name, ms: timing.ms, depth, start, length });
    const whole = Math.max(
      timing.ms,
      timing.parts.reduce((sum, part) => sum + part.ms, 0),
    );
    let at = start;
    for (const part of timing.parts) {
      const share = whole === 0 ? 0 : (part.ms / whole) * length;
      add(part, depth + 1, at, share);
      at += share;
    }
  };
  add(root, 0, 0, 1);
  return bars;
}

/** The columns of results: the names of their properties, in the order in which they are met. */
export function resultColumns(rows: readonly JsonNode[]): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    if (row.kind === "object") {
      for (const name of row.members.keys()) {
        if (name !== "@metadata" && names.size < 40) {
          names.add(name);
        }
      }
    }
  }
  return [...names];
}

/** The query with its timings asked for. */
export function withTimings(query: string): string {
  const tokens = rqlTokens(query).filter((one) => one.kind !== "comment");
  let depth = 0;
  let before: number | undefined;
  for (const [at, one] of tokens.entries()) {
    depth += one.kind !== "sign" ? 0 : "([".includes(one.text) ? 1 : ")]".includes(one.text) ? -1 : 0;
    const word = depth === 0 && one.kind === "name" ? one.text.toLowerCase() : "";
    if (word === "timings" && tokens[at + 1]?.text === "(") {
      return query;
    }
    if (word === "include" && at > 1) {
      const hasTimings = /\btimings\s*\(/i.test(query.slice(one.end));
      return hasTimings ? query : `${query.slice(0, one.end)} timings(),${query.slice(one.end)}`;
    }
    if ((word === "limit" || word === "offset" || word === "filter_limit") && at > 1) {
      before ??= one.start;
    }
  }
  const end = before ?? tokens[tokens.length - 1]?.end ?? query.length;
  const rest = query.slice(end);
  return `${query.slice(0, end).trimEnd()}\ninclude timings()${before === undefined ? rest : `\n${rest}`}`;
}

/** The names of the parameters that a query has. */
export function parameterNames(query: string): string[] {
  const names = rqlTokens(query)
    .filter((one) => one.kind === "parameter" && one.text.length > 1)
    .map((one) => one.text.slice(1));
  return [...new Set(names)];
}

/** A value as it was typed, as JSON: what is no JSON is a text. */
export function parameterJson(typed: string): string {
  try {
    return printJson(parseJson(typed), 0);
  } catch (error) {
    if (error instanceof JsonError) {
      return JSON.stringify(typed);
    }
    throw error;
  }
}

/** The body of a query. */
export function queryBody(query: string, parameters: Readonly<Record<string, string>>, start: number): string {
  const values = Object.entries(parameters).map(([name, typed]) => `${JSON.stringify(name)}:${parameterJson(typed)}`);
  return `{"Query":${JSON.stringify(query)},"QueryParameters":{${values.join(",")}},"Start":${start},"PageSize":${PAGE_SIZE}}`;
}
