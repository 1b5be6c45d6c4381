import { describe, expect, test } from "vitest";
import { plainFields } from "../src/api/documents";
import { definitionText, replacedName, replacementName } from "../src/pages/indexes/definitionText";
import {
  isOfSubscriptionFilter,
  lagText,
  readTried,
  type Subscription,
  startVector,
  subscriptionState,
} from "../src/pages/subscriptions/subscriptionModel";

const plain = (text: string) => text.replaceAll("\u2009", " ");

describe("subscriptions", () => {
  const one = (more: Partial<Subscription> = {}): Subscription => ({
    SubscriptionId: 1,
    SubscriptionName: "Mail",
    Query: "from Orders",
    ChangeVectorForNextBatchStartingPoint: null,
    LastBatchAckTime: null,
    LastClientConnectionTime: null,
    Disabled: false,
    ArchivedDataProcessingBehavior: "ExcludeArchived",
    Lag: 0,
    OwedDocuments: 0,
    AsideDocuments: 0,
    DocumentsSent: 0,
    BatchesAcknowledged: 0,
    Failures: 0,
    LastError: null,
    Workers: [],
    ...more,
  });
  const worker = { WorkerId: "w", Strategy: "OpenIfFree", Address: null, ConnectedAt: "" };

  test("its state says the worst first", () => {
    const word = (more: Partial<Subscription>) => subscriptionState(one(more)).word;
    expect(word({ Disabled: true, AsideDocuments: 3 })).toBe("disabled");
    expect(word({ AsideDocuments: 3, Workers: [worker] })).toBe("3 documents set aside");
    expect(word({ Lag: 5 })).toBe("no worker");
    expect(word({ OwedDocuments: 5 })).toBe("no worker");
    expect(word({})).toBe("no worker, nothing to send");
    expect(word({ Lag: 5, Workers: [worker] })).toBe("sending");
    expect(word({ Workers: [worker] })).toBe("waiting for changes");
  });

  test("filters and the words of its lag", () => {
    expect(isOfSubscriptionFilter(one({ Lag: 1 }), "waiting", "mAi")).toBe(true);
    expect(isOfSubscriptionFilter(one({ Lag: 1, Workers: [worker] }), "waiting", "")).toBe(false);
    expect(isOfSubscriptionFilter(one({ AsideDocuments: 1 }), "aside", "other")).toBe(false);
    expect(plain(lagText(one({ Lag: 1200, OwedDocuments: 3 })))).toBe("1 200, 3 on their way");
  });

  test("where it begins", () => {
    expect(startVector("keep", "")).toEqual({});
    expect(startVector("LastDocument", "")).toEqual({ vector: "LastDocument" });
    expect(startVector("vector", " A:116-elUJUqDrFZBGGYAK1U0zGg ").vector).toBe("A:116-elUJUqDrFZBGGYAK1U0zGg");
    expect(startVector("vector", "116").wrong).toBeDefined();
  });

  test("what would be sent keeps its digits, and a document at which the script throws says so", () => {
    const answer =
      '{"Results":[{"F":1.10,"N":90071992547409931,"@metadata":{"@id":"orders/1","@collection":"Orders"}},' +
      '{"Id":"orders/2","Exception":"x is not defined"}],"Includes":{}}';
    const [sent, thrown] = readTried(answer);
    expect(sent?.id).toBe("orders/1");
    expect(sent?.text).toContain("1.10");
    expect(sent?.text).toContain("90071992547409931");
    expect(sent?.error).toBeUndefined();
    expect(thrown).toMatchObject({ id: "orders/2", error: "x is not defined" });
  });

  test("a document of one's own with a member Exception is no failure", () => {
    const answer = '{"Results":[{"Exception":"mine","@metadata":{"@id":"logs/1"}}]}';
    expect(readTried(answer)[0]?.error).toBeUndefined();
  });
});

describe("the text of a definition", () => {
  test("has maps, reduce and fields, whatever the ends of lines", () => {
    const text = definitionText({ Maps: ["a \r\nb", "c"], Reduce: "r", Fields: { F: { Storage: "Yes" } } });
    expect(text).toBe('// Map 1\na\nb\n\n// Map 2\nc\n\n// Reduce\nr\n\n// Fields\nF: {"Storage":"Yes"}\n');
    expect(definitionText({ Maps: ["a\nb"], Reduce: null })).toBe(definitionText({ Maps: ["a\r\nb  \n"], Reduce: "" }));
  });

  test("what replaces an index has a name of its own", () => {
    expect(replacementName("Orders/Totals")).toBe("ReplacementOf/Orders/Totals");
    expect(replacedName("ReplacementOf/Orders/Totals")).toBe("Orders/Totals");
    expect(replacedName("Orders/ReplacementOf/x")).toBeUndefined();
  });
});

test("fields of a page of documents are named only where they are plain words", () => {
  expect(plainFields(["Company", "Größe_2"])).toEqual(["Company", "Größe_2"]);
  expect([[], ["a.b"], ["a", "1"], Array.from({ length: 51 }, () => "a")].map(plainFields)).toEqual(
    Array(4).fill(undefined),
  );
});
