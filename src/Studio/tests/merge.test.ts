import { describe, expect, test } from "vitest";
import { mergeJson, pathText } from "../src/json/jsonMerge";
import { isSame, type JsonNode, parseJson, printJson } from "../src/json/jsonTree";
import { randomJson } from "./jsonText";
import { FUZZ, Random, SEED } from "./random";

function merge(base: string, theirs: string, mine: string) {
  const result = mergeJson(parseJson(base), parseJson(theirs), parseJson(mine));
  const text = (choices?: ("base" | "theirs" | "mine")[]) => printJson(result.resolve(choices) as JsonNode, 0);
  return { ...result, text, paths: result.conflicts.map((one) => pathText(one.path)) };
}

describe("mergeJson", () => {
  test("takes what only one side changed", () => {
    const merged = merge('{"a":1,"b":2,"c":3}', '{"a":9,"b":2,"c":3}', '{"a":1,"b":2,"c":1.10}');
    expect([merged.text(), merged.paths, merged.fromTheirs, merged.fromMine]).toEqual([
      '{"a":9,"b":2,"c":1.10}',
      [],
      1,
      1,
    ]);
  });

  test("a conflict is asked for, and mine stands until then", () => {
    const merged = merge('{"Freight":8.53}', '{"Freight":9.10}', '{"Freight":8.60}');
    expect(merged.paths).toEqual(["Freight"]);
    expect([merged.text(), merged.text(["theirs"]), merged.text(["base"])]).toEqual([
      '{"Freight":8.60}',
      '{"Freight":9.10}',
      '{"Freight":8.53}',
    ]);
  });

  test("what one side deleted and the other changed is a conflict", () => {
    const merged = merge('{"a":{"x":1},"b":1}', '{"b":1}', '{"a":{"x":2},"b":1}');
    expect(merged.paths).toEqual(["a"]);
    expect([merged.text(["theirs"]), merged.text(["mine"])]).toEqual(['{"b":1}', '{"a":{"x":2},"b":1}']);
  });

  test("both add the same, or add apart", () => {
    expect(merge("{}", '{"a":1}', '{"a":1}').text()).toBe('{"a":1}');
    expect(merge("{}", '{"a":{"x":1}}', '{"a":{"y":2}}').text()).toBe('{"a":{"x":1,"y":2}}');
    expect(merge("{}", '{"a":1}', '{"a":2}').paths).toEqual(["a"]);
  });

  test("a property of theirs comes behind the one that it stands behind there", () => {
    expect(merge('{"a":1,"b":1}', '{"n":1,"a":1,"x":2,"b":1}', '{"a":1,"m":3,"b":1}').text()).toBe(
      '{"n":1,"a":1,"x":2,"m":3,"b":1}',
    );
  });

  test("items of arrays that moved, came and went", () => {
    expect(merge("[1,2,3]", "[1,2,3,4]", "[0,1,2,3]").text()).toBe("[0,1,2,3,4]");
    expect(merge("[1,2,3]", "[2,3]", "[1,2,9,3]").text()).toBe("[2,9,3]");
    expect(merge("[1,2,3]", "[1,3]", "[1,3]").text()).toBe("[1,3]");
    expect(merge("[1,2]", "[1,2,3]", "[1,2,4]").paths).toEqual(["the whole document"]);
    expect(merge("[1,2,3,4,5]", "[2,3,4,5,9]", "[1,2,3,8,5]").text()).toBe("[2,3,8,5,9]");
    expect(merge("[1,2,3]", "[2,3,9]", "[1,8,3]").paths).toEqual(["the whole document"]);
  });

  test("two properties of one item", () => {
    const merged = merge('[{"a":1,"b":1,"c":1},5]', '[{"a":2,"b":1,"c":1},5]', '[{"a":1,"b":2,"c":1},5]');
    expect([merged.text(), merged.paths]).toEqual(['[{"a":2,"b":2,"c":1},5]', []]);
    expect(merge('[{"a":1,"b":1,"c":1}]', '[{"a":2,"b":1,"c":1}]', '[{"a":3,"b":1,"c":1}]').paths).toEqual(["[0].a"]);
  });

  test("items that moved up are not mixed with those that stood there", () => {
    const merged = merge(
      '[{"id":1,"q":1},{"id":2,"q":1}]',
      '[{"id":1,"q":1},{"id":2,"q":5}]',
      '[{"id":2,"q":1},{"id":3,"q":1}]',
    );
    expect(merged.paths).toEqual(["the whole document"]);
  });

  test("system fields are theirs, and nobody is asked", () => {
    const document = (vector: string, more: string) =>
      `{"a":1,"@metadata":{"@collection":"A","@change-vector":"${vector}","@last-modified":"${vector}"${more}}}`;
    const merged = merge(document("A:1", ""), document("A:2", ""), document("A:1", ',"Mine":true'));
    expect(merged.paths).toEqual([]);
    expect(merged.text()).toBe(document("A:2", ',"Mine":true'));
  });

  test("large arrays that differ in length are one conflict", () => {
    const list = (count: number, more: string) => `[${Array.from({ length: count }, (_, at) => at).join(",")}${more}]`;
    expect(merge(list(3_000, ""), list(3_000, ",1"), list(3_000, ",2")).paths).toEqual(["the whole document"]);
  });

  test("paths", () => {
    expect(pathText(["a", 0, "b c", "@metadata", "漢"])).toBe('a[0]["b c"].@metadata.漢');
    expect(pathText([""])).toBe('[""]');
  });

  test("fuzz: laws of a merge", () => {
    for (let seed = SEED; seed < SEED + 10_000 * FUZZ; seed++) {
      const random = new Random(seed);
      const base = parseJson(randomJson(random));
      const theirs = random.below(2) ? change(base, random) : parseJson(randomJson(random));
      const mine = random.below(2) ? change(base, random) : parseJson(randomJson(random));
      const both = mergeJson(base, theirs, mine);
      const laws: [string, boolean][] = [
        ["mine alone", isSame(mergeJson(base, base, mine).resolve(), mine)],
        ["theirs alone", isSame(mergeJson(base, theirs, base).resolve(), theirs)],
        ["both the same", isSame(mergeJson(base, mine, mine).resolve(), mine)],
        ["alone has no conflict", mergeJson(base, base, mine).conflicts.length === 0],
        [
          "sides swapped",
          isMoved(base, theirs, mine) ||
            isSame(
              both.resolve(both.conflicts.map(() => "mine")),
              (({ conflicts, resolve }) => resolve(conflicts.map(() => "theirs")))(mergeJson(base, mine, theirs)),
            ),
        ],
        [
          "conflicts differ",
          both.conflicts.every((one) => !isSame(one.theirs, one.mine) && !isSame(one.base, one.mine)),
        ],
      ];
      const broken = laws.find(([, holds]) => !holds);
      if (broken) {
        const text = [base, theirs, mine].map((one) => printJson(one, 0)).join("\n");
        expect.fail(`STUDIO_SEED=${seed}: ${broken[0]}\n${text}`);
      }
    }
  });
});

/** System fields are theirs whichever side that is: such documents are not the same with the sides swapped. */
function isMoved(...nodes: JsonNode[]): boolean {
  return nodes.some((node) => node.kind === "object" && node.members.has("@metadata"));
}

/** Changes one value of a tree. */
function change(node: JsonNode, random: Random): JsonNode {
  if (node.kind === "object" && node.members.size > 0) {
    const name = random.of([...node.members.keys()]);
    const members = new Map(node.members);
    if (random.below(4) === 0) {
      members.delete(name);
    } else {
      members.set(name, change(node.members.get(name) as JsonNode, random));
    }
    return { kind: "object", members };
  }
  if (node.kind === "array" && node.items.length > 0) {
    const at = random.below(node.items.length);
    const items = [...node.items];
    if (random.below(3) === 0) {
      items.splice(at, random.below(2), { kind: "number", raw: String(random.below(1000)) });
    } else {
      items[at] = change(items[at] as JsonNode, random);
    }
    return { kind: "array", items };
  }
  return { kind: "number", raw: `${random.below(1000)}.0` };
}
