import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServerError } from "../src/api/http";
import { pollMs } from "../src/api/polling";
import { hearServerTime, serverNowMs } from "../src/api/serverClock";
import { dropDraft, keepDraft, readDrafts } from "../src/pages/document/drafts";

beforeEach(() => {
  const kept: Record<string, string> = {};
  // As a browser has it: the keys are properties, the functions are not.
  Object.defineProperties(kept, {
    getItem: { value: (key: string) => kept[key] ?? null },
    setItem: { value: (key: string, text: string) => void Object.assign(kept, { [key]: text }) },
    removeItem: { value: (key: string) => void Reflect.deleteProperty(kept, key) },
  });
  vi.stubGlobal("localStorage", kept);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("how long ago is reckoned by the server's clock, whatever the browser's says", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-28T11:00:00.200Z") });
  hearServerTime("Sat, 28 Nov 2026 10:00:00 GMT");
  expect(serverNowMs()).toBe(Date.parse("2026-11-28T10:00:00.500Z"));
  vi.setSystemTime(Date.parse("2026-11-28T11:00:01.900Z"));
  // The rounding of the header is no change of the clock.
  hearServerTime("Sat, 28 Nov 2026 10:00:01 GMT");
  expect(serverNowMs()).toBe(Date.parse("2026-11-28T10:00:02.200Z"));
  hearServerTime(null);
  hearServerTime("soon");
  expect(serverNowMs()).toBe(Date.parse("2026-11-28T10:00:02.200Z"));
  // The browser's clock was set right.
  vi.setSystemTime(Date.parse("2026-11-28T10:00:05.000Z"));
  hearServerTime("Sat, 28 Nov 2026 10:00:05 GMT");
  expect(serverNowMs()).toBe(Date.parse("2026-11-28T10:00:05.500Z"));
});

test("only a server that may come back is asked again", () => {
  const error = (status: number, type = "") =>
    new ServerError("GET", "/", status, JSON.stringify({ Type: type, Message: "" }));
  expect(pollMs(undefined, 700)).toBe(700);
  expect(pollMs(error(0), 700)).toBe(5_000);
  expect(pollMs(error(503), 700)).toBe(5_000);
  expect(pollMs(error(503, "X.DatabaseDoesNotExistException"), 700)).toBe(false);
  expect(pollMs(error(403), 700)).toBe(false);
  expect(pollMs(new Error("other"), 700)).toBe(false);
});

test("drafts of other pages are found, the last one first, and what is no draft is not", () => {
  const draft = (text: string, at: string) => ({ text, base: "{}", changeVector: "v", at });
  expect(keepDraft("db", "a/1", draft("mine", "2026-11-28T10:00:00Z"))).toBe(true);
  const key = "raven-studio.draft.db\na/1\n";
  localStorage.setItem(`${key}other`, JSON.stringify(draft("theirs", "2026-11-28T11:00:00Z")));
  localStorage.setItem(`${key}broken`, "{");
  localStorage.setItem(`${key}part`, '{"text":"x"}');
  localStorage.setItem("raven-studio.draft.db\na/11\nother", JSON.stringify(draft("of another", "2026")));
  expect(readDrafts("db", "a/1").map((one) => one.text)).toEqual(["theirs", "mine"]);
  dropDraft("db", "a/1", "other");
  expect(readDrafts("db", "a/1").map((one) => one.text)).toEqual(["mine"]);
  keepDraft("db", "a/1", undefined);
  expect(readDrafts("db", "a/1")).toEqual([]);
  expect(keepDraft("db", "a/1", draft("x".repeat(1_000_001), "2026"))).toBe(false);
});
