import { JsonError } from "./jsonError";

// Documents are never read into JavaScript's own values to be saved: a number would lose digits. The scanner cuts the
// text into tokens, which are slices of it, and whoever writes it again writes the slices.

/** What a token is. */
export const Token = {
  End: 0,
  ObjectStart: 1,
  ObjectEnd: 2,
  ArrayStart: 3,
  ArrayEnd: 4,
  Name: 5,
  Text: 6,
  Number: 7,
  Word: 8,
} as const;

/** One of {@link Token}. */
export type TokenKind = (typeof Token)[keyof typeof Token];

/** How deep the server lets objects and arrays nest. */
export const DEPTH_MAX = 128;

const STATES = { Value: 0, FirstName: 1, Name: 2, FirstItem: 3, After: 4, Done: 5 } as const;
type State = (typeof STATES)[keyof typeof STATES];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Reads JSON token by token, and refuses what is none at its place. It never calls itself: depth costs no stack. */
export class JsonScanner {
  /** The text. */
  readonly text: string;
  /** Where the token begins. */
  start = 0;
  /** Where it ends. */
  end = 0;
  /** How many objects and arrays are open. */
  depth = 0;

  readonly #isObject: Uint8Array;
  #state: State = STATES.Value;
  /** Where the next token is looked for: behind this one, or behind the colon of a name. */
  #next: number;

  constructor(text: string, depthMax: number = DEPTH_MAX) {
    this.text = text;
    this.#isObject = new Uint8Array(depthMax + 1);
    // A byte order mark is no JSON, but files have one.
    this.#next = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  /** The token as it stands in the text. */
  get slice(): string {
    return this.text.substring(this.start, this.end);
  }

  /** Reads the next token; the colon behind a name is read with it. */
  next(): TokenKind {
    let at = this.#skipBlanks(this.#next);
    let code = this.text.charCodeAt(at);
    switch (this.#state) {
      case STATES.Done:
        return at < this.text.length
          ? this.#fail(at, "The text goes on after its value.")
          : this.#take(Token.End, at, at);
      case STATES.FirstName:
        return code === 0x7d ? this.#close(Token.ObjectEnd, at) : this.#name(at, code);
      case STATES.Name:
        return this.#name(at, code);
      case STATES.FirstItem:
        return code === 0x5d ? this.#close(Token.ArrayEnd, at) : this.#value(at, code);
      case STATES.After: {
        const isObject = this.#isObject[this.depth] === 1;
        if (code === COMMA) {
          at = this.#skipBlanks(at + 1);
          code = this.text.charCodeAt(at);
          return isObject ? this.#name(at, code) : this.#value(at, code);
        }
        if (code === (isObject ? 0x7d : 0x5d)) {
          return this.#close(isObject ? Token.ObjectEnd : Token.ArrayEnd, at);
        }
        return this.#fail(at, `A comma or ${isObject ? "}" : "]"} is missing.`);
      }
      default:
        return this.#value(at, code);
    }
  }

  #take(kind: TokenKind, start: number, end: number): TokenKind {
    this.start = start;
    this.end = end;
    this.#next = kind === Token.Name ? this.#next : end;
    return kind;
  }

  #fail(at: number, reason: string): never {
    throw new JsonError(this.text, at, at >= this.text.length ? "The text ends too early." : reason);
  }

  #skipBlanks(from: number): number {
    const text = this.text;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return at;
      }
      at++;
    }
  }

  #name(at: number, code: number): TokenKind {
    if (code !== QUOTE) {
      this.#fail(at, "A property name in double quotes is missing.");
    }
    const end = this.#quoted(at);
    const colon = this.#skipBlanks(end);
    if (this.text.charCodeAt(colon) !== 0x3a) {
      this.#fail(colon, "A colon is missing.");
    }
    this.#state = STATES.Value;
    this.#next = colon + 1;
    return this.#take(Token.Name, at, end);
  }

  #value(at: number, code: number): TokenKind {
    if (code === QUOTE) {
      return this.#scalar(Token.Text, at, this.#quoted(at));
    }
    if (code === 0x7b || code === 0x5b) {
      return this.#open(at, code === 0x7b);
    }
    if (code === MINUS || (code >= ZERO && code <= NINE)) {
      return this.#scalar(Token.Number, at, this.#number(at));
    }
    for (const word of ["true", "false", "null"]) {
      if (code === word.charCodeAt(0) && this.text.startsWith(word, at)) {
        return this.#scalar(Token.Word, at, at + word.length);
      }
    }
    return this.#fail(at, "This character cannot start a value.");
  }

  #scalar(kind: TokenKind, start: number, end: number): TokenKind {
    this.#state = this.depth === 0 ? STATES.Done : STATES.After;
    return this.#take(kind, start, end);
  }

  #open(at: number, isObject: boolean): TokenKind {
    if (this.depth + 1 >= this.#isObject.length) {
      this.#fail(at, `Objects and arrays nest deeper than ${this.#isObject.length - 1}.`);
    }
    this.#isObject[++this.depth] = isObject ? 1 : 0;
    this.#state = isObject ? STATES.FirstName : STATES.FirstItem;
    return this.#take(isObject ? Token.ObjectStart : Token.ArrayStart, at, at + 1);
  }

  #close(kind: TokenKind, at: number): TokenKind {
    this.depth--;
    return this.#scalar(kind, at, at + 1);
  }

  #quoted(start: number): number {
    const text = this.text;
    for (let at = start + 1; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        return at + 1;
      }
      if (code === BACKSLASH) {
        at = this.#escape(at + 1);
      } else if (!(code >= 0x20)) {
        // NaN, past the end, is not at least anything.
        this.#fail(at, "A control character stands in a text: it is written as an escape.");
      }
    }
  }

  /** Gives the last character of an escape. */
  #escape(at: number): number {
    const code = this.text.charCodeAt(at);
    if (code === 0x75) {
      for (let digit = at + 1; digit <= at + 4; digit++) {
        if (!isHex(this.text.charCodeAt(digit))) {
          this.#fail(digit, "An escape \\u has four hexadecimal digits.");
        }
      }
      return at + 4;
    }
    return '"\\/bfnrt'.includes(this.text.charAt(at)) && at < this.text.length
      ? at
      : this.#fail(at, "There is no such escape.");
  }

  #number(start: number): number {
    const text = this.text;
    let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
    if (text.charCodeAt(at) === ZERO) {
      at++;
    } else {
      at = this.#digits(at);
    }
    if (text.charCodeAt(at) === DOT) {
      at = this.#digits(at + 1);
    }
    const exponent = text.charCodeAt(at) | 0x20;
    if (exponent === 0x65) {
      const sign = text.charCodeAt(at + 1);
      at = this.#digits(sign === MINUS || sign === 0x2b ? at + 2 : at + 1);
    }
    const after = text.charCodeAt(at);
    if ((after >= ZERO && after <= NINE) || after === DOT || after === MINUS || after === 0x2b) {
      this.#fail(at, "The number goes on where it should end.");
    }
    return at;
  }

  #digits(start: number): number {
    let at = start;
    for (let code = this.text.charCodeAt(at); code >= ZERO && code <= NINE; code = this.text.charCodeAt(at)) {
      at++;
    }
    return at > start ? at : this.#fail(at, "A digit is missing.");
  }
}

function isHex(code: number): boolean {
  const lower = code | 0x20;
  return (code >= ZERO && code <= NINE) || (lower >= 0x61 && lower <= 0x66);
}
