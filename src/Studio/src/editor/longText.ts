import { turn } from "../json/turn";
import { Text } from "./codemirror";

// A text of a million lines takes the editor a while to cut into lines, and to be put together again. Both are done
// piece by piece here, and the page draws and answers between the pieces.

/** So many characters at a time. */
const PIECE = 400_000;

/** Cuts a text into the lines of an editor. */
export async function linesOf(text: string): Promise<Text> {
  let lines = Text.empty;
  for (let at = 0; at <= text.length; ) {
    const cut = text.length - at > PIECE ? text.indexOf("\n", at + PIECE) : -1;
    const end = cut < 0 ? text.length : cut;
    const piece = Text.of(text.slice(at, end).split(/\r\n?|\n/));
    // The line break between two pieces is that of an empty line before the second one.
    lines = at === 0 ? piece : lines.append(Text.of(["", ""])).append(piece);
    at = end + 1;
    if (cut >= 0) {
      await turn();
    }
  }
  return lines;
}

/** Puts the lines of an editor together. */
export async function textOf(lines: Text): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < lines.length; at += PIECE) {
    pieces.push(lines.sliceString(at, Math.min(lines.length, at + PIECE)));
    if (at + PIECE < lines.length) {
      await turn();
    }
  }
  return pieces.join("");
}
