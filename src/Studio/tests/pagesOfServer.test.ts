import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Caller, lackOf, routesOf } from "../src/api/serverRoutes";
import { DATABASE_PAGES, pageLinks, SERVER_PAGES } from "../src/app/pages";
import {
  destinationText,
  draftOf,
  isServerWide,
  scheduleText,
  wideConfigurationOf,
  wideName,
} from "../src/pages/backups/backupModel";
import { replaceRefusal } from "../src/pages/certificates/certificateModel";
import { readTime } from "../src/pages/document/documentTime";
import { exportRefusal, WHOLE_DUMP } from "../src/pages/io/ioModel";
import { collectionQuery } from "../src/rql/rqlLexer";

const description = JSON.parse(readFileSync(new URL("../../../docs/http/openapi.json", import.meta.url), "utf8"));
const routes = routesOf(description);
const caller = (more: Partial<Caller> = {}): Caller => ({
  Name: "somebody",
  Kind: "ApiKey",
  SecurityClearance: "ValidUser",
  Permissions: {},
  NotAfter: null,
  ...more,
});
const titles = (database: string, who?: Caller) =>
  pageLinks(database, "/", routes, who).map(({ title, lack }) => `${title}${lack ? `: ${lack}` : ""}`);

describe("the navigation", () => {
  test("each page needs a route that the server has", () => {
    for (const { needs } of [...DATABASE_PAGES, ...SERVER_PAGES]) {
      expect(routes.get(needs)?.isServed, needs).toBe(true);
    }
  });

  test("a page whose route is not there or not served is hidden, and nothing is before the server has said so", () => {
    const less = new Map(routes);
    less.delete("GET /databases/{database}/subscriptions");
    less.set("GET /databases/{database}/cmpxchg", { access: "Read", isServed: false });
    const left = pageLinks("shop", "/db/shop", less, undefined).map((one) => one.title);
    expect(left).not.toContain("Subscriptions");
    expect(left).not.toContain("Compare-exchange");
    expect(left).toHaveLength(DATABASE_PAGES.length - 2);
    expect(pageLinks("shop", "/db/shop", undefined, undefined)).toHaveLength(DATABASE_PAGES.length);
  });

  test("what a reader lacks is said at each page", () => {
    const reader = caller({ Permissions: { Shop: "Read" } });
    const lacking = titles("shop", reader).filter((one) => one.includes(":"));
    expect(lacking).toEqual(["Patch: ReadWrite to shop", "Storage: Admin to shop", "Settings: Admin to shop"]);
    expect(titles("", reader).filter((one) => one.includes(":"))).toEqual([
      "Cluster: Operator",
      "Certificates: Operator",
      "Backups: Operator",
      "Restore: Operator",
      "Running requests: Operator",
    ]);
    expect(titles("other", reader)[0]).toBe("Overview: Read to other");
  });

  test("who may all, and who is not asked, lacks nothing", () => {
    const all = [
      caller({ Kind: "Unsecured", SecurityClearance: "UnauthenticatedClients" }),
      caller({ Kind: "Local" }),
      caller({ SecurityClearance: "Operator" }),
      undefined,
    ];
    for (const who of all) {
      expect(titles("shop", who).join()).not.toContain(":");
    }
    expect(lackOf("ClusterAdmin", caller({ SecurityClearance: "Operator" }), "")).toBe("ClusterAdmin");
  });

  test("the page that lists what is shown is the current one", () => {
    const here = (database: string, path: string) =>
      pageLinks(database, path, routes, undefined)
        .filter((one) => one.isHere)
        .map((one) => one.title);
    expect(here("shop", "/db/shop")).toEqual(["Overview"]);
    expect(here("a b", "/db/a%20b/doc")).toEqual(["Documents"]);
    expect(here("shop", "/db/shop/backup")).toEqual(["Backups"]);
    expect(here("", "/")).toEqual(["Databases"]);
    expect(here("", "/backup")).toEqual(["Backups"]);
  });
});

describe("tasks of the server", () => {
  const before = {
    Name: "all",
    TaskId: 3,
    FullBackupFrequency: "0 2 * * 0",
    Kept: 1,
    LocalSettings: { FolderPath: "/b" },
    ExcludedDatabases: ["x", "y"],
  };

  test("a form keeps what it does not show, and reads the names that are left out", () => {
    const draft = draftOf(before);
    expect(draft.excluded).toBe("x, y");
    const body = wideConfigurationOf({ ...draft, excluded: " x,, z , x" }, before);
    expect(body).toMatchObject({
      Name: "all",
      Kept: 1,
      ExcludedDatabases: ["x", "z"],
      LocalSettings: { FolderPath: "/b" },
    });
    expect(wideConfigurationOf(draftOf(undefined), undefined).ExcludedDatabases).toEqual([]);
  });

  test("a list says when and where to", () => {
    expect(scheduleText(before)).toBe("all: 0 2 * * 0");
    expect(scheduleText({ ...before, IncrementalBackupFrequency: "0 2 * * 1-6" })).toBe(
      "all: 0 2 * * 0 · changes: 0 2 * * 1-6",
    );
    expect(scheduleText({})).toBe("–");
    expect(destinationText({ ...before, S3Settings: { BucketName: "bucket" } })).toBe("/b, S3: bucket");
    expect(destinationText({ S3Settings: { BucketName: "bucket", Disabled: true } })).toBe("");
  });

  test("a task in a database knows its name at the server", () => {
    expect(isServerWide({ TaskName: "Server Wide Backup, all" })).toBe(true);
    expect(wideName({ TaskName: "Server Wide Backup, a, b" })).toBe("a, b");
    expect(isServerWide({ TaskName: "all" })).toBe(false);
  });
});

test("only a ClusterAdmin with a certificate, or this machine, replaces the server's certificate", () => {
  const file = { size: 4_000 };
  expect(
    replaceRefusal(caller({ Kind: "Unsecured", SecurityClearance: "UnauthenticatedClients" }), file),
  ).toBeUndefined();
  expect(replaceRefusal(caller({ Kind: "Certificate", SecurityClearance: "ClusterAdmin" }), file)).toBeUndefined();
  expect(replaceRefusal(caller({ Kind: "Certificate", SecurityClearance: "Operator" }), file)).toMatch(/ClusterAdmin/);
  expect(replaceRefusal(caller({ SecurityClearance: "ClusterAdmin" }), file)).toMatch(/client certificate/);
  expect(replaceRefusal(undefined, undefined)).toMatch(/Choose/);
  expect(replaceRefusal(undefined, { size: 2 ** 20 + 1 })).toMatch(/1 MiB/);
});

test("a time is read with or without its parts, and keeps what is below a millisecond", () => {
  expect(readTime("2026-11-28")).toBe("2026-11-28T00:00:00Z");
  expect(readTime(" 2026-11-28 08:30 ")).toBe("2026-11-28T08:30:00Z");
  expect(readTime("2026-11-28T08:30:12.3456789Z")).toBe("2026-11-28T08:30:12.3456789Z");
  expect(readTime("2026-11-28T08:30:00+02:00")).toBe("2026-11-28T06:30:00.000Z");
  for (const wrong of ["", "yesterday", "2026-13-40", "2026-11-28T25:00Z", "<img src=x>"]) {
    expect(readTime(wrong), wrong).toBeUndefined();
  }
});

test("an export asks for a collection by its name, and says when its script is too long for a link", () => {
  expect(collectionQuery(undefined)).toBe("from @all_docs");
  expect(collectionQuery("Orders")).toBe("from Orders");
  expect(collectionQuery("O'Neil\\")).toBe("from 'O''Neil\\\\'");
  expect(exportRefusal({ ...WHOLE_DUMP, types: new Set() }, "{}")).toMatch(/Choose/);
  expect(exportRefusal(WHOLE_DUMP, "{}")).toBeUndefined();
  expect(exportRefusal(WHOLE_DUMP, "x".repeat(24 * 1024 + 1))).toMatch(/too long/);
});

test("every route that a source asks for by name is one of the server's, and served", () => {
  const folder = new URL("../src/", import.meta.url);
  const asked = new Set<string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((one) => /\.tsx?$/.test(one))) {
    const text = readFileSync(new URL(name, folder), "utf8").replace(/\s+/g, " ");
    const place = String.raw`(?:databasePath\([^,()]+, "([^"]+)"\)|"(/[^"]+)")`;
    for (const [, method, ofDatabase, ofServer] of text.matchAll(
      new RegExp(`(?:send|sendForFile|upload)\\( ?"([A-Z]+)", ?${place}`, "g"),
    )) {
      asked.add(`${method} ${ofDatabase ? `/databases/{database}/${ofDatabase}` : ofServer}`);
    }
    for (const [, ofDatabase, ofServer] of text.matchAll(new RegExp(`getJson(?:<[^(]*>)?\\( ?${place}`, "g"))) {
      asked.add(`GET ${ofDatabase ? `/databases/{database}/${ofDatabase}` : ofServer}`);
    }
  }
  expect(asked.size).toBeGreaterThan(50);
  // The description of the API knows neither the page nor a method that only databases have.
  const others = ["HEAD /studio/", "RESET /databases/{database}/indexes"];
  const missing = [...asked].filter((one) => !routes.get(one)?.isServed && !others.includes(one));
  expect(missing).toEqual([]);
});
