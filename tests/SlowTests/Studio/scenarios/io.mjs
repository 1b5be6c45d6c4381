import { equal, match } from "node:assert/strict";
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
