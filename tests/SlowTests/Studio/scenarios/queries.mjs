import { equal } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";

scenario("a link runs its query with its parameters", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const query = encodeURIComponent("from Orders where Freight > $min order by Freight desc");
  await page.goto(`${url}/studio/db/${server.database}/query?q=${query}&p.min=500`);
  await page.getByRole("grid").waitFor();
  await page.getByText("1007.64").waitFor();
  await checkAccess(page);
  await page.getByRole("tab", { name: "Timings" }).click();
  await page.getByRole("button", { name: "Run it with timings" }).click();
  await page.locator(".flame-bar").first().waitFor();
  await checkAccess(page);
  await page.getByRole("tab", { name: "Explain" }).click();
  await page.getByText("Answered by").waitFor();
});

scenario("collections and fields are completed; a wrong query is told and stays until dismissed", async ({ page, url, server, expected }) => {
  await server.create();
  await server.sample();
  await page.goto(`${url}/studio/db/${server.database}/query`);
  await page.locator(".cm-content").click();
  await page.keyboard.type("from Ord");
  await page.locator(".cm-tooltip-autocomplete").getByText("Orders", { exact: true }).waitFor();
  // A list that has just come takes no keys for 75 ms, so that nobody takes what was not seen.
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  await eventually(async () => equal(await page.locator(".cm-content").innerText(), "from Orders"));
  await page.keyboard.type(" where Freig");
  await page.locator(".cm-tooltip-autocomplete").getByText("Freight", { exact: true }).waitFor();
  await checkAccess(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("from Orders wher x");
  await page.keyboard.press("Escape");
  expected.add(400);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await eventually(async () => equal(await page.getByRole("alert").count(), 0));
});

scenario("the palette finds a document by the beginning of its id", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  await page.goto(`${url}/studio/db/${server.database}`);
  await page.getByRole("heading", { name: "Collections" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("companies/9");
  await page.getByRole("option", { name: "companies/9", exact: false }).first().waitFor();
  await checkAccess(page);
  await page.keyboard.press("Enter");
  await page.locator(".cm-content").waitFor();
  await page.waitForURL(({ searchParams }) => searchParams.get("id")?.startsWith("companies/9"));
});

scenario("an index shows its definition, terms and errors", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  await page.goto(`${url}/studio/db/${server.database}/indexes`);
  await checkAccess(page);
  await page.getByRole("link", { name: "Orders/ByCompany" }).click();
  await page.locator(".cm-content").first().waitFor();
  await checkAccess(page);
  await page.getByRole("tab", { name: /^Errors/ }).click();
  await page.getByText("No errors").waitFor();
  await page.getByRole("tab", { name: "Terms" }).click();
  await page.getByLabel("Field").fill("Company");
  await page.getByText(/^companies\/1-a$/i).waitFor();
  await checkAccess(page);
});
