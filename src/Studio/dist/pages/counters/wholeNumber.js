// src/pages/counters/wholeNumber.ts
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** Reads a whole number of 64 bits as a person types it, with blanks between its groups; undefined if it is none. */
function readWhole(text) {
	const bare = text.replace(/[\s\u2009\u00a0]/g, "").replace(/^[−–]/, "-");
	if (!/^[+-]?\d{1,20}$/.test(bare)) return;
	const value = BigInt(bare.replace(/^\+/, ""));
	return value >= MIN && value <= MAX ? String(value) : void 0;
}
/** The sum of two whole numbers; undefined if it has more than 64 bits. */
function addWhole(a, b) {
	const sum = BigInt(a) + BigInt(b);
	return sum >= MIN && sum <= MAX ? String(sum) : void 0;
}
/** Digits grouped by thin spaces. */
function groupDigits(digits) {
	return digits.replace(/\B(?=(\d{3})+$)/g, " ");
}

export { addWhole, groupDigits, readWhole };