import { readLocal, writeLocal } from "../../app/storage";

/** A text that was not saved yet. */
export interface Draft {
  readonly text: string;
  /** The version that it began with. */
  readonly changeVector: string;
  /** The text of that version. */
  readonly base: string;
  /** When it was kept, by this browser's clock. */
  readonly at: string;
}

/** A longer draft is not kept: browsers give a page some 5 MB. */
export const DRAFT_MAX = 1_000_000;

function keyOf(database: string, id: string): string {
  return `draft.${database}\n${id}`;
}

/** The draft of a document in this browser. */
export function readDraft(database: string, id: string): Draft | undefined {
  const kept = readLocal(keyOf(database, id));
  if (kept === undefined) {
    return undefined;
  }
  try {
    const draft = JSON.parse(kept) as Partial<Draft>;
    const isWhole = [draft.text, draft.changeVector, draft.base, draft.at].every((part) => typeof part === "string");
    return isWhole ? (draft as Draft) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a draft, or forgets it. Gives whether it is kept. */
export function keepDraft(database: string, id: string, draft: Draft | undefined): boolean {
  if (draft && draft.text.length + draft.base.length > DRAFT_MAX) {
    return false;
  }
  return writeLocal(keyOf(database, id), draft && JSON.stringify(draft));
}
