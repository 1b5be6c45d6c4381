import { describe, expect, test } from "vitest";
import { completeRql, matchOptions, type RqlSchema } from "../src/rql/rqlCompletion";
import { rqlContext } from "../src/rql/rqlContext";
import { isPlainName, quoteRql, rqlTokens } from "../src/rql/rqlLexer";
import { mutate } from "./jsonText";
import { FUZZ, Random, SEED } from "./random";

const schema: RqlSchema = {
  collections: [{ name: "Orders", count: 830 }, { name: "Order Lines" }, { name: "Products" }],
  indexes: ["Orders/ByCompany", "Auto/Orders/ByFreight"],
  parameters: ["min", "max"],
  fields: (source) =>
    source === "Orders"
      ? [
          { name: "Freight", kind: "number", example: "8.53" },
          { name: "ShipTo.City" },
          { name: "Lines[].Product" },
          { name: "odd name" },
        ]
      : source === "Orders/ByCompany"
        ? [{ name: "Company" }]
        : [],
};

/** The options at the | of a query, best first. */
function at(marked: string): string[] {
  const place = marked.indexOf("|");
  const text = marked.slice(0, place) + marked.slice(place + 1);
  const found = completeRql(text, place, schema);
  return found ? matchOptions(found, text.slice(found.from, place)).map((one) => one.apply ?? one.label) : [];
}

const kinds = (text: string) => rqlTokens(text).map((one) => one.kind);

describe("rqlTokens", () => {
  test("cuts as the server does", () => {
    expect(kinds("from Orders as o where o.Freight >= 1.5e-3 and $p <> 'it''s' // end")).toEqual([
      "name",
      "name",
      "name",
      "name",
      "name",
      "name",
      "sign",
      "name",
      "comparison",
      "number",
      "name",
      "parameter",
      "comparison",
      "text",
      "comment",
    ]);
    expect(rqlTokens("a-b$ 漢字 -1.x").map((one) => one.text)).toEqual(["a-b$", "漢字", "-1", ".", "x"]);
    expect(rqlTokens('\'a\\\'b\' "c""d"').map((one) => one.text)).toEqual(["'a\\'b'", '"c""d"']);
  });

  test("a script ends at its brace, whatever its texts have", () => {
    const [name, script, last] = rqlTokens("update { a = '}'; /* } */ b = `}`; if (x) { y } } x");
    expect([name?.kind, script?.kind, script?.isClosed, last?.text]).toEqual(["name", "script", true, "x"]);
    expect(rqlTokens("update { '}")[1]?.isClosed).toBe(false);
  });

  test("names that need quotes, and texts in them", () => {
    expect(["Orders", "@all_docs", "a-1", "漢", "1a", "a b", "", "a'b"].map(isPlainName)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    const odd = "it's \\ a\nname";
    const quoted = rqlTokens(quoteRql(odd));
    expect([quoted.length, quoted[0]?.kind, quoted[0]?.isClosed]).toEqual([1, "text", true]);
  });

  test("fuzz: tokens cover every character that is no blank, in order", () => {
    const seeds = [
      "declare function f(x) { return x.a + '}' } from index 'Orders/ByCompany' as o where search(o.A, 'x y') and not o.B in (1, 2.5) select f(o)",
      'from "Order Lines" where Freight between $min and $max order by Freight desc, id() limit 5, 10 // done',
      "from Orders /* all */ group by array(Lines[].Product) where count() > 1 include timings(), explanations()",
      "from Orders update { this.A = `x${1}`; }",
    ];
    for (let seed = SEED; seed < SEED + 10_000 * FUZZ; seed++) {
      const random = new Random(seed);
      const text = mutate(random.of(seeds), random);
      let end = 0;
      for (const one of rqlTokens(text)) {
        const gap = text.slice(end, one.start);
        if (one.start < end || one.end <= one.start || /[!-~]/.test(gap)) {
          expect.fail(`STUDIO_SEED=${seed}: ${JSON.stringify(text)} at ${one.start}`);
        }
        end = one.end;
      }
      if (/[!-~]/.test(text.slice(end))) {
        expect.fail(`STUDIO_SEED=${seed}: ${JSON.stringify(text)} ends at ${end}`);
      }
      const place = random.below(text.length + 1);
      const found = completeRql(text, place, schema);
      if (found && (found.from > place || found.from < 0 || found.options.length === 0)) {
        expect.fail(`STUDIO_SEED=${seed}: ${JSON.stringify(text)} completes from ${found.from} at ${place}`);
      }
    }
  });
});

describe("completeRql", () => {
  test("the first word, then collections, then fields with types", () => {
    expect(at("|")[0]).toBe("from");
    expect(at("fr|")[0]).toBe("from");
    expect(at("from |").slice(0, 3)).toEqual(["'Order Lines'", "Orders", "Products"]);
    expect(at("from O|").slice(0, 2)).toEqual(["'Order Lines'", "Orders"]);
    expect(at("from Orders where F|")[0]).toBe("Freight");
    expect(completeRql("from Orders where ", 18, schema)?.options[0]?.detail).toBe("number · 8.53");
  });

  test("indexes", () => {
    expect(at("from index |")).toEqual(["'Auto/Orders/ByFreight'", "'Orders/ByCompany'"]);
    expect(at("from index 'Or|")[0]).toBe("'Orders/ByCompany'");
    expect(at("from index 'Orders/ByCompany' where |")[0]).toBe("Company");
    expect(at("from ByC|")).toEqual(["index 'Orders/ByCompany'"]);
  });

  test("paths, aliases and names in quotes", () => {
    expect(at("from Orders where ShipTo.C|")).toEqual(["ShipTo.City"]);
    expect(at("from Orders as o where o.Fr|")).toEqual(["o.Freight"]);
    expect(at("from Orders o where |")).toContain("o.'odd name'");
    expect(at("from Orders where odd|")).toEqual(["'odd name'"]);
  });

  test("what goes on behind a field, a value and a condition", () => {
    expect(at("from Orders where Freight |").slice(0, 3)).toEqual(["=", "!=", "<"]);
    expect(at("from Orders where Freight > 5 |").slice(0, 3)).toEqual(["and", "or", "order by"]);
    expect(at("from Orders |").slice(0, 2)).toEqual(["where", "order by"]);
    expect(at("from Orders where Freight > 5 order by Freight |").slice(0, 2)).toEqual(["desc", "asc"]);
    expect(at("from Orders where a = 1 order by b |")).not.toContain("where");
    expect(at("from Orders order |")).toEqual(["by"]);
  });

  test("parameters, functions of each clause, declared functions", () => {
    expect(at("from Orders where Freight > $|")).toEqual(["$max", "$min"]);
    expect(at("from Orders where Freight > |").slice(0, 2)).toEqual(["$max", "$min"]);
    expect(at("from Orders where sea|")[0]).toBe("search(");
    expect(at("from Orders order by sc|")).toEqual(["score()"]);
    expect(at("from Orders include timin|")).toEqual(["timings()"]);
    expect(at("declare function price(o) { return 1 } from Orders as o select pri|")).toEqual(["price("]);
  });

  test("says nothing in texts, comments and scripts", () => {
    expect(at("from Orders where Freight = 'x|'")).toEqual([]);
    expect(at("from Orders // whe|")).toEqual([]);
    expect(at("from Orders /* whe|")).toEqual([]);
    expect(at("from Orders update { this.|")).toEqual([]);
  });

  test("a collection that is called as a clause is", () => {
    const context = rqlContext("from Order where ", 17);
    expect([context.source, context.clause]).toEqual(["Order", "where"]);
    expect(rqlContext("from 'order' as order where ", 28).source).toBe("order");
  });
});
