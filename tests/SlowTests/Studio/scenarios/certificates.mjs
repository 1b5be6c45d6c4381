import { equal, match, ok } from "node:assert/strict";
import { checkAccess } from "../browser.mjs";

/** What the page has asked the server for, and what came. */
function answersOf(page) {
  const seen = [];
  page.on("response", (response) => {
    if (response.url().includes("/admin/")) {
      seen.push({ url: response.url(), body: response.text().catch(() => "") });
    }
  });
  return seen;
}

scenario("an API key is made, shown once, changed, rotated and deleted", async ({ page, url, server, context }) => {
  const name = `reader of ${server.database}`;
  await server.create();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${url}/studio/certificates`);
  await page.getByRole("button", { name: "API key", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByRole("button", { name: "Database" }).click();
  await dialog.getByLabel("Database 1", { exact: true }).fill(server.database);
  await dialog.getByLabel("Right in database 1").selectOption("ReadWrite");
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Make it" }).click();
  const secret = await page.locator(".secret").textContent();
  match(secret, /^rvk_[a-z0-9]+_/);
  await checkAccess(page);
  // It does not close by a slip: the key would be lost.
  await page.keyboard.press("Escape");
  await page.getByText("Keep it first").waitFor();
  await dialog.getByRole("button", { name: "Copy the key" }).click();
  await dialog.getByRole("button", { name: "Copied" }).waitFor();
  equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
  await dialog.getByRole("button", { name: "I have kept it" }).click();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await row.getByText("writes").waitFor();
  ok(!(await page.content()).includes(secret));
  await checkAccess(page);

  await page.getByRole("tab", { name: /^API keys/ }).click();
  await page.getByRole("button", { name: `Actions of ${name}` }).click();
  await page.getByRole("menuitem", { name: "Change what it may…" }).click();
  await dialog.getByLabel("Right in database 1").selectOption("Read");
  await dialog.getByRole("button", { name: "Save" }).click();
  await row.getByText(`${server.database} Read`).waitFor();
  await checkAccess(page);

  await page.getByRole("button", { name: `Actions of ${name}` }).click();
  await page.getByRole("menuitem", { name: "Rotate…" }).click();
  await dialog.getByRole("button", { name: "Rotate it" }).click();
  const second = await page.locator(".secret").textContent();
  ok(second !== secret);
  await dialog.getByRole("button", { name: "I have kept it" }).click();

  await page.getByRole("button", { name: `Actions of ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await dialog.getByRole("textbox").fill(name);
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await row.waitFor({ state: "detached" });
});

scenario("a certificate is made as a file, edited and deleted, and its own bytes are never fetched", async ({ page, url, server }) => {
  const name = `app of ${server.database}`;
  await server.create();
  const answers = answersOf(page);
  await page.goto(`${url}/studio/certificates?tab=certificates`);
  await page.getByRole("button", { name: "Certificate", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByRole("button", { name: "Database" }).click();
  await dialog.getByLabel("Database 1", { exact: true }).fill(server.database);
  await dialog.getByLabel("Password of the .pfx (optional)").fill("secret of the file");
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Make it" }).click();
  match((await saved).suggestedFilename(), /\.zip$/);
  await checkAccess(page);
  await dialog.getByRole("button", { name: "I have it" }).click();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await row.getByText(`${server.database} Read`).waitFor();
  await checkAccess(page);
  // The password is not in the log of requests of the page.
  await page.getByRole("button", { name: "Requests of this page" }).click();
  ok(!(await page.content()).includes("secret of the file"));
  await page.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: `Actions of ${name}` }).click();
  await page.getByRole("menuitem", { name: "Change what it may…" }).click();
  await dialog.getByLabel("May on the server").selectOption("Operator");
  await dialog.getByRole("button", { name: "Save" }).click();
  await row.getByText("Operator").waitFor();

  await page.getByRole("button", { name: `Actions of ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await dialog.getByRole("textbox").fill(name);
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await row.waitFor({ state: "detached" });
  for (const { url: asked, body } of answers.filter((one) => one.url.includes("/admin/certificates?"))) {
    ok(!(await body).includes('"Certificate":'), asked);
  }
});
