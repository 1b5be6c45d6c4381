import { checkAccess } from "../browser.mjs";

scenario("a changed index is compared with what runs, and its replacement is watched until it takes its place", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const path = `/databases/${server.database}`;
  await page.goto(`${url}/studio/db/${server.database}/index?name=${encodeURIComponent("Orders/Totals")}`);
  const map = page.getByRole("region", { name: "Map 1" }).locator(".cm-content");
  await map.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("from order in docs.Orders\nselect new { order.Employee, order.Freight }");
  await page.getByRole("button", { name: "Compare with what runs" }).click();
  await page.locator(".cm-deletedChunk").first().waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await map.getByText("order.Freight").waitFor();
  // Nothing indexes meanwhile, so that what is built beside it can be looked at.
  await server.send("POST", `${path}/admin/indexes/stop`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("is built beside it; this one answers until then.").waitFor();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.locator(".cm-deletedChunk").first().waitFor();
  await checkAccess(page);
  await page.goto(`${url}/studio/db/${server.database}/indexes`);
  await page.getByText("its replacement, being built").waitFor();
  await checkAccess(page);
  await page.goto(`${url}/studio/db/${server.database}/index?name=${encodeURIComponent("Orders/Totals")}`);
  await page.getByText("is built beside it; this one answers until then.").waitFor();
  await server.send("POST", `${path}/admin/indexes/start`);
  await page.getByText("is built beside it; this one answers until then.").waitFor({ state: "detached" });
  await map.getByText("order.Freight").waitFor();
});
