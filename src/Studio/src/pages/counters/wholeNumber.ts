const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Reads a whole number of 64 bits as a person types it, with blanks between its groups; undefined if it is none. */
export function readWhole(text: string): string | undefined {
  const bare = text.replace(/[\s\u2009\u00a0]/g, "").replace(/^[−–]/, "-");
  if (!/^[+-]?\d{1,20}$/.test(bare)) {
    return undefined;
  }
  const value = BigInt(bare.replace(/^\+/, ""));
  return value >= MIN && value <= MAX ? String(value) : undefined;
}

/** The sum of two whole numbers; undefined if it has more than 64 bits. */
export function addWhole(a: string, b: string): string | undefined {
  const sum = BigInt(a) + BigInt(b);
  return sum >= MIN && sum <= MAX ? String(sum) : undefined;
}

/** Digits grouped by thin spaces. */
export function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, "\u2009");
}
