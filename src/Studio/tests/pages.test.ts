import { describe, expect, test } from "vitest";
import { asCurl, queryAsCSharp, queryAsNode, shellQuote } from "../src/api/copyAs";
import { ServerError, urlOf } from "../src/api/http";
import type { IndexStats } from "../src/api/types";
import { rankItems } from "../src/app/paletteRank";
import { parseSearch, writeSearch } from "../src/app/search";
import { parseJson, printJson } from "../src/json/jsonTree";
import { withoutSystemFields } from "../src/json/systemFields";
import { EventRing } from "../src/pages/changes/eventRing";
import { nameRefusal } from "../src/pages/databases/databaseName";
import { chosenColumns, columnFields, gridColumns, readColumns, writeColumns } from "../src/pages/documents/columns";
import { indexState, isOfFilter, lagMs } from "../src/pages/indexes/indexState";
import { readTrial, trialScript, updateParts } from "../src/pages/patch/patchModel";
import { placedMessage } from "../src/pages/query/indexChip";
import {
  flameBars,
  parameterJson,
  parameterNames,
  queryBody,
  readResult,
  resultColumns,
  withTimings,
} from "../src/pages/query/queryModel";
import { formatBytes, formatCount, formatDuration, formatShort, formatTime, plural } from "../src/ui/format";

const plain = (text: string) => text.replaceAll("\u2009", " ");

describe("format", () => {
  test("counts, sizes, times and stretches of time have no locale", () => {
    expect([0, 999, 1000, 1234567].map(formatCount).map(plain)).toEqual(["0", "999", "1 000", "1 234 567"]);
    expect([formatCount(null), formatBytes(null), formatTime(null)]).toEqual(["–", "–", "–"]);
    expect([0, 1023, 1024, 1536, 88080384, 2 ** 40].map(formatBytes).map(plain)).toEqual([
      "0 B",
      "1023 B",
      "1.0 KiB",
      "1.5 KiB",
      "84.0 MiB",
      "1.0 TiB",
    ]);
    expect(formatTime("2026-11-26T08:30:12.3456789Z")).toBe("2026-11-26 08:30:12.345Z");
    expect([formatTime("2026-11-26T08:30:12Z"), formatTime("what")]).toEqual(["2026-11-26 08:30:12Z", "what"]);
    expect([0.25, 3.14, 250, 1500, 240_000, 9_000_000].map(formatDuration).map(plain)).toEqual([
      "250 µs",
      "3.1 ms",
      "250 ms",
      "1.5 s",
      "4 min",
      "3 h",
    ]);
    expect([9_999, 12_345, 1_200_000].map(formatShort).map(plain)).toEqual(["9 999", "12.3k", "1.2M"]);
    expect([plural(1, "index", "indexes"), plural(2, "index", "indexes")]).toEqual(["1 index", "2 indexes"]);
  });
});

describe("what a URL holds", () => {
  test("texts stay texts: no digit of an id is lost", () => {
    const search = { id: "90071992547409931", q: "from 'A b' & more\n", empty: "" };
    expect(parseSearch(writeSearch(search))).toEqual({ id: "90071992547409931", q: "from 'A b' & more\n" });
    expect(parseSearch("?id=1e3&x=true")).toEqual({ id: "1e3", x: "true" });
  });

  test("requests", () => {
    expect(urlOf("/x", { a: "b/c", n: 0, none: undefined, list: ["1", "2"] })).toBe("/x?a=b%2Fc&n=0&list=1&list=2");
    expect(urlOf("/x")).toBe("/x");
  });
});

describe("ServerError", () => {
  test("says what the server said, or that it said nothing", () => {
    const said = new ServerError(
      "GET",
      "/x",
      409,
      '{"Type":"Conflict","Message":"It was changed.","Error":"all of it"}',
    );
    expect([said.message, said.type]).toEqual(["It was changed.", "Conflict"]);
    expect(said.report).toContain("all of it");
    expect(new ServerError("GET", "/x", 0, "").message).toBe("The server does not answer.");
    expect(new ServerError("GET", "/x", 502, "<html>bad gateway</html>").message).toBe("The server answered 502.");
    expect(new ServerError("GET", "/x", 500, '{"Message":7}').message).toBe("The server answered 500.");
  });
});

describe("copy as", () => {
  test("curl keeps quotes of the shell", () => {
    expect(shellQuote("it's")).toBe("'it'\\''s'");
    expect(asCurl({ method: "POST", url: "http://x/q", body: '{"a":"it\'s"}' })).toBe(
      "curl -X POST 'http://x/q' \\\n    -d '{\"a\":\"it'\\''s\"}'",
    );
    expect(asCurl({ method: "GET", url: "http://x" })).toBe("curl 'http://x'");
  });

  test("C# and JavaScript keep quotes and templates of the query", () => {
    expect(queryAsCSharp('from A where B = """x"""', { min: "1.10" })).toContain('""""\n    from A where B = """x"""');
    expect(queryAsCSharp("from A", { list: "[1]" })).toContain(
      'AddParameter("list", JsonSerializer.Deserialize<object>("[1]"))',
    );
    expect(queryAsNode("from A select `${b}`\\", {})).toContain("`from A select \\`\\${b}\\`\\\\`");
  });
});

describe("queries", () => {
  test("timings are asked for once, before the limit", () => {
    expect(withTimings("from A")).toBe("from A\ninclude timings()");
    expect(withTimings("from A where b = 1 limit 5, 10")).toBe("from A where b = 1\ninclude timings()\nlimit 5, 10");
    expect(withTimings("from A include B limit 5")).toBe("from A include timings(), B limit 5");
    expect(withTimings("from A include timings()")).toBe("from A include timings()");
    expect(withTimings("from A // the end")).toBe("from A\ninclude timings() // the end");
    expect(withTimings("from include")).toBe("from include\ninclude timings()");
  });

  test("parameters are JSON as typed, or texts", () => {
    expect(["1.10", "90071992547409931", '"a"', "a b", "[1, 2]", "", "nul"].map(parameterJson)).toEqual([
      "1.10",
      "90071992547409931",
      '"a"',
      '"a b"',
      "[1,2]",
      '""',
      '"nul"',
    ]);
    expect(parameterNames("from A where b > $min and c < $max and d = $min and e = '$no' // $not")).toEqual([
      "min",
      "max",
    ]);
    expect(queryBody('from "A"', { min: "90071992547409931" }, 100)).toBe(
      '{"Query":"from \\"A\\"","QueryParameters":{"min":90071992547409931},"Start":100,"PageSize":100}',
    );
  });

  test("an answer keeps its digits; its timings are a tree", () => {
    const result = readResult(
      '{"Results":[{"A":1.10,"@metadata":{}},{"B":2}],"TotalResults":2,"IsStale":true,"IndexName":"X","DurationInMs":3,' +
        '"Timings":{"DurationInMs":10,"Timings":{"Wait":{"DurationInMs":4,"DurationInMicroseconds":4250},"Search":{"DurationInMs":6}}}}',
    );
    expect(resultColumns(result.rows)).toEqual(["A", "B"]);
    expect(result.rows[0] && printJson(result.rows[0], 0)).toBe('{"A":1.10,"@metadata":{}}');
    expect([result.isStale, result.total, result.indexName]).toEqual([true, 2, "X"]);
    const bars = flameBars(result.timings ?? { name: "", ms: 0, parts: [] });
    expect(bars.map((bar) => [bar.name, bar.depth, bar.ms])).toEqual([
      ["All", 0, 10],
      ["Wait", 1, 4.25],
      ["Search", 1, 6],
    ]);
    expect(bars.every((bar) => bar.start >= 0 && bar.start + bar.length <= 1 + 1e-9)).toBe(true);
  });

  test("bars stay in their whole, whatever the parts sum up to", () => {
    const part = (ms: number) => ({ name: "p", ms, parts: [] });
    for (const parts of [[part(5), part(50)], [part(0), part(0)], []]) {
      for (const bar of flameBars({ name: "All", ms: 10, parts })) {
        expect(bar.start + bar.length).toBeLessThanOrEqual(1 + 1e-9);
      }
    }
    expect(flameBars({ name: "All", ms: 0, parts: [part(0)] }).map((bar) => bar.length)).toEqual([1, 0]);
  });
});

describe("columns", () => {
  const fields = columnFields({
    Fields: [
      { Path: "Lines[].Product", Share: 1, Kinds: { String: 3 }, Example: "a" },
      { Path: "Lines[].Price", Share: 1, Kinds: { Number: 3 }, Example: 1 },
      { Path: "ShipTo.City", Share: 1, Kinds: { String: 3 }, Example: "Rome" },
      { Path: "Freight", Share: 1, Kinds: { Number: 2, Null: 1 }, Example: 1.5 },
      { Path: "'odd name'", Share: 0.5, Kinds: { String: 1 }, Example: "x" },
      { Path: "@metadata", Share: 1, Kinds: { Object: 3 }, Example: null },
    ],
  });

  test("are the properties of the document itself", () => {
    expect(fields.map((field) => [field.name, field.kinds, field.isNumber])).toEqual([
      ["Lines", "Array", false],
      ["ShipTo", "Object", false],
      ["Freight", "Number, Null", true],
      ["odd name", "String", false],
    ]);
  });

  test("are chosen by a person, or scalars first", () => {
    expect(chosenColumns(fields, undefined)).toEqual(["Lines", "ShipTo", "Freight", "odd name"]);
    const odd = ["a,b", "%", "漢 字", "__proto__"];
    expect(readColumns(writeColumns(odd))).toEqual(odd);
    expect(readColumns("%zz,a")).toEqual(["a"]);
    expect(chosenColumns(fields, ",")).toEqual([]);
  });
});

describe("names, states and the palette", () => {
  test("names of databases", () => {
    expect(["shop", "a-b_c.d", "-x", "1"].map(nameRefusal)).toEqual([undefined, undefined, undefined, undefined]);
    expect([".x", "x.", "a b", "a/b", "é", "x".repeat(129)].every((name) => nameRefusal(name) !== undefined)).toBe(
      true,
    );
  });

  test("a column of times is wide enough for one", () => {
    const found = columnFields({
      Fields: [
        { Path: "OrderedAt", Kinds: { String: 1 }, Share: 1, Example: "1996-07-04T00:00:00.0000000" },
        { Path: "Company", Kinds: { String: 1 }, Share: 1, Example: "companies/1-A" },
      ],
    } as never);
    const [, at, company] = gridColumns(["OrderedAt", "Company"], found, false);
    expect([at?.width, (company?.width ?? 0) < 200]).toEqual([240, true]);
  });

  test("an error of a query has its place once", () => {
    expect(placedMessage({ Message: "expected a field", Line: 1, Column: 18 } as never)).toBe(
      "line 1, column 18: expected a field",
    );
    expect(placedMessage({ Message: "line 1, column 18: expected", Line: 1, Column: 18 } as never)).toBe(
      "line 1, column 18: expected",
    );
  });

  test("an index says what is worst about it", () => {
    const index = (more: Partial<IndexStats>) =>
      ({
        Name: "A/B",
        State: "Normal",
        Status: "Running",
        IsStale: false,
        ErrorsCount: 0,
        Collections: null,
        ...more,
      }) as IndexStats;
    expect(
      [
        index({}),
        index({ IsStale: true, Collections: { A: { DocumentLag: 1200 }, B: { DocumentLag: -1 } } }),
        index({ IsStale: true }),
        index({ IsStale: true, Status: "Paused" }),
        index({ State: "Error", IsStale: true }),
        index({ State: "Disabled" }),
      ].map((one) => plain(indexState(one).word)),
    ).toEqual(["up to date", "behind 1 200", "behind", "paused, behind", "faulted", "disabled"]);
    expect(isOfFilter(index({ ErrorsCount: 1 }), "errors", "a/")).toBe(true);
    expect(isOfFilter(index({}), "errors", "")).toBe(false);
    expect(lagMs(index({ BehindSince: "2026-11-26T08:30:12.0000000Z" }), Date.parse("2026-11-26T08:30:14Z"))).toBe(
      2000,
    );
    expect(lagMs(index({ BehindSince: null }), 0)).toBeUndefined();
  });

  test("the palette has exact titles first, then beginnings, then parts", () => {
    const items = ["All documents", "Documents", "Documents of x", "Order Lines"].map((title) => ({
      title,
      kind: "Page",
    }));
    expect(rankItems(items, "documents").map((one) => one.title)).toEqual([
      "Documents",
      "Documents of x",
      "All documents",
    ]);
    expect(rankItems(items, "lin ord").map((one) => one.title)).toEqual(["Order Lines"]);
    expect(rankItems(items, "")).toHaveLength(4);
  });

  test("a person edits no system fields", () => {
    const node = parseJson('{"A":1,"@metadata":{"@collection":"X","@id":"a","@change-vector":"v","@expires":"2030"}}');
    expect(printJson(withoutSystemFields(node), 0)).toBe('{"A":1,"@metadata":{"@collection":"X","@expires":"2030"}}');
  });
});

describe("patches", () => {
  test("a query with an update is cut into what it finds and its script", () => {
    expect(updateParts("from Orders as o where o.A = 1 update { o.B = '}'; }")).toEqual({
      find: "from Orders as o where o.A = 1",
      script: "o.B = '}';",
      alias: "o",
    });
    expect(updateParts("from Orders update { this.B++ } limit 5")?.find).toBe("from Orders limit 5");
    expect([
      updateParts("from Orders"),
      updateParts("from Orders update { "),
      updateParts("from Orders update"),
    ]).toEqual([undefined, undefined, undefined]);
  });

  test("a trial shows documents without what the server writes, digit by digit", () => {
    const trial = readTrial(
      '{"Status":"Patched","OriginalDocument":{"A":1.10,"@metadata":{"@id":"a"}},"ModifiedDocument":{"A":2.10},"Debug":{"Info":["x",1.0]}}',
    );
    expect(trial).toEqual({
      status: "Patched",
      before: '{\n  "A": 1.10,\n  "@metadata": {}\n}',
      after: '{\n  "A": 2.10\n}',
      output: ["x", "1.0"],
    });
    expect(trialScript({ find: "", script: "o.B = 1;", alias: "o" })).toBe("const o = this;\no.B = 1;");
  });
});

describe("EventRing", () => {
  test("keeps the last ones, the newest first", () => {
    const ring = new EventRing<number>(3);
    expect([ring.length, ring.at(0)]).toEqual([0, undefined]);
    for (let item = 1; item <= 5; item++) {
      ring.add(item);
    }
    expect([ring.length, ring.total, ring.at(0), ring.at(1), ring.at(2), ring.at(3), ring.at(-1)]).toEqual([
      3,
      5,
      5,
      4,
      3,
      undefined,
      undefined,
    ]);
    ring.clear();
    expect([ring.length, ring.at(0)]).toEqual([0, undefined]);
  });
});
