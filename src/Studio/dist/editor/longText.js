import { turn } from "../json/turn.js";
import { Text } from "./codemirror.js";

// src/editor/longText.ts
/** So many characters at a time. */
const PIECE = 4e5;
/** Cuts a text into the lines of an editor. */
async function linesOf(text) {
	let lines = Text.empty;
	for (let at = 0; at <= text.length;) {
		const cut = text.length - at > PIECE ? text.indexOf("\n", at + PIECE) : -1;
		const end = cut < 0 ? text.length : cut;
		const piece = Text.of(text.slice(at, end).split(/\r\n?|\n/));
		lines = at === 0 ? piece : lines.append(Text.of(["", ""])).append(piece);
		at = end + 1;
		if (cut >= 0) await turn();
	}
	return lines;
}
/** Puts the lines of an editor together. */
async function textOf(lines) {
	const pieces = [];
	for (let at = 0; at < lines.length; at += PIECE) {
		pieces.push(lines.sliceString(at, Math.min(lines.length, at + PIECE)));
		if (at + PIECE < lines.length) await turn();
	}
	return pieces.join("");
}

export { linesOf, textOf };