import { ok, rejects } from "node:assert/strict";
import { PAYLOADS, watchCanary } from "../canary.mjs";
import { errorAnswer, failing } from "../fault.mjs";

/** Of the places that show one text at a time CI looks at every so many; `slow` looks at all. */
const STEP = 29;

/** What is to be seen of a text. */
const markOf = (text) => /ran\(\d+\)|\/canary\/\d+/.exec(text)[0];

/** Goes to a place without loading the page anew, as a link does. */
async function go(page, path) {
  await page.evaluate((url) => window.history.pushState({}, "", url), path);
}

/** A page that has just asked asks again only after 10 s: what changed meanwhile is shown then. */
const SHOWN_MS_MAX = 30_000;

/** Waits until a page shows a text with this mark: in its text, an editor or a field. */
async function shows(page, mark, where) {
  await page
    .waitForFunction(
      (text) =>
        document.querySelector("#content")?.textContent.includes(text) ||
        [...document.querySelectorAll("input, [role=dialog]")].some((one) => (one.value ?? one.textContent).includes(text)),
      mark,
      { timeout: SHOWN_MS_MAX },
    )
    .catch(() => {
      throw new Error(`${where} does not show ${mark}.`);
    });
}

scenario("no text of the data runs, wherever it is shown", { limitSec: 560 }, async ({ page, url, server, expected, isWhole }) => {
  const check = await watchCanary(page);
  const path = `/studio/db/${server.database}`;
  await server.create();
  const configuration = JSON.stringify({ Default: { Disabled: false } });
  await server.send("POST", `/databases/${server.database}/admin/revisions/config`, configuration);
  // Each text is an id, a name, a value and a collection.
  const put = (list) =>
    server.send("POST", `/databases/${server.database}/bulk_docs`, JSON.stringify({ Commands: list }));
  // No control characters in ids and collections: the server refuses them.
  const names = PAYLOADS.map((text) => text.replace(/[\u0000-\u001f]/g, "?"));
  const ids = names.map((text, at) => `${text}/${at}`);
  const documents = PAYLOADS.map((text, at) => ({
    Type: "PUT",
    Id: ids[at],
    Document: { [text]: text, List: [text, { [text]: text }], Group: text, "@metadata": { "@collection": names[at] } },
  }));
  await put(documents);
  const error = "map('@all_docs', function (doc) { if (doc.Group) { throw new Error(doc.Group); } return { Group: doc.Group }; })";
  const definitions = [
    { Name: "Canary/Errors", Maps: [error] },
    { Name: "Canary/Terms", Maps: ["map('@all_docs', function (doc) { return { Group: doc.Group }; })"], Fields: { Group: { Indexing: "Exact" } } },
    ...PAYLOADS.slice(0, 4).map((text) => ({ Name: `Canary/${text}`, Maps: [`map('Nothing', function (doc) { return { "${"A"}": doc.A }; })`] })),
  ];
  const named = [];
  for (const definition of definitions) {
    // A name that the server does not take is nowhere to be seen.
    await server
      .send("PUT", `/databases/${server.database}/admin/indexes`, JSON.stringify({ Indexes: [definition] }))
      .then(() => named.push(definition.Name), (failure) => ok(definition.Name.includes("<"), failure));
  }
  // 503 is of a database that is not there.
  for (const status of [400, 404, 500, 503]) {
    expected.add(status);
  }
  const visit = async (place, mark, action) => {
    await go(page, path + place);
    await shows(page, mark, place);
    await action?.();
    await check(place);
  };
  await page.goto(`${url}${path}`);

  // Lists: all of the texts at once, screen by screen.
  await visit("", "ran(");
  await visit("/docs", "ran(", async () => {
    const grid = page.getByRole("grid");
    await grid.focus();
    for (let screen = 0; screen < 12; screen++) {
      await page.keyboard.press("PageDown");
      await page.waitForTimeout(60);
    }
    await shows(page, "ran(1)", "the end of the grid");
  });
  await visit(`/docs?cols=${encodeURIComponent(JSON.stringify(PAYLOADS.slice(0, 8)))}`, "ran(");
  for (const view of ["results", "raw", "explain"]) {
    await visit(`/query?q=${encodeURIComponent("from @all_docs")}&view=${view}`, view === "explain" ? "Explain" : "ran(");
  }
  await visit("/index?name=Canary/Errors&tab=errors", "ran(");
  await visit("/index?name=Canary/Terms&tab=terms&field=Group", "ran(");
  await visit("/indexes", named[named.length - 1].slice(0, 20));
  await visit("/changes", "", async () => {
    for (let turn = 0; (await page.getByRole("grid").count()) === 0 && turn < 50; turn++) {
      await put(documents.slice(0, 60));
      await page.waitForTimeout(200);
    }
    await shows(page, "ran(6", "the changes");
  });
  await page.keyboard.press("Control+k");
  for (const text of PAYLOADS.slice(0, 6)) {
    await page.getByRole("combobox").fill(text.slice(0, 4));
    await page.waitForTimeout(150);
    await check("the palette");
  }
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Requests of this page" }).click();
  await shows(page, "/databases/", "the requests of the page");
  await check("the requests of the page");
  await page.keyboard.press("Escape");

  // What no server says of itself: a proxy might, or another version. Names of databases, faults, requests, results of
  // operations, states of indexes, errors of every form.
  const fault = await failing(page);
  const json = (value) => ({ status: 200, contentType: "application/json", body: JSON.stringify(value) });
  const rows = PAYLOADS.slice(0, 100).map((text) => ({ Name: text, State: "Faulted", IsDisabled: false, Fault: text, SizeBytes: 1, Documents: 1, Indexes: 1, StaleIndexes: 0, FaultyIndexes: 0 }));
  const running = PAYLOADS.map((text, at) => ({ Id: at, Method: text, Path: `/${text}`, Query: `?${text}`, Detail: text, Milliseconds: 1 }));
  const states = PAYLOADS.map((text) => ({ Name: text, Type: text, State: text, Status: text, IsStale: true, EntriesCount: 1, ErrorsCount: 1, LockMode: text, Priority: text, LastQueryingTime: text, LastIndexingTime: text, CreatedTimestamp: text, Collections: {}, BehindSince: text }));
  fault.answer = (_, { pathname }) =>
    pathname === "/studio/databases"
      ? json({ TotalResults: 100, Start: 0, Databases: rows })
      : pathname === "/admin/requests/running"
        ? json({ Results: running })
        : pathname.endsWith("/indexes/stats")
          ? json({ Results: states })
          : undefined;
  await go(page, "/studio/");
  await shows(page, markOf(PAYLOADS[99]), "the databases");
  await check("the databases");
  await go(page, "/studio/running");
  await shows(page, markOf(PAYLOADS[199]), "running requests");
  await check("running requests");
  await visit("/indexes", markOf(PAYLOADS[199]));
  for (const text of isWhole ? PAYLOADS : PAYLOADS.slice(0, 3)) {
    const mark = markOf(text);
    fault.answer = (_, { pathname }) =>
      pathname.endsWith("/collections/stats") ? errorAnswer(500, text, `${text}\n${text}`) : undefined;
    await go(page, "/studio/");
    await shows(page, "Databases", "the databases");
    await page.evaluate(() => window.history.pushState({}, "", "/studio/running"));
    await visit("", mark);
    await page.waitForTimeout(20);
  }
  fault.start();

  // Places of one text.
  for (let at = 0; at < PAYLOADS.length; at += isWhole ? 1 : STEP) {
    const text = PAYLOADS[at];
    const mark = markOf(text);
    const id = encodeURIComponent(ids[at]);
    const code = encodeURIComponent(text);
    await visit(`/doc?id=${id}`, mark, () => page.locator(".cm-content").waitFor());
    await visit(`/doc?id=${id}&tab=revisions`, "Version ", () => page.keyboard.press("Escape"));
    await visit(`/doc?id=none-${code}`, mark);
    await visit(`/doc?new=1&id=${code}`, mark);
    await visit(`/docs?collection=${code}`, mark);
    await visit(`/query?q=${code}`, mark);
    await visit(`/query?q=${encodeURIComponent("from @all_docs where Group = $p")}&p.p=${encodeURIComponent(JSON.stringify(text))}`, mark);
    await visit(`/index?name=${code}`, mark);
    await visit(`/indexes?filter=${code}`, mark);
    await visit(`/changes?filter=${code}`, mark);
    await visit(`/patch?q=${code}`, mark);
    await go(page, `/studio/?filter=${code}`);
    await shows(page, mark, "the filter of databases");
    await go(page, `/studio/db/${code}`);
    await page.waitForTimeout(50);
    await check(`the database ${text}`);
  }

  // Were a text made a part of the page, it would be seen.
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", "<img src=/canary/0><marquee></marquee>"));
  await page.waitForTimeout(200);
  await rejects(check("this test"), /asked for .*canary\/0.*made <marquee>/);
});

/** A day in the life of the lists below. */
const TIME = "2026-11-28T01:02:03.0000000Z";

/** What the server says of itself on the pages for operators, with a text wherever it has one. */
function operatorAnswers(text, at) {
  const figures = { Message: text, Error: text, Type: text, Processed: 1, Total: 2, [text]: text, Messages: [text, text], Documents: { ReadCount: 1 } };
  const s3 = { BucketName: text, RemoteFolderName: text, AwsAccessKey: text, AwsRegionName: text, CustomServerUrl: text };
  const setting = { Value: text, HasValue: true, HasAccess: true };
  return {
    operation: { Id: at, Database: text, StartTime: TIME, State: { Status: text, Progress: figures, Result: figures } },
    subscription: {
      SubscriptionId: at, SubscriptionName: text, Query: text, ChangeVectorForNextBatchStartingPoint: text,
      LastBatchAckTime: TIME, LastClientConnectionTime: TIME, Disabled: false, ArchivedDataProcessingBehavior: text,
      Lag: 1, OwedDocuments: 1, AsideDocuments: 1, DocumentsSent: 1, BatchesAcknowledged: 1, Failures: 1, LastError: text,
      Workers: [{ WorkerId: text, Strategy: text, Address: text, ConnectedAt: TIME }],
    },
    task: {
      TaskId: at, TaskType: "Backup", TaskName: text, TaskState: text, BackupType: text, BackupDestinations: [text],
      LastFullBackup: TIME, LastIncrementalBackup: null, IsEncrypted: true, OnGoingBackup: null, NextBackup: null, Error: text,
    },
    status: {
      LastFullBackup: TIME, LastIncrementalBackup: TIME, DurationInMs: 1, DelayUntil: null, FolderName: text,
      LocalBackup: { BackupDirectory: text }, Error: { Exception: text, At: TIME },
      History: [{ At: TIME, IsFull: true, FileName: text, SizeInBytes: 1, DurationInMs: 1, WhyFull: text, Error: text, Removed: [text] }],
      LastVerified: { At: TIME, Mode: text, Error: text }, JournalArchive: { LastCommittedAt: TIME, Error: text },
    },
    configuration: {
      TaskId: at, Name: text, FullBackupFrequency: text, IncrementalBackupFrequency: text, BackupType: text,
      LocalSettings: { FolderPath: text }, S3Settings: s3, BackupEncryptionSettings: { EncryptionMode: text, Key: text },
    },
    point: {
      DateTime: TIME, Location: text, FileName: `${text}/${at}`, IsEncrypted: true, IsIncremental: false, FilesToRestore: 1,
      DatabaseName: text, SizeInBytes: 1,
    },
    certificate: {
      Name: text, Thumbprint: text, SecurityClearance: "ValidUser", Permissions: { [text]: "Read" }, NotBefore: TIME, NotAfter: TIME,
      CollectionPrimaryKey: "", CollectionSecondaryKeys: [text], CreatedAt: TIME, CreatedBy: text, LastSeenAt: TIME,
    },
    key: {
      Id: text, Name: text, SecurityClearance: "ValidUser", Permissions: { [text]: "Admin" }, Scopes: [text], AllowedAddresses: [text],
      CreatedAt: TIME, CreatedBy: text, ExpiresAt: TIME, LastUsedAt: TIME, Disabled: false,
    },
    setting: {
      Metadata: { Keys: [text], Scope: "ServerWideOrPerDatabase", Description: text, DefaultValue: text, IsSecured: false },
      ServerValues: { [text]: setting }, DatabaseValues: { [text]: setting },
    },
    structure: {
      Name: text, Part: at, Kind: text, Entries: 1, Depth: 1, LeafPages: 1, BranchPages: 1, OverflowPages: 1, SizeInBytes: 8192, Fill: 1,
    },
    wide: { Name: text, FullBackupFrequency: text, LocalSettings: { FolderPath: text }, S3Settings: s3, Disabled: false, ExcludedDatabases: [text] },
  };
}

scenario("no text runs in what belongs to documents, and on the pages for operators", { limitSec: 560 }, async ({ page, url, server, expected, isWhole }) => {
  const check = await watchCanary(page);
  const database = `/databases/${server.database}`;
  const path = `/studio/db/${server.database}`;
  for (const status of [400, 403, 404, 500]) {
    expected.add(status);
  }
  await server.create();
  await server.put("canary/1", '{"A":1,"@metadata":{"@collection":"Canary"}}');
  const taken = await putParts(server, database);
  const visit = async (place, mark, action) => {
    await go(page, place);
    await shows(page, mark, place);
    await action?.();
    await check(place);
  };
  /** Opens each menu and dialog that a page offers first, and looks at them. */
  const press = async (...names) => {
    for (const name of names) {
      await page.getByRole("button", { name }).first().click();
      await page.locator("[role=menu], [role=dialog]").first().waitFor();
      await check(`${name} of ${page.url()}`);
      await page.keyboard.press("Escape");
    }
  };

  // What the server keeps of a document.
  await page.goto(`${url}${path}`);
  const part = `${path}/doc?id=canary/1&tab=`;
  await visit(`${part}attachments`, markOf(taken.attachments.at(-1)), () => press(/^Actions of/));
  await visit(`${part}counters`, markOf(taken.counters.at(-1)), () => press(/^Actions of/));
  await visit(`${part}timeseries`, markOf(taken.series.at(-1)));
  await visit(`${path}/cmpxchg`, markOf(taken.keys[0]));
  await visit(`${path}/cmpxchg?startsWith=v/`, "ran(");
  for (let at = 0; at < PAYLOADS.length; at += isWhole ? 1 : STEP) {
    const text = PAYLOADS[at];
    const code = encodeURIComponent(text);
    const mark = markOf(text);
    for (const tab of ["attachments", "counters"]) {
      await visit(`${part}${tab}&filter=${code}`, mark);
    }
    await visit(`${part}attachments&view=${code}`, "Attachments");
    await visit(`${part}timeseries&series=${code}`, mark);
    await visit(`${path}/cmpxchg?key=${encodeURIComponent(`v/${at}`)}`, mark, () => page.locator(".cm-content").waitFor());
    await visit(`${path}/cmpxchg?new=1&key=${code}`, mark);
    await visit(`${path}/cmpxchg?startsWith=${code}`, mark);
    // A file of this machine: its name, its first rows.
    await visit(`${path}/io`, "Import", async () => {
      const file = { name: `${at} ${text.replace(/[/\u0000]/g, "_")}.csv`, mimeType: "text/csv", buffer: Buffer.from(`@id,"${text.replaceAll('"', '""')}"\n1,"${text.replaceAll('"', '""')}"\n`) };
      await page.locator("input[type=file]").setInputFiles(file);
      await page.getByRole("cell").first().waitFor();
      // The same as lines: as an id, as a collection, as a value, and as what is no document.
      const lines = [{ Id: text, [text]: text }, { "@metadata": { "@id": text, "@collection": text } }, { Item: { "@metadata": { "@id": text } } }];
      const buffer = Buffer.from(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n${text}`);
      await page.locator("input[type=file]").setInputFiles({ name: file.name.replace(/csv$/, "ndjson"), mimeType: "", buffer });
      await page.getByRole("region", { name: "The first lines" }).getByRole("row").nth(3).waitFor();
    });
  }

  // What the server says of itself, each list with all of the texts.
  const fault = await failing(page);
  const json = (value) => ({ status: 200, contentType: "application/json", body: JSON.stringify(value) });
  const all = PAYLOADS.map(operatorAnswers);
  const of = (name) => all.map((one) => one[name]);
  let one = all[0];
  const answers = {
    "/operations": (query) => ({ TotalResults: all.length, Results: query.has("id") ? [one.operation] : of("operation") }),
    "/subscriptions": () => ({ Results: of("subscription") }),
    "/subscriptions/state": () => one.subscription,
    "/subscriptions/aside": () => ({ Results: PAYLOADS.map((Id) => ({ Id, Tries: 1 })) }),
    "/tasks": () => ({ OngoingTasks: of("task") }),
    "/periodic-backup": () => one.configuration,
    "/periodic-backup/status": () => ({ Status: one.status }),
    "/admin/restore/points": () => ({ List: of("point") }),
    "/admin/certificates": (query) => ({ Results: Number(query.get("start")) > 0 ? [] : of("certificate") }),
    "/admin/api-keys": (query) => ({ Results: Number(query.get("start")) > 0 ? [] : of("key") }),
    "/certificates/whoami": () => ({ Name: PAYLOADS[0], Kind: "Certificate", SecurityClearance: "ClusterAdmin", Permissions: {}, NotAfter: TIME }),
    "/admin/configuration/settings": () => ({ Settings: of("setting") }),
    "/debug/storage/report": () => ({
      Database: PAYLOADS[0], PageSizeBytes: 4096, Pages: 1e4, FreePages: 1, DataFileBytes: 1e7, JournalFileBytes: 1, JournalBacklogBytes: 0,
      ScratchUsedBytes: 0, Readers: 1, OldestReaderMilliseconds: 1, OldestReader: PAYLOADS[1], JournalWriteMicrosecondsP50: 1, JournalWriteMicrosecondsP99: 1,
      Structures: of("structure"),
    }),
    "/admin/configuration/server-wide/tasks": (query) => ({ Results: query.has("name") ? [one.wide] : of("wide") }),
  };
  fault.answer = (_, { pathname, searchParams }) => {
    const route = pathname.startsWith(database) ? pathname.slice(database.length) : pathname;
    return Object.hasOwn(answers, route) ? json(answers[route](searchParams)) : undefined;
  };
  const last = markOf(PAYLOADS.at(-1));
  await visit(`${path}/operations`, last);
  await visit("/studio/operations", last);
  await visit(`${path}/subscriptions`, last, () => press(/^Actions of/));
  await visit(`${path}/backups`, last, () => press(/^Actions of/));
  await visit(`/studio/restore?folder=x`, last, () => press(/^Restore .* as of/));
  await visit("/studio/certificates", last);
  await visit("/studio/certificates?tab=certificates", last, () => press(/^Actions of/));
  await visit("/studio/certificates?tab=keys", last, () => press(/^Actions of/));
  await visit(`${path}/settings`, last, () => press(/^Change |^Set$/));
  await visit(`${path}/storage`, last);
  await visit("/studio/backups", last, () => press(/^Actions of/));
  for (let at = 0; at < PAYLOADS.length; at += isWhole ? 1 : STEP) {
    const mark = markOf(PAYLOADS[at]);
    const code = encodeURIComponent(PAYLOADS[at]);
    one = all[at];
    // Each is asked for anew, by its own name.
    for (const place of [`${path}/operations?operation=${at}`, `${path}/io?operation=${at}&what=${code}`, `${path}/patch?operation=${at}`, `/studio/restore?operation=${at}&name=${code}`]) {
      await visit(place, mark);
    }
    for (const tab of ["state", "aside", "query"]) {
      await visit(`${path}/subscription?name=${code}&tab=${tab}`, mark);
    }
    for (const tab of ["status", "configuration"]) {
      await visit(`${path}/backup?task=${at}&tab=${tab}`, mark);
    }
    await visit(`${path}/settings?filter=${code}`, mark);
    await visit(`${path}/subscriptions?filter=${code}`, mark);
    await visit(`/studio/certificates?filter=${code}`, mark);
    await visit(`${path}/storage?part=${encodeURIComponent(`${PAYLOADS[at]}#${at}`)}`, mark);
    await visit(`/studio/restore?folder=${code}`, "Restore");
    await visit(`/studio/backup?name=${code}`, mark);
    await visit(`${path}/doc?id=canary/1&at=${code}`, "canary/1");
  }
  // An error that any of them may answer.
  const failed = { ...answers };
  for (const text of isWhole ? PAYLOADS : PAYLOADS.slice(0, 2)) {
    fault.answer = (_, { pathname }) => {
      const route = pathname.startsWith(database) ? pathname.slice(database.length) : pathname;
      return Object.hasOwn(failed, route) && route !== "/certificates/whoami" ? errorAnswer(500, text, `${text}\n${text}`) : undefined;
    };
    const code = encodeURIComponent(text);
    await go(page, "/studio/running");
    for (const place of [`${path}/operations?start=${markOf(text).length}`, `${path}/settings`, `${path}/storage`, `/studio/restore?folder=${code}`]) {
      await page.evaluate(() => window.history.pushState({}, "", "/studio/running"));
      await visit(place, markOf(text));
    }
  }
});

/** Writes attachments, counters, time series and compare-exchange values by all of the texts that the server takes as names. */
async function putParts(server, database) {
  const taken = { attachments: [], counters: [], series: [], keys: [] };
  const attempt = async (list, text, action) => {
    try {
      await action();
      list.push(text);
    } catch (failure) {
      // A name with control characters, or a slash at a place where none may stand, is nowhere to be seen.
      ok(/\b4\d\d\b/.test(failure.message), failure);
    }
  };
  for (const [at, text] of PAYLOADS.entries()) {
    const code = encodeURIComponent(text);
    await attempt(taken.attachments, text, () =>
      server.send("PUT", `${database}/attachments?id=canary/1&name=${code}&contentType=${code}`, text));
    const operation = { Type: "Increment", CounterName: text, Delta: 1 };
    await attempt(taken.counters, text, () =>
      server.send("POST", `${database}/counters`, JSON.stringify({ Documents: [{ DocumentId: "canary/1", Operations: [operation] }] })));
    const entries = [{ Timestamp: TIME, Values: [at], Tag: text }];
    await attempt(taken.series, text, () =>
      server.send("POST", `${database}/timeseries?docId=canary/1`, JSON.stringify({ Name: text, Appends: entries })));
    await attempt(taken.keys, text, () =>
      server.send("PUT", `${database}/cmpxchg?key=${code}&index=0`, JSON.stringify({ Object: { [text]: text } })));
    await server.send("PUT", `${database}/cmpxchg?key=v/${at}&index=0`, JSON.stringify({ Object: { [text]: text } }));
  }
  for (const [name, list] of Object.entries(taken)) {
    ok(list.length > 100, `${list.length} ${name} are taken`);
  }
  taken.attachments.sort();
  taken.keys.sort();
  return taken;
}
