import { equal, match, ok } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { checkAccess, eventually, waitForParameter } from "../browser.mjs";

scenario("a dump is exported and imported into another database, with its counts", async ({ page, url, server }) => {
  const other = `${server.database}-other`;
  await server.create();
  await server.sample();
  await server.send("PUT", `/admin/databases?name=${other}`, JSON.stringify({ DatabaseName: other }));
  try {
    await page.goto(`${url}/studio/db/${server.database}/io?tab=export`);
    await checkAccess(page);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export it" }).click();
    const file = await saved;
    match(file.suggestedFilename(), /\.ravendbdump$/);
    // The browser writes it to the disk as it comes: no script has read it, and no page holds it.
    match(file.url(), /^http:.*\/smuggler\/export\?/);
    await page.getByText("completed", { exact: true }).waitFor();

    await page.goto(`${url}/studio/db/${other}/io`);
    await page.locator("input[type=file]").setInputFiles(await file.path());
    await page.getByRole("button", { name: "a dump", exact: true }).click();
    await page.getByLabel("subscriptions", { exact: true }).uncheck();
    await page.getByLabel(/^Script for each document/).fill("this.From = 'dump';");
    await checkAccess(page);
    await page.getByRole("button", { name: "Import it" }).click();
    await page.getByText("completed", { exact: true }).waitFor();
    await page.getByRole("row", { name: /^Documents 1.059/ }).waitFor();
    await checkAccess(page);
    await page.reload();
    await page.getByRole("row", { name: /^Documents 1.059/ }).waitFor();
    await eventually(async () => match(await server.send("GET", `/databases/${other}/docs?id=orders/1-A`), /"From":"dump"/));
  } finally {
    await server.send("DELETE", "/admin/databases", JSON.stringify({ DatabaseNames: [other], HardDelete: true }));
  }
});

scenario("rows of CSV are shown, imported, and what is wrong in them is named by its line", async ({ page, url, server, expected }) => {
  await server.create();
  await page.goto(`${url}/studio/db/${server.database}/io`);
  const file = (text) => ({ name: "users.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  const input = page.locator("input[type=file]");
  await input.setInputFiles(file('@id;Name;Address.City\nusers/1;"Ann; B";Paris\nusers/2;Bob;Rome\n'));
  await page.getByRole("cell", { name: "Ann; B" }).waitFor();
  await eventually(async () => equal(await page.getByLabel(/^Collection/).inputValue(), "Users"));
  await checkAccess(page);
  await page.getByRole("button", { name: "Import it" }).click();
  await page.getByText("completed", { exact: true }).waitFor();
  await eventually(async () => match(await server.read("users/1"), /"City":"Paris"/));
  await eventually(async () => match(await server.read("users/1"), /"Name":"Ann; B"/));
  await input.setInputFiles(file("@id,Name\nusers/3,C\nusers/4,D,too many\n"));
  expected.add(400);
  await page.getByRole("button", { name: "Import it" }).click();
  await page.getByRole("alert").getByText(/line 3/i).waitFor();
  await checkAccess(page);
  // The row before it is in. The mended file goes on at the row that is not: nothing before that is read again.
  await eventually(async () => match(await server.read("users/3"), /"Name":"C"/));
  await server.put("users/3", '{"Name":"changed since"}');
  await input.setInputFiles(file("@id,Name\nusers/3,C\nusers/4,D\nusers/5,E\n"));
  await page.getByRole("button", { name: "Go on at line 3" }).click();
  await eventually(async () => match(await server.read("users/5"), /"Name":"E"/));
  match(await server.read("users/4"), /"Name":"D"/);
  match(await server.read("users/3"), /"Name":"changed since"/);
});

scenario("a script that does not compile is refused before anything is sent", async ({ page, url, server, expected }) => {
  await server.create();
  await page.goto(`${url}/studio/db/${server.database}/io`);
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "a.ravendbdump", mimeType: "application/json", buffer: Buffer.from('{"Docs":[]}') });
  await page.getByLabel(/^Script for each document/).fill("this.A = ;");
  expected.add(400);
  await page.getByRole("button", { name: "Import it" }).click();
  await page.getByRole("alert").getByText("The import has failed").waitFor();
  await waitForParameter(page, "operation", null);
});

scenario("documents of a collection are exported as rows, and a script that does not compile begins nothing", async ({ page, url, server, expected }) => {
  await server.create();
  await server.sample();
  await page.goto(`${url}/studio/db/${server.database}/io?tab=export`);
  await page.getByLabel(/^Script for each document/).fill("this.A = ;");
  expected.add(400);
  await page.getByRole("button", { name: "Export it" }).click();
  await page.getByRole("alert").getByText("The export has not begun").waitFor();
  await waitForParameter(page, "operation", null);
  await page.getByRole("button", { name: "CSV", exact: true }).click();
  await page.getByRole("option", { name: /^Orders/ }).waitFor({ state: "attached" });
  await page.getByLabel("Documents").selectOption("Orders");
  await checkAccess(page);
  await waitForParameter(page, "collection", "Orders");
  for (const [name, kind, lines] of [["CSV", "csv", 831], ["JSON lines", "jsonl", 831]]) {
    await page.getByRole("button", { name, exact: true }).click();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export them" }).click();
    const file = await saved;
    match(file.suggestedFilename(), new RegExp(`Orders\\.${kind}$`));
    match(file.url(), /^http:.*\/streams\/queries\?/);
    // A header each, and 830 orders.
    equal(readFileSync(await file.path(), "utf8").trimEnd().split("\n").length, lines);
  }
});

scenario("a long dump reaches the disk without passing through the page", { limitSec: 120 }, async ({ page, url, server }) => {
  await server.create();
  // 48 MB that no compression makes small.
  for (let at = 0; at < 12; at++) {
    await server.put(`files/${at}`, JSON.stringify({ Text: randomBytes(3_000_000).toString("base64") }));
  }
  await page.goto(`${url}/studio/db/${server.database}/io?tab=export`);
  const read = [];
  page.on("request", (request) => {
    if (request.url().includes("/smuggler/export")) {
      read.push(request.resourceType());
    }
  });
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export it" }).click();
  const file = await saved;
  // The page may be left: the download is the browser's, and the list of operations has it after a reload.
  await page.goto(`${url}/studio/db/${server.database}/operations`);
  await page.reload();
  await page.getByRole("row", { name: /Import or export/ }).getByText("completed").waitFor();
  equal(await file.failure(), null);
  ok(statSync(await file.path()).size > 36_000_000, "the file is whole");
  ok(!read.includes("fetch") && !read.includes("xhr"), read.join());
});

scenario("JSON lines are shown, stop at the line that is wrong, and go on there, also after a reload", async ({ page, url, server, expected }) => {
  await server.create();
  const place = `${url}/studio/db/${server.database}/io`;
  const line = (at, more = "") => `{"Id":"users/${at}","Balance":${at}.10${more}}`;
  // Line 700 is no document, and the server takes no id as long as that of line 900.
  const lines = Array.from({ length: 1_200 }, (_, at) => line(at + 1));
  lines[699] = '{"Id":"users/700",';
  lines[899] = `{"Id":"${"x".repeat(600)}"}`;
  const file = (name) => ({ name, mimeType: "", buffer: Buffer.from(lines.join("\n")) });
  const input = page.locator("input[type=file]");
  const count = async () =>
    JSON.parse(await server.send("GET", `/databases/${server.database}/collections/stats`)).Collections.Users ?? 0;
  await page.goto(place);
  await input.setInputFiles(file("users.ndjson"));
  // Twenty lines, as they would be stored: by the names of their file and of a member.
  await page.getByRole("cell", { name: "users/20", exact: true }).waitFor();
  equal(await page.getByRole("region", { name: "The first lines" }).getByRole("row").count(), 21);
  equal(await page.getByLabel(/^Collection/).inputValue(), "Users");
  equal(await page.getByLabel(/^Id is the member/).inputValue(), "Id");
  await checkAccess(page);
  await page.getByRole("button", { name: "Import it" }).click();
  const alert = page.getByRole("alert");
  await alert.getByText(/^Line 700: /).first().waitFor();
  await eventually(async () => equal(await count(), 699));
  await checkAccess(page);
  match(await server.read("users/699"), /"Balance":699\.10\b/);

  // The file is chosen again after a reload: it goes on where it stopped, with the next line that is wrong.
  await waitForParameter(page, "line", "700");
  lines[699] = line(700);
  await page.reload();
  await input.setInputFiles(file("users.ndjson"));
  expected.add(400);
  await page.getByRole("button", { name: "Go on at line 700" }).click();
  await alert.getByText(/^Line 900: .*the id has 600 bytes/).first().waitFor();
  await eventually(async () => equal(await count(), 899));
  await page.getByRole("button", { name: "Leave line 900 out and go on" }).click();
  await page.getByText("completed", { exact: true }).waitFor();
  await page.getByText("1 line left out: 900").waitFor();
  equal(await count(), 1_199);
  await waitForParameter(page, "line", null);
  // Another file begins at its beginning.
  await input.setInputFiles(file("others.ndjson"));
  await page.getByRole("button", { name: "Import it" }).waitFor();
});

scenario("JSON lines are paused and go on; what was exported is imported again", async ({ page, url, server }) => {
  const other = `${server.database}-other`;
  await server.create();
  await server.sample();
  await server.send("PUT", `/admin/databases?name=${other}`, JSON.stringify({ DatabaseName: other }));
  try {
    await page.goto(`${url}/studio/db/${server.database}/io?tab=export&as=jsonl&collection=Orders`);
    await page.getByRole("option", { name: /^Orders/ }).waitFor({ state: "attached" });
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export them" }).click();
    const path = await (await saved).path();
    const total = async () =>
      JSON.parse(await server.send("GET", `/databases/${other}/collections/stats`)).Collections.Orders ?? 0;
    await page.goto(`${url}/studio/db/${other}/io`);
    await page.locator("input[type=file]").setInputFiles({ name: "orders.jsonl", mimeType: "", buffer: readFileSync(path) });
    await page.getByRole("cell", { name: /^orders\/\d+-A$/ }).first().waitFor();
    // The first batch is held until the pause has been asked for.
    let go;
    const paused = new Promise((resolve) => {
      go = resolve;
    });
    await page.route("**/bulk_docs", async (route) => {
      await paused;
      await route.fallback();
    });
    await page.getByRole("button", { name: "Import it" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    go();
    await page.getByText("waits at line 502", { exact: true }).waitFor();
    equal(await total(), 500);
    await checkAccess(page);
    await page.getByRole("button", { name: "Go on at line 502" }).click();
    await page.getByText("completed", { exact: true }).waitFor();
    equal(await total(), 830);
    const order = "/docs?id=orders/830-A";
    // What each server says of it is its own: flags of revisions, versions and times.
    const plain = (text) => text.replace(/"@metadata":\{[^}]*\}/, "");
    equal(
      plain(await server.send("GET", `/databases/${other}${order}`)),
      plain(await server.send("GET", `/databases/${server.database}${order}`)),
    );
  } finally {
    await server.send("DELETE", "/admin/databases", JSON.stringify({ DatabaseNames: [other], HardDelete: true }));
  }
});
