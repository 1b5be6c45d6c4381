import type { EditorMark } from "../../editor/codeEditor";
import { JsonError } from "../../json/jsonError";
import { type JsonNode, parseJson } from "../../json/jsonTree";

/**
 * Reads the text of an editor as a document.
 * @throws JsonError It is no JSON, or no object.
 */
export function readText(text: string): JsonNode {
  const node = parseJson(text);
  if (node.kind !== "object") {
    throw new JsonError(text, 0, "A document is an object: it begins with {.");
  }
  return node;
}

/** Where an error is, for the editor. */
export function marksOf(error: unknown): readonly EditorMark[] {
  return error instanceof JsonError
    ? [{ from: error.offset, to: error.offset + 1, severity: "error", message: error.reason }]
    : NONE;
}

const NONE: readonly EditorMark[] = [];
