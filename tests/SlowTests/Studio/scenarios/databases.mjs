import { checkAccess, eventually } from "../browser.mjs";
import { equal } from "node:assert/strict";

scenario("a newcomer makes a database with sample data and runs a query", async ({ page, url, server }) => {
  await page.goto(`${url}/`);
  await page.waitForURL(/\/studio\/$/);
  await page.getByText("well", { exact: true }).waitFor();
  // Other scenarios may have left databases: then the form is behind a button.
  const isFirst = await page.getByText("A database holds documents").or(page.getByRole("button", { name: "New" })).first().textContent();
  if (isFirst === "New") {
    await page.getByRole("button", { name: "New" }).click();
  }
  await page.getByLabel("Name", { exact: true }).fill(server.database);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Collections" }).waitFor();
  await page.getByRole("link", { name: "Orders", exact: true }).waitFor();
  await checkAccess(page);
  await page.getByRole("link", { name: "Run it" }).click();
  await page.getByRole("grid").waitFor();
  await checkAccess(page);
});

scenario("a database is deleted only by typing its name", async ({ page, url, server }) => {
  await server.create();
  await page.goto(`${url}/studio/?filter=${server.database}`);
  await page.getByRole("button", { name: `Actions of ${server.database}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await checkAccess(page);
  const button = page.getByRole("dialog").getByRole("button", { name: "Delete it" });
  // It says that it cannot be pressed, and a press does nothing.
  await button.click({ force: true });
  await eventually(async () => equal(await page.getByRole("dialog").count(), 1));
  await page.getByRole("dialog").getByRole("textbox").fill(server.database);
  await button.click();
  await page.getByText("No database has").waitFor();
});
