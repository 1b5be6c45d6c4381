// src/json/jsonError.ts
/** A text that is no JSON, or nests too deep: what is wrong, and where. */
var JsonError = class extends Error {
	/** What is wrong, without the place. */
	reason;
	/** The offset in UTF-16 units, from 0. */
	offset;
	/** The line, from 1. */
	line;
	/** The column in UTF-16 units, from 1. */
	column;
	/** @param place Line and column, if they are known; else they are counted in the text. */
	constructor(text, offset, reason, place) {
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
};

export { JsonError };