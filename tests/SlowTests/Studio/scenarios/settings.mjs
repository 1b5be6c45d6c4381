import { equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";

scenario("a setting of a database is set, shown with where it is from, and taken out", async ({ page, url, server, expected }) => {
  await server.create();
  await page.goto(`${url}/studio/db/${server.database}/settings`);
  await page.getByRole("row", { name: /^Indexing\.BatchDocumentsMax/ }).waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "Set", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Indexing.MapBatchSize");
  await dialog.getByLabel("Value").fill("128");
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row", { name: /^Indexing\.MapBatchSize 128 database/ });
  await row.waitFor();
  const path = `/databases/${server.database}/admin/configuration/settings?scope=Database`;
  await eventually(async () => match(await server.send("GET", path), /"Indexing.MapBatchSize":\{"Value":"128"/));
  await page.getByText("Settings count when the database is opened").waitFor();
  await page.getByRole("button", { name: "Restart…" }).click();
  await dialog.getByRole("button", { name: "Restart it" }).click();
  await dialog.waitFor({ state: "detached" });

  // What no database may have is refused with the reason of the server.
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await dialog.getByLabel("Name").fill("Security.Anything");
  await dialog.getByLabel("Value").fill("1");
  expected.add(400);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("Security.Anything").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Take Indexing.MapBatchSize out" }).click();
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Take it out" }).click();
  await row.waitFor({ state: "detached" });
});

scenario("a secret of the settings stays masked, and is kept when another one is set", async ({ page, url, server }) => {
  await server.create();
  const path = `/databases/${server.database}/admin/configuration/settings`;
  const secret = "never shown to anybody";
  await server.send("PUT", path, JSON.stringify({ "ETL.Some.Password": secret }));
  await page.goto(`${url}/studio/db/${server.database}/settings?show=database`);
  await page.getByRole("row", { name: /^ETL\.Some\.Password a secret/ }).waitFor();
  ok(!(await page.content()).includes(secret));
  await page.getByRole("button", { name: "Set", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Indexing.MapBatchSize");
  await dialog.getByLabel("Value").fill("64");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("row", { name: /^Indexing\.MapBatchSize 64/ }).waitFor();
  await eventually(async () => equal(await page.getByRole("row", { name: /^ETL\.Some\.Password a secret/ }).count(), 1));
  await checkAccess(page);
});
