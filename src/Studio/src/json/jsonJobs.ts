import { formatJson } from "./jsonFormat";
import { type MergeChoice, type MergeResult, mergeJson, pathText } from "./jsonMerge";
import { type JsonNode, member, parseDocument, parseJson, printJson, textMember, textOf } from "./jsonTree";
import { diffLines } from "./lineDiff";
import { withoutSystemFields } from "./systemFields";

// What is done to whole documents, as functions of texts: on the page for short ones, in a worker for long ones
// (jsonWork.ts). What they give can be sent from there: no classes, no functions.

/** A document as text for an editor, with what is said of it. */
export interface DocumentText {
  readonly id: string;
  readonly collection: string | undefined;
  readonly changeVector: string;
  readonly lastModified: string | undefined;
  /** Laid out, without what the server writes into the metadata. */
  readonly text: string;
}

/** A place that both sides of a merge changed, as texts to be shown; a side that is undefined has nothing there. */
export interface ConflictText {
  readonly path: string;
  readonly base: string | undefined;
  readonly theirs: string | undefined;
  readonly mine: string | undefined;
}

/** What a merge came to before anybody has chosen. */
export interface MergeText {
  readonly conflicts: readonly ConflictText[];
  readonly fromTheirs: number;
  readonly fromMine: number;
}

/** Answers nest documents deeper than those may. */
const ANSWER_DEPTH = 512;
const BLOB_LENGTH = 1_000_000;
/** How much of a side of a conflict is shown, in characters. */
const SIDE_MAX = 100_000;

/** What is left of a row of a long answer: so many properties, and so many characters of a text. */
const SHRUNK_MEMBERS = 1_000;
const SHRUNK_TEXT = 1_000;

const merges = new Map<number, MergeResult>();

/** Each job by its name. */
export const JSON_JOBS = {
  /** The first document of an answer with `Results`; null if there is none. */
  open(answer: string): DocumentText | null {
    const results = member(parseJson(answer, ANSWER_DEPTH), "Results");
    const node = results?.kind === "array" ? results.items.find((item) => item.kind === "object") : undefined;
    if (!node) {
      return null;
    }
    const metadata = member(node, "@metadata");
    return {
      id: textMember(metadata, "@id") ?? "",
      collection: textMember(metadata, "@collection"),
      changeVector: textMember(metadata, "@change-vector") ?? "",
      lastModified: textMember(metadata, "@last-modified"),
      text: printJson(withoutSystemFields(node), 2),
    };
  },
  /** Lays a text out; answers nest deeper than documents. */
  format: (text: string, isAnswer = false): string => formatJson(text, isAnswer ? { depthMax: ANSWER_DEPTH } : {}),
  /** An answer with `Results` for a list: of what stands inside of a value only the count is left, of a long text its begin. */
  shrink(answer: string): string {
    const root = parseJson(answer, ANSWER_DEPTH);
    if (root.kind !== "object") {
      return answer;
    }
    const members = [...root.members].map(([name, value]): [string, JsonNode] => [
      name,
      name === "Results" && value.kind === "array"
        ? { kind: "array", items: value.items.map(shrinkRow) }
        : name === "Includes"
          ? shrinkRow(value)
          : value,
    ]);
    return printJson({ kind: "object", members: new Map(members) }, 0);
  },
  /** Fails if a text is no document; gives it as it is to be sent. A long one as a blob: the page then copies nothing. */
  pack(text: string): string | Blob {
    parseDocument(text);
    return text.length < BLOB_LENGTH ? text : new Blob([text], { type: "application/json" });
  },
  /** What went and what came between two texts. */
  diff: diffLines,
  /** Merges, and keeps the merge under a number until `endMerge`. */
  merge(key: number, base: string, theirs: string, mine: string): MergeText {
    const merge = mergeJson(parseDocument(base), parseDocument(theirs), parseDocument(mine));
    merges.set(key, merge);
    return {
      fromTheirs: merge.fromTheirs,
      fromMine: merge.fromMine,
      conflicts: merge.conflicts.map((one) => ({
        path: pathText(one.path),
        base: sideText(one.base),
        theirs: sideText(one.theirs),
        mine: sideText(one.mine),
      })),
    };
  },
  /** The text that a merge comes to with these choices. */
  resolve(key: number, choices: readonly (MergeChoice | undefined)[]): string {
    const node = merges.get(key)?.resolve(choices);
    if (!node) {
      throw new Error("This merge is over.");
    }
    return printJson(node, 2);
  },
  endMerge(key: number): null {
    merges.delete(key);
    return null;
  },
};

function shrinkRow(row: JsonNode): JsonNode {
  if (row.kind !== "object") {
    return shrinkValue(row);
  }
  const members = [...row.members].slice(0, SHRUNK_MEMBERS);
  const metadata = row.members.get("@metadata");
  return {
    kind: "object",
    members: new Map([
      ...members.map(([name, value]): [string, JsonNode] => [name, shrinkValue(value)]),
      ...(metadata ? [["@metadata", metadata] as const] : []),
    ]),
  };
}

function shrinkValue(value: JsonNode): JsonNode {
  switch (value.kind) {
    case "object":
      return countOf("@object", value.members.size);
    case "array":
      return countOf("@array", value.items.length);
    case "text": {
      const text = value.raw.length > SHRUNK_TEXT ? textOf(value.raw) : "";
      return text.length > SHRUNK_TEXT
        ? { kind: "text", raw: JSON.stringify(`${text.slice(0, SHRUNK_TEXT)}…`) }
        : value;
    }
    default:
      return value;
  }
}

/** As the server writes it in its own lists. */
function countOf(name: string, count: number): JsonNode {
  return { kind: "object", members: new Map([[name, { kind: "number", raw: String(count) }]]) };
}

function sideText(node: JsonNode | undefined): string | undefined {
  const text = node && printJson(node, 2);
  return text && text.length > SIDE_MAX ? `${text.slice(0, SIDE_MAX)}…` : text;
}

/** The name of a job. */
export type JsonJob = keyof typeof JSON_JOBS;
