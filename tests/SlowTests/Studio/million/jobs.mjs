import { equal, match, ok } from "node:assert/strict";
import { createReadStream } from "node:fs";
import { checkAccess, eventually, waitForParameter } from "../browser.mjs";

// The jobs of a person on a database of a million documents, each as on the sample data.

const DATABASE = "million";
const COUNT = 1_000_000;
const BATCH = 5_000;
const CITIES = ["Oslo", "Lyon", "Graz", "Bern", "Pisa", "Cork", "Riga", "Brno", "Gent", "Turku"];

/** Order 1 to a million: each in one of ten cities, 20 of them big, their numbers with digits that no double has. */
function orderOf(number) {
  const id = `orders/${String(number).padStart(7, "0")}`;
  const text =
    `{"Number":${number},"Company":"companies/${number % 1_000}","City":"${CITIES[number % 10]}","Freight":${number % 1_000}.10,` +
    `"Key":90071992547409931,${number % 50_000 === 0 ? '"IsBig":true,' : ""}"@metadata":{"@collection":"Orders"}}`;
  return `{"Id":"${id}","Type":"PUT","Document":${text}}`;
}

/** All orders as a bulk insert. */
function* commands() {
  for (let first = 1; first <= COUNT; first += BATCH) {
    const lines = Array.from({ length: BATCH }, (_, at) => orderOf(first + at));
    yield Buffer.from(`${first === 1 ? "[" : ","}${lines.join(",\n")}`);
  }
  yield Buffer.from("]");
}

let loading;

/** Loads the database once for all jobs. */
function load(url, send) {
  loading ??= (async () => {
    await send("PUT", `/admin/databases?name=${DATABASE}`, JSON.stringify({ DatabaseName: DATABASE }));
    const response = await fetch(`${url}/databases/${DATABASE}/bulk_insert`, {
      method: "POST",
      body: ReadableStream.from(commands()),
      duplex: "half",
    });
    equal(response.status, 200, await response.text());
    const { CountOfDocuments } = JSON.parse(await send("GET", `/databases/${DATABASE}/stats`));
    ok(CountOfDocuments >= COUNT, `${CountOfDocuments} documents`);
  })();
  return loading;
}

const place = (url, rest) => `${url}/studio/db/${DATABASE}/${rest}`;
const read = (server, id) => server.send("GET", `/databases/${DATABASE}/docs?id=${encodeURIComponent(id)}`);
const ask = async (server, Query) =>
  JSON.parse(await server.send("POST", `/databases/${DATABASE}/queries`, JSON.stringify({ Query, WaitForNonStaleResults: true })));

scenario("find: the palette by the beginning of an id, the grid by its last row", { limitSec: 180 }, async ({ page, url, server }) => {
  await load(url, server.send);
  await page.goto(place(url, "docs?collection=Orders"));
  const grid = page.getByRole("grid");
  await grid.waitFor();
  equal(Number(await grid.getAttribute("aria-rowcount")) - 1, COUNT);
  await grid.focus();
  await page.keyboard.press("End");
  await page.getByRole("link", { name: "orders/0000001", exact: true }).waitFor();
  await page.keyboard.press("Home");
  await page.getByRole("link", { name: "orders/1000000", exact: true }).waitFor();
  await checkAccess(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("orders/07654");
  await page.getByRole("option", { name: "orders/0765400" }).waitFor();
  await page.getByRole("combobox").fill("orders/0765432");
  await page.getByRole("option", { name: "orders/0765432" }).waitFor();
  await page.keyboard.press("Enter");
  await waitForParameter(page, "id", "orders/0765432");
  await page.locator(".cm-content").waitFor();
  await checkAccess(page);
});

scenario("edit safely: what another client wrote is merged, and digits stay", { limitSec: 120 }, async ({ page, url, server, expected }) => {
  await load(url, server.send);
  const id = "orders/0500001";
  await page.goto(place(url, `doc?id=${id}`));
  await page.locator(".cm-line", { hasText: "Freight" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("5");
  await server.send(
    "PUT",
    `/databases/${DATABASE}/docs?id=${id}`,
    '{"Number":500001,"Company":"companies/theirs","City":"Lyon","Freight":1.10,"Key":90071992547409931,"@metadata":{"@collection":"Orders"}}',
  );
  await page.getByText("Another client has changed it since.").waitFor();
  expected.add(409);
  await page.keyboard.press("Control+s");
  await page.getByRole("dialog").waitFor();
  await page.getByRole("button", { name: "Save merged" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const stored = await read(server, id);
  match(stored, /"Company":"companies\/theirs"/);
  match(stored, /"Freight":1\.105\b/);
  match(stored, /"Key":90071992547409931\b/);
});

scenario("ask: the index that would be made is named, made over all, and answers", { limitSec: 180 }, async ({ page, url, server }) => {
  await load(url, server.send);
  await page.goto(place(url, "query"));
  await page.locator(".cm-content").click();
  await page.keyboard.insertText("from Orders where City = 'Oslo' and Freight > 989");
  await page.getByText(/would make Auto\/Orders\//).waitFor();
  await page.keyboard.press("Control+Enter");
  // A hundred thousand are from Oslo; every hundredth of them, with 990.10, is that heavy.
  await page.getByText(/^1.000 results?/).waitFor({ timeout: 150_000 });
  await page.getByText(/would make/).waitFor({ state: "detached" });
  await checkAccess(page);
  const { Results } = JSON.parse(await server.send("GET", `/databases/${DATABASE}/indexes/stats`));
  equal(Results.length, 1);
  equal(Results[0].EntriesCount, COUNT);
  await page.getByRole("link", { name: "Indexes", exact: true }).click();
  await page.getByRole("row", { name: /Auto\/Orders.*up to date/ }).waitFor();
});

scenario("watch: a write shows among the changes and in the count", { limitSec: 120 }, async ({ page, url, server }) => {
  await load(url, server.send);
  await page.goto(place(url, "changes"));
  await page.getByText("Nothing has changed").waitFor();
  for (let turn = 0; (await page.getByRole("grid").count()) === 0 && turn < 50; turn++) {
    await server.send("PUT", `/databases/${DATABASE}/docs?id=notes/1`, `{"Turn":${turn},"@metadata":{"@collection":"Notes"}}`);
    await page.waitForTimeout(300);
  }
  await page.getByRole("link", { name: "notes/1" }).first().waitFor();
  await checkAccess(page);
});

scenario("change many: tried on one, counted, and then those alone", { limitSec: 180 }, async ({ page, url, server }) => {
  await load(url, server.send);
  const query = encodeURIComponent("from Orders where IsBig = true update { this.Seen = 1.10; }");
  await page.goto(place(url, `patch?q=${query}`));
  await page.getByRole("button", { name: "Try on one" }).click();
  await page.getByText("Nothing was written.", { exact: true }).waitFor({ timeout: 150_000 });
  await page.locator(".cm-content", { hasText: '"Seen"' }).waitFor();
  equal((await ask(server, "from Orders where exists(Seen)")).TotalResults, 0);
  await page.getByRole("button", { name: "Run…" }).click();
  const dialog = page.getByRole("dialog");
  await eventually(async () => equal(await dialog.locator("code").textContent(), "20"));
  await checkAccess(page);
  await dialog.getByRole("textbox").fill("20");
  await dialog.getByRole("button", { name: /^Change/ }).click();
  await page.getByText("Completed").waitFor();
  await eventually(async () => equal((await ask(server, "from Orders where exists(Seen)")).TotalResults, 20));
});

scenario("move data: all of a collection reaches the disk, each document once", { limitSec: 180 }, async ({ page, url, server }) => {
  await load(url, server.send);
  await page.goto(place(url, "io?tab=export&as=jsonl&collection=Orders"));
  await page.getByRole("option", { name: /^Orders/ }).waitFor({ state: "attached" });
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export them" }).click();
  const file = await saved;
  match(file.url(), /^http:.*\/streams\/queries\?/);
  equal(await file.failure(), null);
  const seen = new Uint8Array(COUNT + 1);
  let count = 0;
  let rest = "";
  for await (const piece of createReadStream(await file.path(), "utf8")) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const number = /"Number":(\d+),/.exec(line);
      if (number) {
        count += seen[Number(number[1])] === 0 ? 1 : COUNT;
        seen[Number(number[1])] = 1;
      }
    }
  }
  equal(rest, "");
  equal(count, COUNT);
});
