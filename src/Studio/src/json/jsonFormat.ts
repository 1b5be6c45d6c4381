import { DEPTH_MAX, JsonScanner, Token } from "./jsonScanner";

/** How {@link formatJson} writes. */
export interface FormatOptions {
  /** Blanks for each level; 0 writes all in one line without blanks. */
  indent?: number;
  /** How deep the text may nest. */
  depthMax?: number;
}

/**
 * Lays a JSON text out anew. Names, texts and numbers stay as they stand, character by character; only the white space
 * between them changes.
 * @throws JsonError The text is no JSON, or nests too deep.
 */
export function formatJson(text: string, options: FormatOptions = {}): string {
  const indent = options.indent ?? 2;
  const depthMax = options.depthMax ?? DEPTH_MAX;
  const scanner = new JsonScanner(text, depthMax);
  const lines: string[] = [];
  if (indent > 0) {
    for (let depth = 0, blanks = "\n"; depth <= depthMax; depth++, blanks += " ".repeat(indent)) {
      lines.push(blanks);
    }
  }
  const colon = indent > 0 ? ": " : ":";
  const pieces: string[] = [];
  let isFirst = true;
  let isMember = false;
  for (let kind = scanner.next(); kind !== Token.End; kind = scanner.next()) {
    if (kind === Token.ObjectEnd || kind === Token.ArrayEnd) {
      if (!isFirst) {
        pieces.push(lines[scanner.depth] ?? "");
      }
      pieces.push(kind === Token.ObjectEnd ? "}" : "]");
      isFirst = false;
      continue;
    }
    const isOpen = kind === Token.ObjectStart || kind === Token.ArrayStart;
    const depth = isOpen ? scanner.depth - 1 : scanner.depth;
    if (!isMember && depth > 0) {
      if (!isFirst) {
        pieces.push(",");
      }
      pieces.push(lines[depth] ?? "");
    }
    pieces.push(scanner.slice);
    isMember = kind === Token.Name;
    if (isMember) {
      pieces.push(colon);
    }
    isFirst = isOpen;
  }
  return pieces.join("");
}

/** Checks a text. Gives what is wrong, or undefined if it is JSON. */
export function checkJson(text: string, depthMax: number = DEPTH_MAX): Error | undefined {
  try {
    const scanner = new JsonScanner(text, depthMax);
    while (scanner.next() !== Token.End) {
      // Each token is checked as it is read.
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
