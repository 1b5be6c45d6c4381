import { localKeys, readLocal, writeLocal } from "../../app/storage";

/** A text that was not saved yet. */
export interface Draft {
  /** The page that it was typed on: two tabs with one document keep a draft each. */
  readonly page: string;
  readonly text: string;
  /** The version that it began with. */
  readonly changeVector: string;
  /** The text of that version. */
  readonly base: string;
  /** When it was kept, by this browser's clock: so it is the same for all of its tabs. */
  readonly at: string;
}

/** A longer draft is not kept: browsers give a page some 5 MB. */
export const DRAFT_MAX = 1_000_000;

const thisPage = Math.random().toString(36).slice(2);

function keyOf(database: string, id: string, page: string): string {
  return `draft.${database}\n${id}\n${page}`;
}

/** The drafts of a document in this browser, the last one first. */
export function readDrafts(database: string, id: string): Draft[] {
  const prefix = keyOf(database, id, "");
  const drafts = localKeys(prefix).map((key) => parse(readLocal(key), key.slice(prefix.length)));
  return drafts.filter((draft) => draft !== undefined).sort((a, b) => (a.at < b.at ? 1 : -1));
}

function parse(kept: string | undefined, page: string): Draft | undefined {
  if (kept === undefined) {
    return undefined;
  }
  try {
    const draft = JSON.parse(kept) as Partial<Draft>;
    const isWhole = [draft.text, draft.changeVector, draft.base, draft.at].every((part) => typeof part === "string");
    return isWhole ? { ...(draft as Draft), page } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the draft of this page, or forgets it. Gives whether it is kept. */
export function keepDraft(database: string, id: string, draft: Omit<Draft, "page"> | undefined): boolean {
  if (draft && draft.text.length + draft.base.length > DRAFT_MAX) {
    return false;
  }
  return writeLocal(keyOf(database, id, thisPage), draft && JSON.stringify(draft));
}

/** Forgets a draft. */
export function dropDraft(database: string, id: string, page: string): void {
  writeLocal(keyOf(database, id, page), undefined);
}
