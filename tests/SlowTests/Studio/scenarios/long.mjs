import { equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";
import { watchMainThread } from "../mainThread.mjs";

// The page stays alive while a long document is opened, laid out, saved and merged: its longest task is counted in
// processor time, which does not hang on what else the machine does. The limit is generous; `bench studio` prints figures.
const BLOCKED_MS_MAX = 200;

function longText(length, extra = "") {
  const item = '{"Id":"orders/1","Freight":1.10,"Lines":[1,2,3],"Name":"some text that is longer than the others"}';
  const items = new Array(Math.ceil(length / (item.length + 1))).fill(item).join(",");
  return `{${extra}"Big":90071992547409931,"Items":[${items}],"@metadata":{"@collection":"Long"}}`;
}

scenario("a document of 10 MB is opened, changed, merged and saved, and the page is never blocked", async ({ page, url, server, expected }) => {
  await server.create();
  await server.put("long/1", longText(10_000_000));
  await page.goto(`${url}/studio/db/${server.database}/docs`);
  await page.getByRole("grid").waitFor();
  const seen = [];
  const watched = async (what, action) => {
    const { tasks, longestCpuMs } = await watchMainThread(page, action);
    ok(tasks > 0, "The trace has no task.");
    seen.push(`${what}: ${longestCpuMs} ms`);
    return longestCpuMs;
  };
  let most = await watched("open", async () => {
    await page.getByRole("link", { name: "long/1" }).first().click();
    await page.locator(".cm-line", { hasText: '"Big"' }).waitFor();
  });
  await checkAccess(page);
  const save = page.getByRole("button", { name: "Save" });
  most = Math.max(most, await watched("type", async () => {
    await page.locator(".cm-line", { hasText: '"Big"' }).click();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("7777");
    await page.getByText("not saved", { exact: true }).waitFor();
  }));
  most = Math.max(most, await watched("lay out", async () => {
    await page.getByRole("button", { name: "Format" }).click();
    await page.locator('button[aria-busy="true"]').first().waitFor({ state: "detached" });
  }));
  await server.put("long/1", longText(10_000_000, '"Theirs":1.10,'));
  await page.getByText("Another client has changed it since.").waitFor();
  expected.add(409);
  most = Math.max(most, await watched("conflict", async () => {
    await save.click();
    await page.getByRole("dialog").waitFor();
  }));
  await page.getByText("Nothing was changed by both.").waitFor();
  most = Math.max(most, await watched("save merged", async () => {
    await page.getByRole("button", { name: "Save merged" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator('button[title="Nothing is changed."]').waitFor();
  }));
  const stored = await server.read("long/1");
  match(stored, /"Theirs":1\.10,/);
  match(stored, /"Big":900719925474099317777,/);
  ok(most <= BLOCKED_MS_MAX, `The page was blocked: ${seen.join(", ")}`);
});

scenario("a query of long documents shows them in a list, and the answer as it came", async ({ page, url, server }) => {
  await server.create();
  for (let at = 0; at < 3; at++) {
    await server.put(`long/${at}`, longText(3_000_000));
  }
  await page.goto(`${url}/studio/db/${server.database}`);
  await page.getByRole("heading", { name: "Collections" }).waitFor();
  const { longestCpuMs } = await watchMainThread(page, async () => {
    await page.evaluate((place) => window.history.pushState({}, "", place), `/studio/db/${server.database}/query?q=from%20Long`);
    await page.getByRole("gridcell", { name: "90071992547409931" }).first().waitFor();
  });
  await page.getByRole("gridcell", { name: /^\[ \d+ items \]$/ }).first().waitFor();
  await page.getByRole("tab", { name: "Raw" }).click();
  await page.getByText("cut here; Copy has all of it").waitFor();
  ok(longestCpuMs <= BLOCKED_MS_MAX, `The page was blocked for ${longestCpuMs} ms.`);
});

scenario("two versions of a long document are compared by lines", async ({ page, url, server }) => {
  await server.create();
  const configuration = JSON.stringify({ Default: { Disabled: false } });
  await server.send("POST", `/databases/${server.database}/admin/revisions/config`, configuration);
  await server.put("long/1", longText(1_500_000));
  await server.put("long/1", longText(1_500_000, '"Came":true,'));
  await page.goto(`${url}/studio/db/${server.database}/doc?id=long/1&tab=revisions`);
  await page.locator(".diff-added", { hasText: '"Came": true' }).waitFor();
  await eventually(async () => equal(await page.locator(".diff-added").count(), 1));
  await eventually(async () => equal(await page.locator(".diff-removed").count(), 0));
  await checkAccess(page);
});

scenario("a document of over 20 MB is read and downloaded, not edited", async ({ page, url, server }) => {
  await server.create();
  await server.put("long/2", longText(20_000_000));
  await page.goto(`${url}/studio/db/${server.database}/doc?id=long/2`);
  await page.getByText("only to be read").waitFor();
  await page.locator(".cm-line", { hasText: '"Big"' }).waitFor();
  await checkAccess(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  equal((await download).suggestedFilename(), "long-2.json");
  await eventually(async () => equal(await page.getByRole("button", { name: "Save" }).count(), 0));
});

scenario("a document of 100,000 properties and one of 128 levels are shown and saved as they are", async ({ page, url, server }) => {
  await server.create();
  const many = Array.from({ length: 100_000 }, (_, at) => `"p${at}":${at}`).join(",");
  await server.put("wide/1", `{${many},"@metadata":{"@collection":"Wide"}}`);
  await server.put("deep/1", `{"A":${"[".repeat(126)}1.10${"]".repeat(126)},"@metadata":{"@collection":"Deep"}}`);
  for (const id of ["wide/1", "deep/1"]) {
    await page.goto(`${url}/studio/db/${server.database}/doc?id=${id}`);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.type('"Seen":1,');
    await page.keyboard.press("Control+s");
    await page.locator('button[title="Nothing is changed."]').waitFor();
    await eventually(async () => match(await server.read(id), /"Seen":1\b/));
  }
  await eventually(async () => match(await server.read("wide/1"), /"p99999":99999/));
  await eventually(async () => match(await server.read("deep/1"), /\[1\.10\]/));
  // The lists show some of it, whatever it has.
  for (const place of ["docs", "query?q=from%20%40all_docs"]) {
    await page.goto(`${url}/studio/db/${server.database}/${place}`);
    await page.getByRole("link", { name: "wide/1" }).first().waitFor();
  }
});
