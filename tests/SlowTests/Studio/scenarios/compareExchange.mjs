import { equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually, waitForParameter } from "../browser.mjs";

const path = (server, key, rest = "") =>
  `/databases/${server.database}/cmpxchg?key=${encodeURIComponent(key)}${rest}`;

function put(server, key, index, text) {
  return server.send("PUT", path(server, key, `&index=${index}`), text).then(JSON.parse);
}

/** Puts a text into the editor, in place of what is there. */
async function write(page, text) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

scenario("compare-exchange values are listed by prefix and pages", async ({ page, url, server }) => {
  await server.create();
  await page.goto(`${url}/studio/db/${server.database}/cmpxchg`);
  await page.getByText("There are no values").waitFor();
  await checkAccess(page);
  for (let at = 0; at < 60; at++) {
    await put(server, `emails/${String(at).padStart(3, "0")}`, 0, `{"Object":"users/${at}"}`);
  }
  await put(server, "locks/a", 0, '{"Object":{"Owner":"<script>window.ran=1</script>","Turn":1.10}}');
  await page.getByRole("button", { name: "Read again" }).click();
  await page.getByRole("link", { name: "emails/049" }).waitFor();
  await eventually(async () => equal(await page.getByRole("link", { name: "emails/050" }).count(), 0));
  await checkAccess(page);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("link", { name: "emails/059" }).waitFor();
  await waitForParameter(page, "start", "50");
  await page.keyboard.press("/");
  await page.keyboard.type("locks/");
  await page.getByText("window.ran").waitFor();
  await eventually(async () => equal(await page.getByRole("link", { name: "emails/059" }).count(), 0));
  equal(await page.evaluate(() => window.ran), undefined);
});

scenario("a compare-exchange value is made once, and a lost race is merged", async ({ page, url, server }) => {
  await server.create();
  await page.goto(`${url}/studio/db/${server.database}/cmpxchg`);
  await page.getByRole("button", { name: "New value" }).click();
  await page.getByLabel("Key", { exact: true }).fill("locks/a");
  await write(page, '{"Owner":"me"}');
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText("belongs into Object").waitFor();
  await checkAccess(page);
  await write(page, '{"Object":{"Turn":1.10,"Id":90071992547409931,"Owner":"me"}}');
  await page.keyboard.press("Control+s");
  await page.locator('button[title="Nothing is changed."]').waitFor();
  const stored = await server.send("GET", path(server, "locks/a"));
  match(stored, /"Turn":1\.10\b/);
  match(stored, /"Id":90071992547409931\b/);
  const { Index: index } = JSON.parse(stored).Results[0];
  await checkAccess(page);

  // Another client is faster.
  await put(server, "locks/a", index, '{"Object":{"Turn":1.10,"Id":90071992547409931,"Owner":"me","Theirs":7}}');
  await write(page, '{"Object":{"Turn":2.20,"Id":90071992547409931,"Owner":"me"}}');
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("was changed by another client").waitFor();
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Save merged" }).click();
  await dialog.waitFor({ state: "detached" });
  const merged = await server.send("GET", path(server, "locks/a"));
  for (const part of ['"Turn":2.20', '"Id":90071992547409931', '"Owner":"me"', '"Theirs":7']) {
    ok(merged.includes(part), `${part} in ${merged}`);
  }

  // A key that is taken is not taken again.
  await page.goto(`${url}/studio/db/${server.database}/cmpxchg?new=1&key=locks/a`);
  await page.locator(".cm-content").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText("is there already").waitFor();

  await page.goto(`${url}/studio/db/${server.database}/cmpxchg?key=locks/a`);
  await page.getByRole("button", { name: "Delete…" }).click();
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await page.getByText("There are no values").waitFor();
});

scenario("the guard of a document can be seen and not changed", async ({ page, url, server }) => {
  await server.create();
  const put = '{"Type":"PUT","Id":"users/1","Document":{"Name":"Ann"}}';
  const body = `{"TransactionMode":"ClusterWide","Commands":[${put}]}`;
  await server.send("POST", `/databases/${server.database}/bulk_docs`, body);
  await page.goto(`${url}/studio/db/${server.database}/cmpxchg`);
  await page.getByRole("link", { name: "rvn-atomic/users/1" }).click();
  await page.getByText("The server's own").waitFor();
  await page.locator(".cm-content").waitFor();
  await eventually(async () => equal(await page.getByRole("button", { name: "Save" }).count(), 0));
  await checkAccess(page);
});
