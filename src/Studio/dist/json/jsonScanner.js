import { JsonError } from "./jsonError.js";

// src/json/jsonScanner.ts
/** What a token is. */
const Token = {
	End: 0,
	ObjectStart: 1,
	ObjectEnd: 2,
	ArrayStart: 3,
	ArrayEnd: 4,
	Name: 5,
	Text: 6,
	Number: 7,
	Word: 8
};
/** How deep the server lets objects and arrays nest. */
const DEPTH_MAX = 128;
const STATES = {
	Value: 0,
	FirstName: 1,
	Name: 2,
	FirstItem: 3,
	After: 4,
	Done: 5
};
const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
/** Reads JSON token by token, and refuses what is none at its place. It never calls itself: depth costs no stack. */
var JsonScanner = class {
	/** The text. */
	text;
	/** Where the token begins. */
	start = 0;
	/** Where it ends. */
	end = 0;
	/** How many objects and arrays are open. */
	depth = 0;
	#isObject;
	#state = STATES.Value;
	/** Where the next token is looked for: behind this one, or behind the colon of a name. */
	#next;
	constructor(text, depthMax = 128) {
		this.text = text;
		this.#isObject = new Uint8Array(depthMax + 1);
		this.#next = text.charCodeAt(0) === 65279 ? 1 : 0;
	}
	/** The token as it stands in the text. */
	get slice() {
		return this.text.substring(this.start, this.end);
	}
	/** Reads the next token; the colon behind a name is read with it. */
	next() {
		let at = this.#skipBlanks(this.#next);
		let code = this.text.charCodeAt(at);
		switch (this.#state) {
			case STATES.Done: return at < this.text.length ? this.#fail(at, "The text goes on after its value.") : this.#take(Token.End, at, at);
			case STATES.FirstName: return code === 125 ? this.#close(Token.ObjectEnd, at) : this.#name(at, code);
			case STATES.Name: return this.#name(at, code);
			case STATES.FirstItem: return code === 93 ? this.#close(Token.ArrayEnd, at) : this.#value(at, code);
			case STATES.After: {
				const isObject = this.#isObject[this.depth] === 1;
				if (code === COMMA) {
					at = this.#skipBlanks(at + 1);
					code = this.text.charCodeAt(at);
					return isObject ? this.#name(at, code) : this.#value(at, code);
				}
				if (code === (isObject ? 125 : 93)) return this.#close(isObject ? Token.ObjectEnd : Token.ArrayEnd, at);
				return this.#fail(at, `A comma or ${isObject ? "}" : "]"} is missing.`);
			}
			default: return this.#value(at, code);
		}
	}
	#take(kind, start, end) {
		this.start = start;
		this.end = end;
		this.#next = kind === Token.Name ? this.#next : end;
		return kind;
	}
	#fail(at, reason) {
		throw new JsonError(this.text, at, at >= this.text.length ? "The text ends too early." : reason);
	}
	#skipBlanks(from) {
		const text = this.text;
		let at = from;
		for (;;) {
			const code = text.charCodeAt(at);
			if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
			at++;
		}
	}
	#name(at, code) {
		if (code !== QUOTE) this.#fail(at, "A property name in double quotes is missing.");
		const end = this.#quoted(at);
		const colon = this.#skipBlanks(end);
		if (this.text.charCodeAt(colon) !== 58) this.#fail(colon, "A colon is missing.");
		this.#state = STATES.Value;
		this.#next = colon + 1;
		return this.#take(Token.Name, at, end);
	}
	#value(at, code) {
		if (code === QUOTE) return this.#scalar(Token.Text, at, this.#quoted(at));
		if (code === 123 || code === 91) return this.#open(at, code === 123);
		if (code === MINUS || code >= ZERO && code <= NINE) return this.#scalar(Token.Number, at, this.#number(at));
		for (const word of [
			"true",
			"false",
			"null"
		]) if (code === word.charCodeAt(0) && this.text.startsWith(word, at)) return this.#scalar(Token.Word, at, at + word.length);
		return this.#fail(at, "This character cannot start a value.");
	}
	#scalar(kind, start, end) {
		this.#state = this.depth === 0 ? STATES.Done : STATES.After;
		return this.#take(kind, start, end);
	}
	#open(at, isObject) {
		if (this.depth + 1 >= this.#isObject.length) this.#fail(at, `Objects and arrays nest deeper than ${this.#isObject.length - 1}.`);
		this.#isObject[++this.depth] = isObject ? 1 : 0;
		this.#state = isObject ? STATES.FirstName : STATES.FirstItem;
		return this.#take(isObject ? Token.ObjectStart : Token.ArrayStart, at, at + 1);
	}
	#close(kind, at) {
		this.depth--;
		return this.#scalar(kind, at, at + 1);
	}
	#quoted(start) {
		const text = this.text;
		for (let at = start + 1;; at++) {
			const code = text.charCodeAt(at);
			if (code === QUOTE) return at + 1;
			if (code === BACKSLASH) at = this.#escape(at + 1);
			else if (!(code >= 32)) this.#fail(at, "A control character stands in a text: it is written as an escape.");
		}
	}
	/** Gives the last character of an escape. */
	#escape(at) {
		if (this.text.charCodeAt(at) === 117) {
			for (let digit = at + 1; digit <= at + 4; digit++) if (!isHex(this.text.charCodeAt(digit))) this.#fail(digit, "An escape \\u has four hexadecimal digits.");
			return at + 4;
		}
		return "\"\\/bfnrt".includes(this.text.charAt(at)) && at < this.text.length ? at : this.#fail(at, "There is no such escape.");
	}
	#number(start) {
		const text = this.text;
		let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
		if (text.charCodeAt(at) === ZERO) at++;
		else at = this.#digits(at);
		if (text.charCodeAt(at) === DOT) at = this.#digits(at + 1);
		if ((text.charCodeAt(at) | 32) === 101) {
			const sign = text.charCodeAt(at + 1);
			at = this.#digits(sign === MINUS || sign === 43 ? at + 2 : at + 1);
		}
		const after = text.charCodeAt(at);
		if (after >= ZERO && after <= NINE || after === DOT || after === MINUS || after === 43) this.#fail(at, "The number goes on where it should end.");
		return at;
	}
	#digits(start) {
		let at = start;
		for (let code = this.text.charCodeAt(at); code >= ZERO && code <= NINE; code = this.text.charCodeAt(at)) at++;
		return at > start ? at : this.#fail(at, "A digit is missing.");
	}
};
function isHex(code) {
	const lower = code | 32;
	return code >= ZERO && code <= NINE || lower >= 97 && lower <= 102;
}

export { JsonScanner, Token };