import { describe, expect, test } from "vitest";
import { guardedId, outcomeOf, readValueText, valuesOf } from "../src/api/compareExchange";
import { counterBody, countersOf } from "../src/api/counters";
import { ServerError } from "../src/api/http";
import { partsOf } from "../src/api/parts";
import { loggedRequests, logRequest } from "../src/api/requestLog";
import { parseJson, printJson } from "../src/json/jsonTree";
import { previewKind, readStart } from "../src/pages/attachments/attachmentModel";
import { UploadQueue } from "../src/pages/attachments/uploads";
import { addWhole, groupDigits, readWhole } from "../src/pages/counters/wholeNumber";

const file = (name: string, text = "0123456789") => Object.assign(new Blob([text]), { name });

/** A store whose answers come when the test says so. */
function slowStore() {
  const calls: {
    name: string;
    version: string;
    signal: AbortSignal;
    onProgress: (sent: number) => void;
    end: (error?: unknown) => Promise<void>;
  }[] = [];
  const stored: string[] = [];
  const queue = new UploadQueue(
    (name, _, version, signal, onProgress) =>
      new Promise((resolve, reject) => {
        const end = async (error?: unknown) => {
          if (error === undefined) {
            resolve();
          } else {
            reject(error);
          }
          await new Promise((done) => setTimeout(done));
        };
        signal.addEventListener("abort", () => reject(new DOMException("ended", "AbortError")));
        calls.push({ name, version, signal, onProgress, end });
      }),
    (name) => stored.push(name),
  );
  const states = () => queue.list().map((one) => `${one.name} ${one.state} ${one.sent}`);
  return { queue, calls, stored, states };
}

describe("files on their way", () => {
  test("they go one after the other, and each tells how far it is", async () => {
    const { queue, calls, stored, states } = slowStore();
    let turns = 0;
    queue.watch(() => turns++);
    queue.add([file("a"), file("b")]);
    expect(states()).toEqual(["a runs 0", "b waits 0"]);
    expect(queue.isBusy).toBe(true);
    const before = queue.list();
    calls[0]?.onProgress(4);
    expect(states()).toEqual(["a runs 4", "b waits 0"]);
    expect(before[0]?.sent).toBe(0);
    // What goes on the wire is a little more than the file.
    calls[0]?.onProgress(1_000);
    expect(states()[0]).toBe("a runs 10");
    await calls[0]?.end();
    expect(stored).toEqual(["a"]);
    expect(states()).toEqual(["b runs 0"]);
    await calls[1]?.end();
    expect([states(), queue.isBusy, calls.map((one) => one.version)]).toEqual([[], false, ["", ""]]);
    expect(turns).toBeGreaterThan(4);
  });

  test("a name that is taken is replaced over the version that has it, and only when it is said", async () => {
    const { queue, calls, stored, states } = slowStore();
    queue.add([file("a"), file("b")]);
    await calls[0]?.end(new ServerError("PUT", "/", 409, '{"Message":"there","ActualChangeVector":"A:7-x"}'));
    expect(states()).toEqual(["a taken 0", "b runs 0"]);
    queue.again(1);
    expect(states()).toEqual(["a waits 0", "b runs 0"]);
    await calls[1]?.end();
    expect(calls[2]).toMatchObject({ name: "a", version: "A:7-x" });
    await calls[2]?.end();
    expect(stored).toEqual(["b", "a"]);
  });

  test("what failed stays until it is tried again or dropped; what is cancelled ends its request", async () => {
    const { queue, calls, stored, states } = slowStore();
    queue.add([file("a"), file("b")]);
    await calls[0]?.end(new ServerError("PUT", "/", 503, "", 3));
    expect(states()).toEqual(["a failed 0", "b runs 0"]);
    expect(queue.list()[0]?.error).toBeInstanceOf(ServerError);
    queue.remove(2);
    expect(calls[1]?.signal.aborted).toBe(true);
    await new Promise((done) => setTimeout(done));
    expect(states()).toEqual(["a failed 0"]);
    expect(queue.isBusy).toBe(false);
    queue.again(1);
    expect([states(), queue.list()[0]?.error]).toEqual([["a runs 0"], undefined]);
    // While it runs it is not begun a second time.
    queue.again(1);
    expect(calls.length).toBe(3);
    await calls[2]?.end();
    expect(stored).toEqual(["a"]);
    // A conflict that names no version is no name that is taken.
    queue.add([file("c")]);
    await calls[3]?.end(new ServerError("PUT", "/", 409, "no JSON"));
    expect(states()).toEqual(["c failed 0"]);
  });
});

describe("what belongs to a document", () => {
  test("is read off its metadata, whatever of it is missing", () => {
    const attachment = '{"Name":"a \\"b\\"","Hash":"h=","ContentType":"text/plain","Size":5}';
    const metadata = `{"@attachments":[${attachment}],"@counters":["likes","\\u00e9"],"@timeseries":["Rate"]}`;
    expect(partsOf("a/1", parseJson(`{"@metadata":${metadata}}`))).toEqual({
      id: "a/1",
      attachments: [{ name: 'a "b"', hash: "h=", contentType: "text/plain", size: 5 }],
      counters: ["likes", "é"],
      timeSeries: ["Rate"],
    });
    expect(partsOf("a/1", parseJson('{"A":1}'))).toEqual({ id: "a/1", attachments: [], counters: [], timeSeries: [] });
  });

  test("only pictures and texts are looked at", () => {
    expect(previewKind("image/PNG", 5)).toBe("image");
    expect(previewKind("image/svg+xml; charset=utf-8", 5)).toBe("image");
    expect(previewKind("image/png", 21 * 1024 * 1024)).toBeUndefined();
    expect(["text/html", "application/json", "application/ld+json"].map((type) => previewKind(type, 1e9))).toEqual([
      "text",
      "text",
      "text",
    ]);
    expect(["application/pdf", "image/tiff", "", "video/mp4"].map((type) => previewKind(type, 1))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("a character that a cut halves is left out; what is no text is shown as such", () => {
    const bytes = new TextEncoder().encode("añ😀");
    expect(readStart(bytes, true)).toBe("añ😀");
    expect(readStart(bytes.slice(0, 5), true)).toBe("añ");
    expect(readStart(bytes.slice(0, 2), false)).toBe("a\ufffd");
  });

  test("a request that is repeated has one line in the log", () => {
    logRequest("GET", "/metrics", undefined, true)(200, 1);
    logRequest("GET", "/other", undefined)(200, 1);
    logRequest("GET", "/metrics", undefined, true)(200, 2);
    logRequest("GET", "/other", undefined)(200, 1);
    const lines = loggedRequests().map((one) => `${one.url} ${one.length}`);
    expect(lines).toEqual(["/other 1", "/metrics 2", "/other 1"]);
  });
});

describe("counters", () => {
  test("values keep all of their 64 bits", () => {
    const values = '"CounterValues":{"x":9223372036854775807,"y":-1}';
    const one = `{"CounterName":"b","TotalValue":9223372036854775806,${values}}`;
    const two = '{"CounterName":"a","TotalValue":-5,"CounterValues":null}';
    expect(countersOf(parseJson(`{"Counters":[${one},null,${two}]}`))).toEqual([
      { name: "a", value: "-5", shares: [] },
      {
        name: "b",
        value: "9223372036854775806",
        shares: [
          { database: "x", value: "9223372036854775807" },
          { database: "y", value: "-1" },
        ],
      },
    ]);
    const body = counterBody('a/"1"', { type: "Increment", name: "b", amount: "-9223372036854775808" });
    expect(body).toContain('"Delta":-9223372036854775808');
    expect(JSON.parse(body).Documents[0].DocumentId).toBe('a/"1"');
    expect(counterBody("a/1", { type: "Delete", name: "b" })).not.toContain("Delta");
  });

  test("whole numbers are read as they are typed, and no others", () => {
    expect(["12", " +12 ", "-0012", "1 000\u2009000", "−5"].map(readWhole)).toEqual([
      "12",
      "12",
      "-12",
      "1000000",
      "-5",
    ]);
    expect(readWhole("9223372036854775807")).toBe("9223372036854775807");
    expect(["9223372036854775808", "-9223372036854775809", "1.5", "1e3", "", "-", "0x1"].map(readWhole)).toEqual(
      Array(7).fill(undefined),
    );
    expect(addWhole("9223372036854775806", "1")).toBe("9223372036854775807");
    expect([addWhole("9223372036854775807", "1"), addWhole("-9223372036854775808", "-1")]).toEqual([
      undefined,
      undefined,
    ]);
    expect(groupDigits("-1234567")).toBe("-1\u2009234\u2009567");
    expect(groupDigits("-123")).toBe("-123");
  });
});

describe("compare-exchange", () => {
  test("values keep their digits, and what is none is passed over", () => {
    const value = '{"Key":"a","Index":7,"ChangeVector":"A:7","Value":{"Object":{"N":1.10,"I":90071992547409931}}}';
    const [one, ...more] = valuesOf(parseJson(`{"Results":[${value},{"Key":"b","Index":-1,"Value":null}]}`));
    expect([one?.key, one?.index, more]).toEqual(["a", 7, []]);
    expect(one && printJson(one.node, 0)).toBe('{"Object":{"N":1.10,"I":90071992547409931}}');
  });

  test("a lost race has what is there", () => {
    expect(outcomeOf("a", parseJson('{"Index":8,"Value":{"Object":1},"Successful":true}'))).toEqual({
      isDone: true,
      index: 8,
    });
    const lost = outcomeOf("a", parseJson('{"Index":9,"Value":{"Object":2},"Successful":false}'));
    expect(lost).toMatchObject({ isDone: false, there: { key: "a", index: 9 } });
    expect(outcomeOf("a", parseJson('{"Index":9,"Value":null,"Successful":false}'))).toEqual({
      isDone: false,
      there: undefined,
    });
  });

  test("a text that the server would not keep whole is refused at its place", () => {
    expect(readValueText('{"Object":null,"@metadata":{"@expires":"2050-01-01T00:00:00Z"}}').kind).toBe("object");
    expect(() => readValueText('{"Object":1,\n  "Other":2}')).toThrow(/line 2, column 3/);
    for (const text of ["5", "[]", "{}", '{"object":1}', '{"@metadata":{}}', "{"]) {
      expect(() => readValueText(text), text).toThrow();
    }
  });

  test("the guards of documents are told by their keys", () => {
    expect([guardedId("rvn-atomic/users/1"), guardedId("a/rvn-atomic/"), guardedId("")]).toEqual([
      "users/1",
      undefined,
      undefined,
    ]);
  });
});
