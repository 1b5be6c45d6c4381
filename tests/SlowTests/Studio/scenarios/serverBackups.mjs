import { equal, match } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAccess, eventually } from "../browser.mjs";

const TASKS = "/admin/configuration/server-wide/tasks?type=Backup";

scenario("a task of all databases is made, seen in a database, changed, disabled and deleted", async ({ page, url, server }) => {
  const name = `all of ${server.database}`;
  const folder = mkdtempSync(join(tmpdir(), "wide-"));
  const stored = async () => JSON.parse(await server.send("GET", `${TASKS}&name=${encodeURIComponent(name)}`)).Results[0];
  await server.create();
  try {
    await page.goto(`${url}/studio/`);
    await page.getByRole("link", { name: "Backups", exact: true }).click();
    await page.getByText("No task backs up all databases").waitFor();
    await checkAccess(page);
    await page.getByRole("button", { name: "New" }).click();
    await page.getByLabel("Name (empty: the server chooses one)").fill(name);
    await page.getByLabel(/^Databases that it leaves out/).fill("scratch, other");
    await page.getByLabel(/^Folder on the server/).fill(folder);
    // Far off: it does not run by itself here.
    await page.getByLabel("All of it (cron)").fill("0 0 29 2 *");
    await page.getByLabel("What has changed (cron)").fill("");
    await checkAccess(page);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name, exact: true }).waitFor();
    await checkAccess(page);
    equal((await stored()).ExcludedDatabases.join(), "scratch,other");

    // A change keeps what the form does not show; the name is what the server finds it by.
    await page.getByLabel(/^Databases that it leaves out/).fill("scratch");
    await page.getByRole("button", { name: "Save" }).click();
    await eventually(async () => equal((await stored()).ExcludedDatabases.join(), "scratch"));
    equal((await stored()).LocalSettings.FolderPath, folder);
    equal(await page.getByLabel("Name (empty: the server chooses one)").count(), 0);

    // A database shows it, and leads back to it.
    await page.goto(`${url}/studio/db/${server.database}/backups`);
    await page.getByRole("link", { name: `Server Wide Backup, ${name}` }).click();
    await page.getByRole("link", { name: "a task of all databases" }).click();
    await page.getByRole("button", { name: `Actions of ${name}` }).click();
    await page.getByRole("menuitem", { name: /^Disable/ }).click();
    await page.getByText("disabled", { exact: true }).waitFor();
    await eventually(async () => equal((await stored()).Disabled, true));

    await page.goto(`${url}/studio/backups`);
    await page.getByRole("row", { name: new RegExp(`^${name} disabled all: 0 0 29 2`) }).waitFor();
    await checkAccess(page);
    await page.getByRole("button", { name: `Actions of ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill(name);
    await checkAccess(page);
    await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
    await page.getByText("No task backs up all databases").waitFor();
    match(await server.send("GET", TASKS), /"Results":\[\]/);
    await page.goto(`${url}/studio/backup?name=${encodeURIComponent(name)}`);
    await page.getByText(`The server has no backup task ${name}`).waitFor();
    await checkAccess(page);
  } finally {
    await server.send("DELETE", `/admin/configuration/server-wide/task?type=Backup&name=${encodeURIComponent(name)}`).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
});

scenario("without a certificate of its own the server says that there is none to replace", async ({ page, url, expected }) => {
  await page.goto(`${url}/studio/certificates`);
  await page.getByRole("button", { name: "More of certificates" }).click();
  await page.getByRole("menuitem", { name: "Replace the server's own…" }).click();
  const dialog = page.getByRole("dialog");
  await checkAccess(page);
  await dialog.locator("input[type=file]").setInputFiles({ name: "a.pfx", mimeType: "application/x-pkcs12", buffer: Buffer.from("no certificate") });
  expected.add(400);
  await dialog.getByRole("button", { name: "Replace it" }).click();
  await dialog.getByRole("alert").getByText("The server keeps the certificate that it has").waitFor();
  await checkAccess(page);
});
