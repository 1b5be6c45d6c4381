import type { EditorMark } from "../../editor/codeEditor";
import { JsonError } from "../../json/jsonError";

/** Where an error is, for the editor. */
export function marksOf(error: unknown): readonly EditorMark[] {
  return error instanceof JsonError
    ? [{ from: error.offset, to: error.offset + 1, severity: "error", message: error.reason }]
    : NONE;
}

const NONE: readonly EditorMark[] = [];
