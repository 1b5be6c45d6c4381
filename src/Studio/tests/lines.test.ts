import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ServerError } from "../src/api/http";
import { brokenRow, collectionOfFile } from "../src/pages/io/ioModel";
import { documentOf, guessChoice, importLines, isLinesName, LineError, readLines } from "../src/pages/io/lineImport";

const AS_SAID = { collection: "", idMember: "" };

async function linesOf(file: File) {
  const found = [];
  for await (const portion of readLines(file, () => undefined)) {
    found.push(...portion);
  }
  return found;
}

/** A server that takes batches whole or not at all, and refuses documents with `"Bad"`. */
function serverOf(isNaming: boolean) {
  const stored: string[] = [];
  const batches: number[] = [];
  return {
    stored,
    batches,
    send: async (body: string) => {
      const ids = (JSON.parse(body) as { Commands: { Id: string; Document: { Bad?: boolean } }[] }).Commands;
      batches.push(ids.length);
      const at = ids.findIndex((one) => one.Document.Bad);
      if (at >= 0) {
        const message = isNaming ? `Command ${at}: it is bad.` : "One of them is bad.";
        throw new ServerError("POST", "/bulk_docs", 400, JSON.stringify({ Type: "T", Message: message }));
      }
      stored.push(...ids.map((one) => one.Id));
    },
  };
}

const fileOf = (text: string, name = "a.ndjson") => new File([text], name);
const numbered = (count: number, change: (at: number) => string = () => "") =>
  Array.from({ length: count }, (_, at) => `{"id":${at + 1}${change(at + 1)}}`).join("\n");

describe("lines of a file", () => {
  test("are numbered as an editor numbers them, whatever ends them; a mark is no part of the first", async () => {
    expect(await linesOf(fileOf('\uFEFF{"A":1}\r\n\n  \n{"A":"ä\u2028"}'))).toEqual([
      { number: 1, text: '{"A":1}' },
      { number: 4, text: '{"A":"ä\u2028"}' },
    ]);
    const packed = new File([gzipSync(numbered(50_000))], "a.jsonl.gz");
    const found = await linesOf(packed);
    expect(found.length).toBe(50_000);
    expect(found[49_999]).toEqual({ number: 50_000, text: '{"id":50000}' });
  });

  test("that are no UTF-8, or packed in another way, are refused", async () => {
    await expect(linesOf(new File([new Uint8Array([0x7b, 0xff])], "a.jsonl"))).rejects.toThrow(LineError);
    await expect(linesOf(fileOf("{}", "a.jsonl.gz"))).rejects.toThrow(LineError);
    await expect(linesOf(fileOf("", "a.jsonl.zst"))).rejects.toThrow("gzip alone");
    expect([isLinesName("a.NDJSON"), isLinesName("a.jsonl.gz"), isLinesName("a.json")]).toEqual([true, true, false]);
    expect(collectionOfFile("orders.ndjson.gz")).toBe("Orders");
  });
});

describe("the document of a line", () => {
  const document = (text: string, choice = AS_SAID, number = 2) => documentOf({ number, text }, choice);

  test("keeps its digits, and loses what another server wrote", () => {
    const found = document('{"N":1.10,"@metadata":{"@id":"a/1","@collection":"As","@change-vector":"x","Mine":1}}');
    expect(found?.command).toBe(
      '{"Type":"PUT","Id":"a/1","Document":{"N":1.10,"@metadata":{"Mine":1,"@collection":"As"}}}',
    );
  });

  test("is named by a member, or by the server in its collection", () => {
    expect(document('{"id":90071992547409931}', { collection: "Bs", idMember: "id" })?.id).toBe("90071992547409931");
    expect(document('{"id":"b\\n1"}', { collection: "Bs", idMember: "id" })?.id).toBe("b\n1");
    expect(document("{}", { collection: "Bs", idMember: "" })?.id).toBe("Bs/");
    expect(document("{}")?.id).toBe("documents/");
    for (const text of ["{}", '{"id":1.5}', '{"id":""}', '{"id":null}']) {
      expect(() => document(text, { collection: "", idMember: "id" })).toThrow("neither a text nor a whole number");
    }
  });

  test("is the item of an export, whose first line is none", () => {
    expect(document('{"Stats":{"TotalResults":1}}', AS_SAID, 1)).toBeUndefined();
    expect(document('{"Stats":{"TotalResults":1}}')?.id).toBe("documents/");
    expect(document('{"Item":{"A":1,"@metadata":{"@id":"a/1"}}}')?.command).toBe(
      '{"Type":"PUT","Id":"a/1","Document":{"A":1,"@metadata":{}}}',
    );
    expect(document('{"Item":[1]}')?.command).toContain('"Document":{"Item":[1],');
  });

  test("is an object", () => {
    for (const text of ["[]", "1", '{"A":1', '{"A":1}{}', '{"A":1,"A":2}']) {
      expect(() => document(text)).toThrow(text.includes("A") ? /\(column \d+\)$/ : /object/);
    }
  });

  test("is guessed from the first line", () => {
    const guess = (text: string) => guessChoice({ number: 1, text }, "Files");
    expect(guess('{"_id":"x"}')).toEqual({ collection: "Files", idMember: "_id" });
    expect(guess('{"id":1,"@metadata":{"@id":"a","@collection":"As"}}')).toEqual(AS_SAID);
    expect(guess('{"Stats":{}}')).toEqual(AS_SAID);
    expect(guess("no")).toEqual({ collection: "Files", idMember: "" });
    expect(guessChoice(undefined, "Files")).toEqual({ collection: "Files", idMember: "" });
  });
});

describe("an import", () => {
  const run = async (file: File, from: number, server: ReturnType<typeof serverOf>, isStopped = () => false) => {
    let next = from;
    let documents = 0;
    const done = importLines({
      file,
      choice: { collection: "", idMember: "id" },
      from,
      send: server.send,
      isStopped,
      onStored: (line, more) => {
        next = line;
        documents += more;
      },
    });
    const outcome = await done.catch((error: unknown) => error);
    return { outcome, next, documents };
  };
  const ids = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => String(first + at));

  test("stores all, in batches", async () => {
    const server = serverOf(true);
    expect(await run(fileOf(numbered(1_234)), 1, server)).toEqual({ outcome: true, next: 1_235, documents: 1_234 });
    expect(server.batches).toEqual([500, 500, 234]);
    expect(server.stored).toEqual(ids(1, 1_234));
  });

  test("that is stopped goes on behind its last batch, and stores nothing twice", async () => {
    const server = serverOf(true);
    const file = fileOf(numbered(1_234));
    const first = await run(file, 1, server, () => true);
    expect(first).toEqual({ outcome: false, next: 501, documents: 500 });
    expect((await run(file, first.next, server)).outcome).toBe(true);
    expect(server.stored).toEqual(ids(1, 1_234));
  });

  test.each([true, false])("names the line that the server refuses, with all before it in (%s)", async (isNaming) => {
    for (const wrong of [1, 2, 499, 500, 501, 777, 1_000]) {
      const server = serverOf(isNaming);
      const file = fileOf(numbered(1_000, (at) => (at === wrong ? ',"Bad":true' : "")));
      const { outcome, documents } = await run(file, 1, server);
      expect(outcome).toMatchObject({ line: wrong, isOfLine: true });
      expect(server.stored).toEqual(ids(1, wrong - 1));
      expect(documents).toBe(wrong - 1);
      // It is left out.
      expect((await run(file, wrong + 1, server)).outcome).toBe(true);
      expect(server.stored).toEqual(ids(1, 1_000).filter((one) => one !== String(wrong)));
    }
  });

  test("names the line that is no document, with all before it in", async () => {
    const server = serverOf(true);
    const { outcome } = await run(fileOf(`${numbered(700)}\n{"id":\n{"id":702}`), 1, server);
    expect(outcome).toMatchObject({ line: 701, isOfLine: true });
    expect(server.stored).toEqual(ids(1, 700));
  });

  test("that the server cannot answer goes on at the first line that is not in", async () => {
    const server = serverOf(true);
    const file = fileOf(numbered(1_234));
    let count = 0;
    const failing = {
      ...server,
      send: async (body: string) => {
        if (++count === 2) {
          throw new ServerError("POST", "/bulk_docs", 503, "");
        }
        await server.send(body);
      },
    };
    const { outcome } = await run(file, 1, failing);
    expect(outcome).toMatchObject({ line: 501, isOfLine: false });
    expect((await run(file, 501, failing)).outcome).toBe(true);
    expect(server.stored).toEqual(ids(1, 1_234));
  });

  test("of CSV goes on at the row that a refusal names", () => {
    const message = "The CSV is broken at line 9, column 1, in the row of line 7: x.";
    expect(brokenRow(new ServerError("POST", "/", 400, JSON.stringify({ Type: "T", Message: message })))).toBe(7);
    expect(brokenRow(new Error("no"))).toBeUndefined();
  });
});
