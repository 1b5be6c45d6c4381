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

/** Waits until a page shows a text with this mark: in its text, an editor or a field. */
async function shows(page, mark, where) {
  await page
    .waitForFunction(
      (text) =>
        document.querySelector("#content")?.textContent.includes(text) ||
        [...document.querySelectorAll("input, [role=dialog]")].some((one) => (one.value ?? one.textContent).includes(text)),
      mark,
      { timeout: 10_000 },
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
