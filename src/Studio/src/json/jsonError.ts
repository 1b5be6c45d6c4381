/** A text that is no JSON, or nests too deep: what is wrong, and where. */
export class JsonError extends Error {
  /** What is wrong, without the place. */
  readonly reason: string;
  /** The offset in UTF-16 units, from 0. */
  readonly offset: number;
  /** The line, from 1. */
  readonly line: number;
  /** The column in UTF-16 units, from 1. */
  readonly column: number;

  /** @param place Line and column, if they are known; else they are counted in the text. */
  constructor(
    text: string,
    offset: number,
    reason: string,
    place?: { readonly line: number; readonly column: number },
  ) {
    let line = 1;
    let start = 0;
    for (let at = place ? -1 : text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
      line++;
      start = at + 1;
    }
    const column = place?.column ?? offset - start + 1;
    line = place?.line ?? line;
    super(`${reason} (line ${line}, column ${column})`);
    this.name = "JsonError";
    this.reason = reason;
    this.offset = offset;
    this.line = line;
    this.column = column;
  }
}
