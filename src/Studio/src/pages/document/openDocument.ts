import { readDocumentText } from "../../api/documentText";
import type { Text } from "../../editor/codemirror";
import { linesOf } from "../../editor/longText";
import type { DocumentText } from "../../json/jsonJobs";

/** A document as it was read, cut into the lines of an editor. */
export interface OpenDocument extends Omit<DocumentText, "text"> {
  readonly lines: Text;
}

/** Reads a document for an editor; undefined if there is none. */
export async function openDocument(
  database: string,
  id: string,
  signal?: AbortSignal,
): Promise<OpenDocument | undefined> {
  const read = await readDocumentText(database, id, signal);
  if (!read) {
    return undefined;
  }
  const { text, ...rest } = read;
  return { ...rest, lines: await linesOf(text) };
}
