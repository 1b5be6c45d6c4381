import { describe, expect, test } from "vitest";
import { JsonError } from "../src/json/jsonError";
import { checkJson, formatJson } from "../src/json/jsonFormat";
import { DEPTH_MAX } from "../src/json/jsonScanner";
import { isSame, parseJson, printJson } from "../src/json/jsonTree";
import { mutate, randomJson, withoutBlanks } from "./jsonText";
import { FUZZ, Random, SEED } from "./random";

function errorOf(action: () => unknown): JsonError {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(JsonError);
    return error as JsonError;
  }
  throw new Error("It was taken.");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("formatJson", () => {
  test("keeps numbers digit by digit", () => {
    const text = '{"Id":90071992547409931,"Price":1.10,"Big":1e400,"Long":[0.10000,-0,1E+2]}';
    expect(formatJson(formatJson(text), { indent: 0 })).toBe(text);
    expect(formatJson('{"a":1.10}')).toBe('{\n  "a": 1.10\n}');
  });

  test("keeps escapes of texts and names as they stand", () => {
    const text = '{"\\u0041":"\\/\\u00e9\\ud800","B":""}';
    expect(formatJson(text, { indent: 0 })).toBe(text);
  });

  test("writes what is empty in one line", () => {
    expect(formatJson('{"a":{ },"b":[ \n ],"c":[[]]}')).toBe('{\n  "a": {},\n  "b": [],\n  "c": [\n    []\n  ]\n}');
  });

  test("takes a byte order mark and a value that is no object", () => {
    expect(formatJson("\ufeff 1.0 ")).toBe("1.0");
  });

  test("nests as deep as the server lets documents, and refuses one more at its place", () => {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(formatJson(deep(DEPTH_MAX), { indent: 0 })).toBe(deep(DEPTH_MAX));
    expect(errorOf(() => formatJson(deep(DEPTH_MAX + 1))).offset).toBe(DEPTH_MAX);
    const error = errorOf(() => formatJson(`{"a":\n${deep(100_000)}}`));
    expect([error.line, error.column]).toEqual([2, DEPTH_MAX]);
    expect(error.reason).toBe("Objects and arrays nest deeper than 128.");
  });

  test.each([
    ["", 0, "The text ends too early."],
    ["  ", 2, "The text ends too early."],
    ['{"a":1', 6, "The text ends too early."],
    ['{"a" 1}', 5, "A colon is missing."],
    ["{a:1}", 1, "A property name in double quotes is missing."],
    ['{"a":1,}', 7, "A property name in double quotes is missing."],
    ["[1,]", 3, "This character cannot start a value."],
    ["[1 2]", 3, "A comma or ] is missing."],
    ['{"a":1]', 6, "A comma or } is missing."],
    ["1 2", 2, "The text goes on after its value."],
    ["01", 1, "The number goes on where it should end."],
    ["1.", 2, "The text ends too early."],
    ["1.x", 2, "A digit is missing."],
    ["-", 1, "The text ends too early."],
    ["1e+]", 3, "A digit is missing."],
    ["NaN", 0, "This character cannot start a value."],
    ["truth", 0, "This character cannot start a value."],
    ['"\u0001"', 1, "A control character stands in a text: it is written as an escape."],
    ['"\\x"', 2, "There is no such escape."],
    ['"\\u12g4"', 5, "An escape \\u has four hexadecimal digits."],
  ])("refuses %j", (text, offset, reason) => {
    const error = errorOf(() => formatJson(text));
    expect([error.offset, error.reason]).toEqual([offset, reason]);
  });

  test("says line and column", () => {
    const error = errorOf(() => formatJson('{\n  "a": 1,\n  "b": x\n}'));
    expect([error.line, error.column]).toEqual([3, 8]);
    expect(error.message).toBe("This character cannot start a value. (line 3, column 8)");
  });

  test("lays out 20 MB", () => {
    const item = '{"Id":"orders/1","Freight":1.10,"Lines":[1,2,3],"Name":"some text that is longer than the others"}';
    const text = `[${new Array(210_000).fill(item).join(",")}]`;
    expect(text.length).toBeGreaterThan(20_000_000);
    const laid = formatJson(text);
    expect(withoutBlanks(laid.slice(0, 100_000))).toBe(text.slice(0, withoutBlanks(laid.slice(0, 100_000)).length));
    expect(laid.split("\n").length).toBe(210_000 * 10 + 2);
    expect(formatJson(laid, { indent: 0 })).toBe(text);
  });

  test("fuzz: only blanks change, and formatting twice changes nothing", () => {
    for (let seed = SEED; seed < SEED + 5_000 * FUZZ; seed++) {
      const text = randomJson(new Random(seed));
      const laid = formatJson(text);
      const bare = withoutBlanks(text);
      if (withoutBlanks(laid) !== bare || formatJson(laid) !== laid || formatJson(laid, { indent: 0 }) !== bare) {
        expect.fail(`STUDIO_SEED=${seed}: ${JSON.stringify(text)}`);
      }
    }
  });

  test("fuzz: mutated texts are taken exactly when the browser takes them", () => {
    let refused = 0;
    for (let seed = SEED; seed < SEED + 20_000 * FUZZ; seed++) {
      const random = new Random(seed);
      const text = mutate(randomJson(random), random);
      const error = checkJson(text);
      refused += error ? 1 : 0;
      if (isJson(text) !== !error) {
        expect.fail(`STUDIO_SEED=${seed}: ${JSON.stringify(text)}: ${error}`);
      }
      if (error && !(error instanceof JsonError && error.offset >= 0 && error.offset <= text.length)) {
        expect.fail(`STUDIO_SEED=${seed}: ${JSON.stringify(text)}: ${error}`);
      }
    }
    expect(refused).toBeGreaterThan(1_000);
  });
});

describe("parseJson", () => {
  test("refuses a name twice, also when one is written with an escape", () => {
    expect(errorOf(() => parseJson('{"a":1,"b":2,"\\u0061":3}')).offset).toBe(13);
    expect(printJson(parseJson('[{"a":1},{"a":1}]'), 0)).toBe('[{"a":1},{"a":1}]');
  });

  test("has no names of its own", () => {
    const text = '{"__proto__":1,"constructor":{"prototype":2}}';
    expect(printJson(parseJson(text), 0)).toBe(text);
    expect(isSame(parseJson("{}"), parseJson('{"__proto__":1}'))).toBe(false);
  });

  test("100,000 properties", () => {
    const text = `{${Array.from({ length: 100_000 }, (_, at) => `"p${at}":${at}`).join(",")}}`;
    expect(printJson(parseJson(text), 0)).toBe(text);
  });

  test("fuzz: what is printed reads the same as the browser reads it", () => {
    for (let seed = SEED; seed < SEED + 5_000 * FUZZ; seed++) {
      const text = randomJson(new Random(seed));
      const printed = printJson(parseJson(text), 0);
      if (
        JSON.stringify(JSON.parse(printed)) !== JSON.stringify(JSON.parse(text)) ||
        !isSame(parseJson(printed), parseJson(text))
      ) {
        expect.fail(`STUDIO_SEED=${seed}: ${JSON.stringify(text)}`);
      }
    }
  });

  test("numbers are the same digit by digit, texts by what they say, objects in any order", () => {
    const same = (a: string, b: string) => isSame(parseJson(a), parseJson(b));
    expect(same("1.10", "1.1")).toBe(false);
    expect(same("90071992547409931", "90071992547409930")).toBe(false);
    expect(same('"\\u0041"', '"A"')).toBe(true);
    expect(same('{"a":1,"b":2}', '{"b":2,"a":1}')).toBe(true);
    expect(same("[1,2]", "[2,1]")).toBe(false);
    expect(same('{"a":null}', '{"b":null}')).toBe(false);
  });
});
