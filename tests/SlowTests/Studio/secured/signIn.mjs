import { equal, match, ok } from "node:assert/strict";
import { checkAccess } from "../browser.mjs";

/** Makes a key of a clearance, and signs in with it where the page asks for one. */
async function signIn(page, url, server, clearance, permissions) {
  const body = { Name: `key of ${server.database}`, SecurityClearance: clearance, Permissions: permissions, ExpiresAt: null };
  const { Key } = JSON.parse(await server.send("POST", "/admin/api-keys", JSON.stringify(body)));
  await page.goto(`${url}/studio/`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("API key").fill(Key);
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
  return Key;
}

scenario("a reader signs in with a key, sees its database, and is told which right a page takes", async ({ page, context, url, server, expected }) => {
  await server.create();
  await server.sample();
  // The page asks before it knows who is there.
  expected.add(401);
  const key = await signIn(page, url, server, "ValidUser", { [server.database]: "Read" });
  await page.getByRole("link", { name: server.database, exact: true }).waitFor();
  const [cookie] = await context.cookies();
  ok(cookie.httpOnly && cookie.secure && cookie.sameSite === "Strict");
  ok(!(await page.content()).includes(key));
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  ok(!kept.includes(key));

  await page.goto(`${url}/studio/db/${server.database}/subscriptions`);
  await page.getByText("There are no subscriptions").waitFor();
  // The navigation says so before one goes there.
  for (const [name, right] of [["Settings", "Admin"], ["Storage", "Admin"], ["Patch", "ReadWrite"]]) {
    const link = page.getByRole("navigation").getByRole("link", { name });
    await page.waitForFunction((text) => document.querySelector(`.nav a[title*="${text}"]`), `${right} to`);
    match(await link.getAttribute("title"), new RegExp(`${right} to ${server.database}`));
  }
  equal(await page.getByRole("navigation").getByRole("link", { name: "Documents" }).getAttribute("title"), null);
  await checkAccess(page);
  expected.add(403);
  for (const place of ["../../backups", "../../restore?folder=/x", "../../cluster"]) {
    await page.goto(new URL(`${url}/studio/db/${server.database}/${place}`).href);
    await page.getByRole("alert").getByText("Operator").first().waitFor();
    await checkAccess(page);
  }
  for (const place of ["settings", "storage"]) {
    await page.goto(`${url}/studio/db/${server.database}/${place}`);
    await page.getByRole("alert").getByText(`needs the right Admin to the database '${server.database}'`).waitFor();
    await checkAccess(page);
  }
});

scenario("an operator with a key is asked for a certificate where identities are managed, and nothing is fetched", async ({ page, url, server, expected }) => {
  await server.create();
  expected.add(401);
  await signIn(page, url, server, "Operator", {});
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${url}/studio/certificates`);
  await page.getByText("Who is trusted is not shown to you").waitFor();
  await page.getByText("use a client certificate").waitFor();
  await checkAccess(page);
  equal(asked.filter((path) => path.startsWith("/admin/")).length, 0);
});

scenario("an administrator with a certificate sees who may what, and makes another one", async ({ url, server, openAsAdministrator }) => {
  await server.create();
  const { page, finish } = await openAsAdministrator();
  const name = `admin of ${server.database}`;
  await page.goto(`${url}/studio/certificates`);
  await page.getByText("You are admin").waitFor();
  await page.getByRole("row", { name: /^admin certificate ClusterAdmin/ }).waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "Certificate", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("May on the server").selectOption("ClusterAdmin");
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Make it" }).click();
  match((await saved).suggestedFilename(), /\.zip$/);
  await dialog.getByRole("button", { name: "I have it" }).click();
  await page.getByRole("row", { name: new RegExp(`^${name} certificate ClusterAdmin`) }).first().waitFor();
  await finish();
});
