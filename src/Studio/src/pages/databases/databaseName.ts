/** The longest name of a database, in characters. */
const LENGTH_MAX = 128;

/** Why the server would not take a name; undefined if it should. */
export function nameRefusal(name: string): string | undefined {
  if (name.length > LENGTH_MAX) {
    return `A name has at most ${LENGTH_MAX} characters; this one has ${name.length}.`;
  }
  const odd = /[^A-Za-z0-9_.-]/u.exec(name);
  if (odd) {
    return odd[0] === " "
      ? "A name has no blanks."
      : `A name has no “${odd[0]}”: letters of English, digits, - _ and .`;
  }
  return /^\.|\.$/.test(name) ? "A name does not begin or end with a dot." : undefined;
}
