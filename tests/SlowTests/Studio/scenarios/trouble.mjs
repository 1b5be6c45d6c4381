import { equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";
import { errorAnswer, failing } from "../fault.mjs";

const DOCUMENT = '{"Freight":1.10,"@metadata":{"@collection":"Orders"}}';

/** Types a digit behind the freight, which makes 1.10 into 1.105. */
async function type(page, text) {
  await page.locator(".cm-line", { hasText: "Freight" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(text);
  await page.getByText("not saved", { exact: false }).first().waitFor();
}

const saved = (page) => page.locator('button[title="Nothing is changed."]').waitFor();

scenario("a server that restarts under a page is told, and nothing that was typed is lost", async ({ page, url, server, expected }) => {
  await server.create();
  await server.put("orders/1", DOCUMENT);
  const fault = await failing(page);
  expected.add("ERR_");
  await page.goto(`${url}/studio/db/${server.database}/doc?id=orders/1`);
  await type(page, "5");
  fault.stop();
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText("The server does not answer.").waitFor();
  await page.getByText("no answer", { exact: true }).waitFor();
  await checkAccess(page);
  // It is away when another client has already changed the document.
  await server.put("orders/1", DOCUMENT.replace('"Freight"', '"Theirs":7,"Freight"'));
  fault.start();
  await page.getByText("well", { exact: true }).waitFor();
  await page.getByText("Another client has changed it since.").waitFor();
  expected.add(409);
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Save merged" }).click();
  await saved(page);
  await eventually(async () => {
    const stored = await server.read("orders/1");
    ok(stored.includes('"Freight":1.105') && stored.includes('"Theirs":7'), stored);
  });
});

scenario("lists come back by themselves when the server does", async ({ page, url, server, expected }) => {
  await server.create();
  await server.sample();
  const fault = await failing(page);
  expected.add("ERR_");
  await page.goto(`${url}/studio/db/${server.database}`);
  await page.getByRole("link", { name: "Orders", exact: true }).waitFor();
  fault.stop();
  await page.getByRole("alert").getByText("The server does not answer.").first().waitFor();
  // What was read stays.
  await page.getByRole("link", { name: "Orders", exact: true }).waitFor();
  fault.start();
  await page.waitForFunction(() => document.querySelector("[role=alert]") === null);
});

scenario("a save whose answer was lost is no conflict with oneself", async ({ page, url, server, expected }) => {
  await server.create();
  await server.put("orders/1", DOCUMENT);
  const fault = await failing(page);
  expected.add("ERR_").add(409);
  await page.goto(`${url}/studio/db/${server.database}/doc?id=orders/1`);
  await type(page, "5");
  fault.answer = (request) => (request.method() === "PUT" ? "lost" : undefined);
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText("The server does not answer.").waitFor();
  fault.start();
  await page.keyboard.press("Control+s");
  await saved(page);
  await eventually(async () => equal(await page.getByRole("dialog").count(), 0));
  await eventually(async () => match(await server.read("orders/1"), /"Freight":1\.105\b/));
});

scenario("a slow server: the page says what is on its way, saves once, and the last filter wins", async ({ page, url, server }) => {
  await server.create();
  await server.put("orders/1", DOCUMENT);
  const fault = await failing(page);
  await page.goto(`${url}/studio/db/${server.database}/doc?id=orders/1`);
  await type(page, "5");
  fault.delayMs = 1_500;
  await page.keyboard.press("Control+s");
  await page.keyboard.press("Control+s");
  await page.locator('button[aria-busy="true"]').first().waitFor();
  await saved(page);
  equal(fault.requests.filter((one) => one.startsWith("PUT")).length, 1);
  await page.goto(`${url}/studio/db/${server.database}/docs`);
  await page.locator(".skeleton").first().waitFor();
  await page.getByRole("link", { name: "orders/1" }).waitFor();
  await page.goto(`${url}/studio/`);
  // The answer to the first letters comes after that to the last ones.
  await page.getByLabel("Filter by name").waitFor();
  fault.delayMs = 0;
  const late = server.database.slice(0, 3);
  fault.answer = (_, { pathname, searchParams }) => {
    fault.delayMs = pathname === "/studio/databases" && searchParams.get("filter") === "none" ? 0 : 700;
  };
  await page.getByLabel("Filter by name").fill(late);
  await page.getByLabel("Filter by name").fill("none");
  await page.getByText("No database has “none”").waitFor();
  await page.waitForTimeout(1_500);
  await page.getByText("No database has “none”").waitFor();
});

const PLACES = ["", "/docs", "/doc?id=orders/1", "/indexes", "/index?name=Orders/ByCompany", "/query?q=from%20Orders", "/patch?q=from%20Orders%20update%20%7B%7D"];

scenario("every refusal says what it is, on every page, and goes when it is over", async ({ page, url, server, expected }) => {
  await server.create();
  await server.sample();
  await server.put("orders/1", DOCUMENT);
  const fault = await failing(page);
  const refusals = [
    errorAnswer(403, "System.UnauthorizedAccessException", "It takes the right Read of this database."),
    errorAnswer(500, "System.InvalidOperationException", "It failed: 4711 is its id in the log."),
    errorAnswer(409, "Voron.Exceptions.VoronConcurrencyErrorException", "Somebody else was first."),
    errorAnswer(503, "Raven.Client.Exceptions.Database.DatabaseDisabledException", "The database is disabled.", { "Retry-After": "7" }),
    { status: 502, headers: { "Content-Type": "text/html" }, body: "<html><script>alert(1)</script>Bad gateway</html>" },
  ];
  for (const { status } of refusals) {
    expected.add(status);
  }
  for (const refusal of refusals) {
    const said = refusal.status === 502 ? "The server answered 502." : JSON.parse(refusal.body).Message;
    fault.answer = (_, at) => (at.pathname === "/healthz" ? undefined : refusal);
    // 503 is tried again twice before it is told: two pages show it.
    for (const place of refusal.status === 503 ? PLACES.slice(1, 3) : PLACES) {
      await page.goto(`${url}/studio/db/${server.database}${place}`);
      if (place.startsWith("/patch")) {
        await page.getByRole("button", { name: "Try on one" }).click();
      }
      await page.getByRole("alert").getByText(said).first().waitFor();
      await page.getByRole("navigation").waitFor();
    }
    await page.goto(`${url}/studio/`);
    await page.getByRole("alert").getByText(said).waitFor();
    if (refusal.status === 403) {
      await checkAccess(page);
    }
    fault.start();
    await page.getByRole("button", { name: /^Try again/ }).click();
    await page.getByRole("link", { name: server.database, exact: true }).waitFor();
    await eventually(async () => equal(await page.getByRole("alert").count(), 0));
  }
  // A database that is not there is no passing trouble.
  await page.goto(`${url}/studio/db/not-there`);
  await page.getByRole("alert").getByText("Database 'not-there' does not exist.").waitFor();
});

scenario("a page whose server was replaced by another version says so, and keeps what was typed", async ({ page, url, server, expected }) => {
  await server.create();
  await server.put("orders/1", DOCUMENT);
  const fault = await failing(page);
  // The loader of pages tells the console, then loads anew.
  expected.add(404).add("Failed to fetch dynamically imported module");
  await page.goto(`${url}/studio/db/${server.database}/doc?id=orders/1`);
  await type(page, "5");
  fault.takesFiles = true;
  fault.answer = (request, at) =>
    at.pathname.startsWith("/studio/a/")
      ? { status: 404, contentType: "text/plain", body: "These files are of another version." }
      : at.pathname === "/studio/" && request.method() === "HEAD"
        ? { status: 200, headers: { "Raven-Studio": "0123456789abcdef" } }
        : undefined;
  // A part that was not loaded before: the page around it stays.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("alert").getByText("of another version").waitFor();
  await page.locator(".cm-line", { hasText: "1.105" }).waitFor();
  await page.keyboard.press("Control+s");
  await saved(page);
  await eventually(async () => match(await server.read("orders/1"), /"Freight":1\.105\b/));
  // Another page cannot be shown of these files: it is loaded with the new ones.
  const answer = fault.answer;
  fault.answer = (request, at) => {
    if (request.isNavigationRequest()) {
      fault.takesFiles = false;
      fault.start();
      return undefined;
    }
    return answer(request, at);
  };
  await page.getByRole("link", { name: "Query", exact: true }).click();
  await page.getByText("Ask the database").waitFor();
});

scenario("two tabs that edit one document keep what was typed in both", async ({ page, context, url, server, expected }) => {
  await server.create();
  await server.put("orders/1", DOCUMENT);
  const place = `${url}/studio/db/${server.database}/doc?id=orders/1`;
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(place);
    await tab.locator(".cm-line", { hasText: "Freight" }).waitFor();
  }
  await type(page, "1");
  await type(other, "2");
  // A reload offers what was typed on both.
  await page.reload();
  await page.getByRole("button", { name: "Go on with it" }).first().waitFor();
  await eventually(async () => equal(await page.getByRole("button", { name: "Go on with it" }).count(), 2));
  await checkAccess(page);
  await page.getByRole("button", { name: "Go on with it" }).last().click();
  await page.locator(".cm-line", { hasText: "1.101" }).waitFor();
  await page.keyboard.press("Control+s");
  await saved(page);
  await other.getByText("Another client has changed it since.").waitFor();
  expected.add(409);
  await other.keyboard.press("Control+s");
  const dialog = other.getByRole("dialog");
  await dialog.getByText("1.101").first().waitFor();
  await dialog.getByText("1.102").first().waitFor();
  await dialog.getByLabel("Mine").check();
  await dialog.getByRole("button", { name: "Save merged" }).click();
  await saved(other);
  await eventually(async () => match(await server.read("orders/1"), /"Freight":1\.102\b/));
  await other.close();
});

scenario("a browser whose clock is an hour off tells how long by the server's clock", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const fault = await failing(page);
  for (const offMs of [3_600_000, -3_600_000]) {
    await page.addInitScript((off) => {
      const real = Date.now.bind(Date);
      const RealDate = Date;
      window.Date = class extends RealDate {
        constructor(...values) {
          super(...(values.length === 0 ? [real() + off] : values));
        }
        static now() {
          return real() + off;
        }
      };
    }, offMs);
    fault.answer = (_, { pathname }) => {
      if (!pathname.endsWith("/indexes/stats")) {
        return undefined;
      }
      const index = { Name: "Orders/Late", Type: "Map", State: "Normal", Status: "Running", IsStale: true, EntriesCount: 1, ErrorsCount: 0,
        LockMode: "Unlock", Priority: "Normal", Collections: { Orders: { DocumentLag: 3 } }, BehindSince: new Date(Date.now() - 20_000).toISOString() };
      return { status: 200, contentType: "application/json", headers: { Date: new Date().toUTCString() }, body: JSON.stringify({ Results: [index] }) };
    };
    await page.goto(`${url}/studio/db/${server.database}/indexes`);
    await page.getByText(/^behind 3 · (1[89]|2\d)\.\d.s$/).waitFor();
    // What was just seen has the server's time, not the browser's.
    await page.goto(`${url}/studio/db/${server.database}/changes`);
    for (let turn = 0; (await page.getByRole("grid").count()) === 0 && turn < 50; turn++) {
      await server.put("logs/1", `{"Turn":${turn}}`);
      await page.waitForTimeout(200);
    }
    const text = await page.locator("[role=row][aria-rowindex='2'] [role=gridcell]").first().textContent();
    const awayMs = Math.abs(Date.parse(text.replace(" ", "T")) - Date.now());
    ok(awayMs < 600_000, `${text} is ${awayMs} ms away.`);
  }
});

/** Databases as the server lists them. */
function databasePage(all, { searchParams }) {
  const start = Number(searchParams.get("start") ?? 0);
  const filter = (searchParams.get("filter") ?? "").toLowerCase();
  const found = all.filter((one) => one.Name.includes(filter));
  const pageSize = Number(searchParams.get("pageSize") ?? 128);
  return { TotalResults: found.length, Start: start, Databases: found.slice(start, start + pageSize) };
}

const json = (value) => ({ status: 200, contentType: "application/json", body: JSON.stringify(value) });

scenario("10,000 databases are paged and found by a part of the name", async ({ page, url }) => {
  const all = Array.from({ length: 10_000 }, (_, at) => ({ Name: `shop-${String(at).padStart(5, "0")}`, State: "Closed", IsDisabled: false,
    Fault: null, SizeBytes: 12_582_912, Documents: null, Indexes: null, StaleIndexes: null, FaultyIndexes: null }));
  const fault = await failing(page);
  fault.answer = (_, at) => (at.pathname === "/studio/databases" ? json(databasePage(all, at)) : undefined);
  await page.goto(`${url}/studio/`);
  await page.getByText("1 to 100 of 10 000").waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("101 to 200 of 10 000").waitFor();
  await page.getByRole("link", { name: "shop-00199" }).waitFor();
  await page.getByLabel("Filter by name").fill("9999");
  await page.getByRole("link", { name: "shop-09999" }).waitFor();
  await eventually(async () => equal(await page.getByRole("row").count(), 2));
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("shop-07");
  await page.getByRole("option").first().waitFor();
});

scenario("10,000 indexes are listed, filtered and found", async ({ page, url, server }) => {
  await server.create();
  const all = Array.from({ length: 10_000 }, (_, at) => ({ Name: `Orders/By${String(at).padStart(5, "0")}`, Type: "Map", State: "Normal", Status: "Running",
    IsStale: at % 100 === 0, EntriesCount: at, ErrorsCount: at === 7_777 ? 3 : 0, LockMode: "Unlock", Priority: "Normal", LastQueryingTime: null,
    LastIndexingTime: null, CreatedTimestamp: null, Collections: { Orders: { DocumentLag: at % 100 === 0 ? 5 : 0 } }, BehindSince: null }));
  const fault = await failing(page);
  fault.answer = (_, { pathname, searchParams }) =>
    pathname.endsWith("/indexes/stats")
      ? json({ Results: all.filter((one) => !searchParams.has("name") || one.Name === searchParams.get("name")) })
      : undefined;
  await page.goto(`${url}/studio/db/${server.database}/indexes`);
  await page.getByRole("button", { name: "all 10 000" }).waitFor();
  await page.getByRole("button", { name: "stale 100" }).click();
  await page.getByRole("link", { name: "Orders/By09900" }).waitFor();
  await page.getByRole("button", { name: "errors 1" }).click();
  await page.getByRole("link", { name: "Orders/By07777" }).waitFor();
  await page.getByRole("button", { name: "all 10 000" }).click();
  await page.getByLabel("Filter by name").fill("09999");
  await page.getByRole("link", { name: "Orders/By09999" }).waitFor();
  await checkAccess(page);
  const reads = fault.requests.filter((one) => one.endsWith("/indexes/stats")).length;
  ok(reads <= 3, `The states of 10,000 indexes were read ${reads} times.`);
});
