import type { Random } from "./random";

const NUMBERS = [
  "0",
  "-0",
  "1.10",
  "1e400",
  "-1E-7",
  "90071992547409931",
  "12345678901234567890123456789",
  "0.1000",
  "2.50e+3",
  "7",
];
const TEXTS = [
  '""',
  '"a"',
  '"\\u0041"',
  '"\\ud83d\\ude00"',
  '"😀"',
  '"<script>alert(1)</script>"',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '"\u2028\u2029"',
  '"ünïcode 漢字"',
  '"\u007f"',
];
const NAMES = ["a", "b", "Name", "@metadata", "with space", "漢", "__proto__", "constructor", "é", "", "x.y", "😀"];
const BLANKS = ["", "", "", " ", "\n", "\t", "\r\n", "  "];

/** Makes a JSON text; blanks stand wherever they may. */
export function randomJson(random: Random, depth = 0): string {
  const blank = () => random.of(BLANKS);
  const kind = random.below(depth > 5 ? 3 : 6);
  if (kind < 3) {
    const scalar =
      kind === 0 ? random.of(NUMBERS) : kind === 1 ? random.of(TEXTS) : random.of(["true", "false", "null"]);
    return blank() + scalar + blank();
  }
  const count = random.below(5);
  const parts: string[] = [];
  const names = new Set<string>();
  for (let at = 0; at < count; at++) {
    const name = random.of(NAMES);
    if (kind === 5) {
      parts.push(randomJson(random, depth + 1));
    } else if (!names.has(name)) {
      names.add(name);
      parts.push(`${blank()}${JSON.stringify(name)}${blank()}:${randomJson(random, depth + 1)}`);
    }
  }
  const body = parts.join(",") || blank();
  return blank() + (kind === 5 ? `[${body}]` : `{${body}}`) + blank();
}

/** Changes a text at random: takes characters out, puts some in, doubles or swaps stretches. */
export function mutate(text: string, random: Random): string {
  let changed = text;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(changed.length + 1);
    const end = Math.min(changed.length, at + 1 + random.below(4));
    const put = random.of([
      '"',
      "\\",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "0",
      "1",
      ".",
      "-",
      "e",
      "+",
      "t",
      "n",
      "\u0000",
      "\ud800",
      " ",
      "/",
    ]);
    changed = random.of([
      () => changed.slice(0, at) + changed.slice(end),
      () => changed.slice(0, at) + put + changed.slice(at),
      () => changed.slice(0, at) + put + changed.slice(end),
      () => changed.slice(0, end) + changed.slice(at),
    ])();
  }
  return changed;
}

/** The text without the blanks between its tokens, found apart from the scanner. */
export function withoutBlanks(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/gs, "$1");
}
