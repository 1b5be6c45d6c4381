import { type Extension, json } from "./codemirror";

/** JSON. */
export const jsonLanguage: Extension = json();

/** A text of this length and more is edited without colors: they cost time at each key. */
export const PLAIN_LENGTH = 1_000_000;

/** A text of this length and more is only shown from a download. */
export const EDITED_MAX = 20_000_000;
