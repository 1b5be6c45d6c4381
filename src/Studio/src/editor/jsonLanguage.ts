import { type Extension, json } from "./codemirror";

/** JSON. */
export const jsonLanguage: Extension = json();

/** A text of this length and more is edited without colors: they cost time at each key. */
const PLAIN_LENGTH = 1_000_000;

/** How a text of a length is edited. */
export function languageFor(length: number): { language: Extension; isPlain: boolean } {
  return length < PLAIN_LENGTH ? { language: jsonLanguage, isPlain: false } : { language: PLAIN, isPlain: true };
}

const PLAIN: Extension = [];

/** A text of this length and more is only shown, and downloaded. */
export const EDITED_MAX = 20_000_000;
