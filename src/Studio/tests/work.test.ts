import { expect, test } from "vitest";
import { Text } from "../src/editor/codemirror";
import { linesOf, textOf } from "../src/editor/longText";
import { JsonError } from "../src/json/jsonError";
import { JSON_JOBS } from "../src/json/jsonJobs";
import { openMerge, runJob } from "../src/json/jsonWork";
import { diffLines, type TextDiff } from "../src/json/lineDiff";
import { FUZZ, Random, SEED } from "./random";

/** What a diff makes of the text before: the text after, if the diff is right. */
function apply(before: string, diff: TextDiff): string {
  const left = before.split("\n");
  const out: string[] = [];
  let at = 0;
  for (const { before: first, lines } of diff.hunks) {
    // Nothing stands before an insertion into an empty text.
    for (; at < first - 1; at++) {
      out.push(left[at] ?? "");
    }
    for (const line of lines) {
      if (line.charAt(0) !== "+") {
        expect(left[at]).toBe(line.slice(1));
        at++;
      }
      if (line.charAt(0) !== "-") {
        out.push(line.slice(1));
      }
    }
  }
  return [...out, ...left.slice(at)].join("\n");
}

test("a difference has the lines that went and came, with three lines around", () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const after = before.map((line, at) => (at === 10 ? "other" : line));
  expect(diffLines(before.join("\n"), after.join("\n"))).toEqual({
    cutLines: 0,
    hunks: [
      {
        before: 8,
        after: 8,
        lines: [" line 7", " line 8", " line 9", "-line 10", "+other", " line 11", " line 12", " line 13"],
      },
    ],
  });
  expect(diffLines("a\nb", "a\nb").hunks).toEqual([]);
});

test("fuzz: a difference makes the text after of the text before, and is the shortest for one change", () => {
  for (let seed = SEED; seed < SEED + 3_000 * FUZZ; seed++) {
    const random = new Random(seed);
    const make = () => Array.from({ length: random.below(30) }, () => random.of(["a", "b", "c", ""])).join("\n");
    const before = make();
    const after = make();
    if (apply(before, diffLines(before, after)) !== after) {
      expect.fail(`STUDIO_SEED=${seed}: ${JSON.stringify([before, after])}`);
    }
  }
  const lines = Array.from({ length: 1_000 }, (_, at) => String(at));
  const changed = [...lines.slice(0, 100), "new", ...lines.slice(101, 900), ...lines.slice(901)];
  const marks = diffLines(lines.join("\n"), changed.join("\n")).hunks.flatMap((hunk) =>
    hunk.lines.map((one) => one[0]),
  );
  expect(marks.filter((mark) => mark !== " ")).toEqual(["-", "+", "-"]);
});

test("texts that differ everywhere are one change, and are cut where they are too many lines", () => {
  const many = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word}${at}`).join("\n");
  const diff = diffLines(many("a"), many("b"), 100);
  expect(diff.hunks.map((hunk) => hunk.lines.length)).toEqual([100]);
  expect(diff.cutLines).toBe(39_900);
});

test("a long text is cut into lines and put together as it was", async () => {
  for (const text of ["", "\n", "a", "a\n", `${"x".repeat(399_999)}\n`, `${"line\n".repeat(300_000)}end`]) {
    const lines = await linesOf(text);
    expect(lines.eq(Text.of(text.split("\n")))).toBe(true);
    expect((await textOf(lines)) === text).toBe(true);
  }
  const broken = `${"y".repeat(399_999)}\n${"z".repeat(800_000)}\n`;
  expect((await textOf(await linesOf(broken))) === broken).toBe(true);
});

test("a document is opened without what the server writes, digit by digit", async () => {
  const answer = '{"Results":[null,{"A":1.10,"@metadata":{"@id":"a/1","@collection":"A","@change-vector":"v"}}]}';
  expect(await runJob("open", answer)).toEqual({
    id: "a/1",
    collection: "A",
    changeVector: "v",
    lastModified: undefined,
    text: '{\n  "A": 1.10,\n  "@metadata": {\n    "@collection": "A"\n  }\n}',
  });
  expect(await runJob("open", '{"Results":[null]}')).toBe(null);
  await expect(runJob("pack", "[1]")).rejects.toBeInstanceOf(JsonError);
  expect(await runJob("pack", '{"a":1.10}')).toBe('{"a":1.10}');
  await expect(runJob("pack", '{"a":1,"a":2}')).rejects.toThrow("already");
});

test("half of a character is refused at its place, as the server refuses it", async () => {
  const offsetOf = (text: string) =>
    runJob("pack", text).then(
      () => -1,
      (error: JsonError) => error.offset,
    );
  expect(await offsetOf('{"a":"\\ud83d\\ude00 \\uD83D\\uDE00 \\\\ud83d 😀 \\u0041"}')).toBe(-1);
  expect(await offsetOf('{"a":"x\\ud83d"}')).toBe(7);
  expect(await offsetOf('{"\\ude00\\ud83d":1}')).toBe(2);
  expect(await offsetOf('{"a":"\\ud83dx\\ude00"}')).toBe(6);
  expect(await offsetOf('{"a":"\ud83d"}')).toBe(6);
});

test("a merge waits for choices until it is closed", async () => {
  const merge = await openMerge('{"a":1,"b":1}', '{"a":2,"b":1,"c":1}', '{"a":3,"b":1}');
  expect(merge.conflicts).toEqual([{ path: "a", base: "1", theirs: "2", mine: "3" }]);
  expect(JSON.parse(await merge.resolve(["theirs"]))).toEqual({ a: 2, b: 1, c: 1 });
  expect(JSON.parse(await merge.resolve([]))).toEqual({ a: 3, b: 1, c: 1 });
  merge.close();
  await expect(async () => merge.resolve([])).rejects.toThrow("over");
  await expect(openMerge("{", "{}", "{}")).rejects.toBeInstanceOf(JsonError);
});

test("a long answer is shrunk for a list: counts and begins, ids and numbers as they are", async () => {
  const row = `{"A":1.10,"B":{"x":1,"y":2},"C":[1,2,3],"D":"${"z".repeat(2_000)}","@metadata":{"@id":"a/1"}}`;
  const shrunk = await runJob("shrink", `{"TotalResults":1,"Results":[${row},null,7],"Includes":{"b/1":{"E":1}}}`);
  expect(shrunk).toBe(
    `{"TotalResults":1,"Results":[{"A":1.10,"B":{"@object":2},"C":{"@array":3},"D":"${"z".repeat(1_000)}…",` +
      '"@metadata":{"@id":"a/1"}},null,7],"Includes":{"b/1":{"@object":1}}}',
  );
  const wide = `{${Array.from({ length: 1_500 }, (_, at) => `"p${at}":${at}`).join(",")},"@metadata":{"@id":"a/1"}}`;
  expect(await runJob("shrink", `{"Results":[${wide}]}`)).toContain('"p999":999,"@metadata":{"@id":"a/1"}');
});

test("what jobs give can be sent from a worker", () => {
  const merge = JSON_JOBS.merge(-1, '{"a":[1]}', '{"a":[2]}', '{"a":[3]}');
  JSON_JOBS.endMerge(-1);
  for (const value of [merge, JSON_JOBS.open('{"Results":[{"A":1}]}'), diffLines("a", "b")]) {
    expect(structuredClone(value)).toEqual(value);
  }
});
