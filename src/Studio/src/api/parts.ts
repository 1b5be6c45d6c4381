import { type JsonNode, member, parseJson, textMember } from "../json/jsonTree";
import { ANSWER_DEPTH, documentsOf, numberMember } from "./documents";
import { databasePath, ServerError, send } from "./http";
import { upload } from "./upload";

/** An attachment, as the metadata of its document has it. */
export interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** SHA-256 in base 64: equal contents have equal hashes. */
  readonly hash: string;
}

/** What belongs to a document beside its JSON. */
export interface DocumentParts {
  readonly id: string;
  readonly attachments: readonly Attachment[];
  readonly counters: readonly string[];
  readonly timeSeries: readonly string[];
}

/** Reads what belongs to a document; null if there is no such document. */
export async function readParts(database: string, id: string, signal?: AbortSignal): Promise<DocumentParts | null> {
  try {
    const answer = await send("GET", databasePath(database, "docs"), {
      query: { id, metadataOnly: true },
      ...(signal ? { signal } : {}),
    });
    const [document] = documentsOf(member(parseJson(answer.text, ANSWER_DEPTH), "Results"));
    return document ? partsOf(document.id, document.node) : null;
  } catch (error) {
    if (error instanceof ServerError && error.status === 404 && !error.type.includes("DatabaseDoesNotExist")) {
      return null;
    }
    throw error;
  }
}

/** What the metadata of a document says of its parts. */
export function partsOf(id: string, document: JsonNode): DocumentParts {
  const metadata = member(document, "@metadata");
  return {
    id,
    attachments: items(member(metadata, "@attachments")).map((one) => ({
      name: textMember(one, "Name") ?? "",
      contentType: textMember(one, "ContentType") ?? "",
      size: numberMember(one, "Size") ?? 0,
      hash: textMember(one, "Hash") ?? "",
    })),
    counters: texts(member(metadata, "@counters")),
    timeSeries: texts(member(metadata, "@timeseries")),
  };
}

function items(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === "array" ? node.items : [];
}

function texts(node: JsonNode | undefined): string[] {
  return items(node).map((one) => (one.kind === "text" ? (JSON.parse(one.raw) as string) : ""));
}

/** Where an attachment is. */
export function attachmentPath(database: string): string {
  return databasePath(database, "attachments");
}

/**
 * Stores an attachment.
 * @param version The version that it takes the place of; "" if there must be none.
 */
export async function putAttachment(
  database: string,
  id: string,
  name: string,
  file: Blob,
  version: string,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<void> {
  const query = { id, name, contentType: file.type || "application/octet-stream" };
  const headers = { "If-Match": `"${version}"`, "Content-Type": "application/octet-stream" };
  await upload("PUT", attachmentPath(database), file, { query, headers, signal }, onProgress);
}

/** Copies an attachment, or moves it, which is how it gets another name. */
export async function carryAttachment(
  database: string,
  how: "COPY" | "MOVE",
  from: { readonly id: string; readonly name: string },
  to: { readonly id: string; readonly name: string },
): Promise<void> {
  const command = {
    Type: `Attachment${how}`,
    Id: from.id,
    Name: from.name,
    DestinationId: to.id,
    DestinationName: to.name,
  };
  await send("POST", databasePath(database, "bulk_docs"), { body: { Commands: [command] } });
}

/** Deletes an attachment. */
export async function deleteAttachment(database: string, id: string, name: string): Promise<void> {
  await send("DELETE", attachmentPath(database), { query: { id, name } });
}
