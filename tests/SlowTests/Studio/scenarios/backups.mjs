import { equal, match } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAccess, eventually } from "../browser.mjs";

scenario("a backup is set up, run now, and restored under a new name", async ({ page, url, server }) => {
  const folder = mkdtempSync(join(tmpdir(), "studio-backups-"));
  const copy = `${server.database}-copy`;
  try {
    await server.create();
    await server.sample();
    await page.goto(`${url}/studio/db/${server.database}/backups`);
    await page.getByText("Nothing backs this database up").waitFor();
    await checkAccess(page);
    await page.getByRole("button", { name: "New" }).click();
    await page.getByLabel("Name (empty: the server chooses one)").fill("nightly");
    const full = page.getByLabel("All of it (cron)");
    await full.fill("0 1 * *");
    await page.locator('input[aria-invalid="true"]').waitFor();
    await full.fill("0 2 * * 0");
    await page.getByText(/^Next: \d{4}-/).first().waitFor();
    await page.getByLabel("Folder on the server's machine (a full path)").fill(folder);
    await page.getByText("are free there.").waitFor();
    await checkAccess(page);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("It has not run yet.").waitFor();
    await checkAccess(page);
    await page.getByRole("button", { name: "Actions of nightly" }).click();
    await page.getByRole("menuitem", { name: "Back up all of it now" }).click();
    await page.getByText("completed", { exact: true }).waitFor();
    // How far it is survives a reload: the URL has its number.
    await page.reload();
    await page.getByText("completed", { exact: true }).waitFor();
    await page.getByRole("row", { name: /ravendb-full-backup/ }).waitFor();
    await checkAccess(page);

    await page.getByRole("link", { name: "Restore from its folder…" }).click();
    await page.getByRole("button", { name: /^Restore studio/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name of the new database").fill(copy);
    await checkAccess(page);
    await dialog.getByRole("button", { name: "Restore it" }).click();
    await page.getByRole("link", { name: copy }).waitFor();
    await checkAccess(page);
    const counted = async (name) =>
      JSON.parse(await server.send("GET", `/databases/${name}/collections/stats`)).CountOfDocuments;
    equal(await counted(copy), await counted(server.database));
  } finally {
    await server.send("DELETE", "/admin/databases", JSON.stringify({ DatabaseNames: [copy], HardDelete: true }));
    rmSync(folder, { recursive: true, force: true });
  }
});

scenario("a restore from a folder that is not there says so, and the name stays", async ({ page, url, expected }) => {
  expected.add(400);
  await page.goto(`${url}/studio/restore?folder=${encodeURIComponent("/no/such/folder")}`);
  await page.getByRole("alert").getByText("No backups were read").waitFor();
  await checkAccess(page);
  await eventually(async () => match(await page.getByLabel("Folder of backups on the server's machine").inputValue(), /such/));
});
