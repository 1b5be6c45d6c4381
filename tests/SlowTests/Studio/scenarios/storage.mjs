import { equal, ok } from "node:assert/strict";
import { checkAccess } from "../browser.mjs";

scenario("the storage is a picture and a table of the same sizes, and is compacted", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  await page.goto(`${url}/studio/db/${server.database}/storage`);
  const boxes = page.locator(".treemap rect");
  await boxes.first().waitFor();
  const rows = await page.locator("tbody tr").count();
  equal(await boxes.count(), rows);
  const picture = await page.locator(".treemap > svg").boundingBox();
  const area = await boxes.evaluateAll((all) =>
    all.reduce((sum, one) => sum + one.width.baseVal.value * one.height.baseVal.value, 0),
  );
  ok(Math.abs(area / (picture.width * picture.height) - 1) < 0.02, `${area} of ${picture.width} x ${picture.height}`);
  await checkAccess(page);
  await boxes.first().click();
  await page.locator("tbody tr[aria-current]").waitFor();
  await page.waitForURL(({ searchParams }) => searchParams.has("part"));
  await page.reload();
  await page.locator(".treemap .is-chosen").waitFor();
  await page.getByRole("button", { name: "Compact…" }).click();
  await checkAccess(page);
  await page.getByRole("dialog").getByRole("button", { name: "Compact it" }).click();
  await page.getByText("completed", { exact: true }).waitFor();
  await checkAccess(page);
});
