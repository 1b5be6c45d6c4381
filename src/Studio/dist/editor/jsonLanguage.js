import { json } from "./codemirror.js";

// src/editor/jsonLanguage.ts
/** JSON. */
const jsonLanguage = json();
/** A text of this length and more is edited without colors: they cost time at each key. */
const PLAIN_LENGTH = 1e6;
/** How a text of a length is edited. */
function languageFor(length) {
	return length < PLAIN_LENGTH ? {
		language: jsonLanguage,
		isPlain: false
	} : {
		language: PLAIN,
		isPlain: true
	};
}
const PLAIN = [];
/** A text of this length and more is only shown, and downloaded. */
const EDITED_MAX = 2e7;

export { EDITED_MAX, jsonLanguage, languageFor };