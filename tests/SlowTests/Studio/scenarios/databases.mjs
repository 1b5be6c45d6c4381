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

scenario("what is typed before the palette is there is not lost", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  // The palette is a part of its own, and late here.
  await page.route("**/app/palette.js", async (route) => {
    await new Promise((done) => setTimeout(done, 1_500));
    await route.fallback();
  });
  await page.goto(`${url}/studio/db/${server.database}`);
  await page.getByRole("heading", { name: "Collections" }).waitFor();
  await page.keyboard.press("Control+k");
  // "g o" would go to the overview of the database.
  await page.keyboard.type("go orders/8");
  await page.getByRole("combobox").waitFor();
  await eventually(async () => equal(await page.getByRole("combobox").inputValue(), "go orders/8"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("orders/80");
  await page.getByRole("option", { name: "orders/80-A" }).waitFor();
});

scenario("a stale index is found from the list of databases, and says how far it is behind though it is paused", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const path = `/databases/${server.database}`;
  const stale = async () => JSON.parse(await server.send("GET", `${path}/indexes/stats`)).Results.filter((one) => one.IsStale).length;
  await eventually(async () => equal(await stale(), 0));
  await server.send("POST", `${path}/admin/indexes/stop?name=Orders/ByCompany`);
  await server.put("orders/9001-A", '{"Company":"companies/1-A","Lines":[],"@metadata":{"@collection":"Orders"}}');
  await eventually(async () => equal(await stale(), 1));
  await page.goto(`${url}/studio/?filter=${server.database}`);
  await page.getByRole("link", { name: /^1 of .* stale$/ }).click();
  await page.getByRole("row", { name: /Orders\/ByCompany paused, behind 1/ }).waitFor();
  await checkAccess(page);
});
