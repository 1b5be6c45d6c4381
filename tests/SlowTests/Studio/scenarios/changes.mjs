import { equal, match } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";

scenario("a patch is tried on one document, and runs only when its count was typed", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const query = encodeURIComponent("from Products as p where p.Discontinued = true update { p.Gone = 1.10; }");
  await page.goto(`${url}/studio/db/${server.database}/patch?q=${query}`);
  await page.getByRole("button", { name: "Try on one" }).click();
  await page.getByText("Nothing was written.", { exact: true }).waitFor();
  await page.locator(".cm-content", { hasText: '"Gone"' }).waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "Run…" }).click();
  const dialog = page.getByRole("dialog");
  const count = await dialog.locator("code").textContent();
  const button = dialog.getByRole("button", { name: /^Change/ });
  // It says that it cannot be pressed, and a press does nothing.
  await button.click({ force: true });
  await eventually(async () => equal(await dialog.count(), 1));
  await checkAccess(page);
  await dialog.getByRole("textbox").fill(count);
  await button.click();
  await page.getByText("Completed").waitFor();
  const body = JSON.stringify({ Query: "from Products where exists(Gone)" });
  const found = await server.send("POST", `/databases/${server.database}/queries`, body);
  match(found, new RegExp(`"TotalResults":${count}\\b`));
});

scenario("what changes shows at once, and a pause counts what it does not show", async ({ page, url, server }) => {
  await server.create();
  await page.goto(`${url}/studio/db/${server.database}/changes`);
  await page.getByText("Nothing has changed").waitFor();
  await checkAccess(page);
  // The watch begins a moment after the page is there: one write is repeated until it is seen.
  for (let turn = 0; (await page.getByRole("grid").count()) === 0 && turn < 50; turn++) {
    await server.put("logs/1", `{"Turn":${turn},"@metadata":{"@collection":"Logs"}}`);
    await page.waitForTimeout(300);
  }
  await page.getByRole("link", { name: "logs/1" }).first().waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  for (let at = 0; at < 7; at++) {
    await server.put(`more/${at}`, '{"@metadata":{"@collection":"More"}}');
  }
  await page.getByText("paused, 7 not shown").waitFor();
  await checkAccess(page);
  await eventually(async () => equal(await page.getByRole("link", { name: "more/1" }).count(), 0));
});

scenario("an earlier version is compared and put into the editor", async ({ page, url, server }) => {
  await server.create();
  const configuration = JSON.stringify({ Default: { Disabled: false } });
  await server.send("POST", `/databases/${server.database}/admin/revisions/config`, configuration);
  await server.put("a/1", '{"Price":1.10,"@metadata":{"@collection":"A"}}');
  await server.put("a/1", '{"Price":2.20,"@metadata":{"@collection":"A"}}');
  await page.goto(`${url}/studio/db/${server.database}/doc?id=a/1&tab=revisions`);
  await page.getByText("Version 2 of 2").waitFor();
  await page.getByRole("slider").focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByText("Version 1 of 2").waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "Put it into the editor" }).click();
  await page.keyboard.press("Control+s");
  await page.locator('button[title="Nothing is changed."]').waitFor();
  await eventually(async () => match(await server.read("a/1"), /"Price":1\.10\b/));
});
