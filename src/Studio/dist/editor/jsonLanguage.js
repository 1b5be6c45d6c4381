import { json } from "./codemirror.js";

// src/editor/jsonLanguage.ts
/** JSON. */
const jsonLanguage = json();
/** A text of this length and more is edited without colors: they cost time at each key. */
const PLAIN_LENGTH = 1e6;
/** A text of this length and more is only shown from a download. */
const EDITED_MAX = 2e7;

export { EDITED_MAX, PLAIN_LENGTH, jsonLanguage };