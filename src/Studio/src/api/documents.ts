import { type JsonNode, member, parseJson, textMember } from "../json/jsonTree";
import { databasePath, send } from "./http";

/** A document as it was read. */
export interface StoredDocument {
  readonly id: string;
  readonly collection: string | undefined;
  readonly changeVector: string;
  readonly lastModified: string | undefined;
  readonly node: JsonNode;
}

/** What a write came to. */
export interface Written {
  readonly id: string;
  readonly changeVector: string;
}

/** Reads documents of a list of results; what is null is left out. */
export function documentsOf(results: JsonNode | undefined): StoredDocument[] {
  if (results?.kind !== "array") {
    return [];
  }
  return results.items.filter((item) => item.kind === "object").map(documentOf);
}

/** A document with its metadata. */
export function documentOf(node: JsonNode): StoredDocument {
  const metadata = member(node, "@metadata");
  return {
    id: textMember(metadata, "@id") ?? "",
    collection: textMember(metadata, "@collection"),
    changeVector: textMember(metadata, "@change-vector") ?? "",
    lastModified: textMember(metadata, "@last-modified"),
    node,
  };
}

/** Answers nest documents two levels deeper. */
export const ANSWER_DEPTH = 512;

/** Stores a document over the version that was read. A conflict is a {@link ServerError} with the status 409. */
export async function writeDocument(
  database: string,
  id: string,
  text: string | Blob,
  changeVector: string,
): Promise<Written> {
  const answer = await send("PUT", databasePath(database, "docs"), {
    query: { id },
    body: text,
    headers: { "If-Match": `"${changeVector}"` },
  });
  return written(parseJson(answer.text));
}

/** Stores a new document; one that is there already is a conflict. */
export async function createDocument(database: string, id: string, text: string | Blob): Promise<Written> {
  const before = `{"Commands":[{"Type":"PUT","Id":${JSON.stringify(id)},"ChangeVector":"","Document":`;
  const after = "}]}";
  const body =
    typeof text === "string" ? before + text + after : new Blob([before, text, after], { type: "application/json" });
  const answer = await send("POST", databasePath(database, "bulk_docs"), { body });
  const results = member(parseJson(answer.text, ANSWER_DEPTH), "Results");
  const first = results?.kind === "array" ? results.items[0] : undefined;
  return { id: textMember(first, "@id") ?? id, changeVector: textMember(first, "@change-vector") ?? "" };
}

function written(node: JsonNode): Written {
  return { id: textMember(node, "Id") ?? "", changeVector: textMember(node, "ChangeVector") ?? "" };
}

/** Deletes a document, if it has a version or whatever version it has. */
export async function deleteDocument(database: string, id: string, changeVector?: string): Promise<void> {
  await send("DELETE", databasePath(database, "docs"), {
    query: { id },
    ...(changeVector === undefined ? {} : { headers: { "If-Match": `"${changeVector}"` } }),
  });
}

/** The ids that begin with a prefix. */
export async function idsByPrefix(database: string, startsWith: string, signal?: AbortSignal): Promise<string[]> {
  const answer = await send("GET", databasePath(database, "docs"), {
    query: { startsWith, pageSize: 8, metadataOnly: true },
    ...(signal ? { signal } : {}),
  });
  return documentsOf(member(parseJson(answer.text, ANSWER_DEPTH), "Results")).map((one) => one.id);
}

/** A row of the grid of documents. */
export interface DocumentRow {
  readonly id: string;
  readonly etag: number;
  readonly collection: string;
  readonly lastModified: string;
  readonly sizeBytes: number;
  /** The values of the columns; numbers as they are stored. */
  readonly values: JsonNode;
}

/** A page of the grid of documents. */
export interface DocumentPage {
  readonly total: number;
  readonly rows: readonly DocumentRow[];
  readonly nextBefore: number | undefined;
}

/** Where a page of the grid begins: behind an etag, at a fraction, or at the newest. */
export type PagePlace = { readonly before: number } | { readonly at: number } | undefined;

/** Reads a page of documents, the newest first. */
export async function readPage(
  database: string,
  collection: string | undefined,
  place: PagePlace,
  pageSize: number,
  fields: readonly string[],
  signal?: AbortSignal,
): Promise<DocumentPage> {
  const answer = await send("GET", databasePath(database, "studio/documents"), {
    query: { collection, pageSize, field: plainFields(fields), ...place },
    ...(signal ? { signal } : {}),
  });
  const root = parseJson(answer.text, ANSWER_DEPTH);
  const results = member(root, "Results");
  return {
    total: numberMember(root, "Total") ?? 0,
    nextBefore: numberMember(root, "NextBefore"),
    rows: (results?.kind === "array" ? results.items : []).map((row) => ({
      id: textMember(row, "Id") ?? "",
      etag: numberMember(row, "Etag") ?? 0,
      collection: textMember(row, "Collection") ?? "",
      lastModified: textMember(row, "LastModified") ?? "",
      sizeBytes: numberMember(row, "SizeBytes") ?? 0,
      values: member(row, "Values") ?? { kind: "object", members: new Map() },
    })),
  };
}

/** The most fields that the route takes. */
const FIELDS_MAX = 50;

/** The fields as the route takes them; without them it gives the first members, as for names that are no plain words. */
export function plainFields(fields: readonly string[]): readonly string[] | undefined {
  return fields.length > 0 &&
    fields.length <= FIELDS_MAX &&
    fields.every((name) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
    ? fields
    : undefined;
}

/** A number of the server's own, such as a count. */
export function numberMember(node: JsonNode | undefined, name: string): number | undefined {
  const value = member(node, name);
  return value?.kind === "number" ? Number(value.raw) : undefined;
}
