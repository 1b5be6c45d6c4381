import { equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually, waitForParameter } from "../browser.mjs";

const LOSSLESS = '{"Freight":1.10,"Id":90071992547409931,"Huge":1e400,"@metadata":{"@collection":"Orders"}}';

/** What the editor shows; it draws only the lines that are seen. */
function shownText(page) {
  return page.locator(".cm-content").innerText();
}

scenario("the grid comes to the last document by one key, and opens it", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  await page.goto(`${url}/studio/db/${server.database}/docs?collection=Orders`);
  const grid = page.getByRole("grid");
  await grid.waitFor();
  const total = Number(await grid.getAttribute("aria-rowcount")) - 1;
  equal(total, 830);
  await checkAccess(page);
  await grid.focus();
  await page.keyboard.press("End");
  const last = page.locator(`[role=row][aria-rowindex="${total + 1}"]`);
  await last.getByRole("link").first().waitFor();
  const id = await last.getByRole("link").first().textContent();
  await page.keyboard.press("Enter");
  await page.locator(".cm-content").waitFor();
  await waitForParameter(page, "id", id);
  await checkAccess(page);
});

scenario("numbers keep their digits when a document is saved", async ({ page, url, server }) => {
  await server.create();
  await server.put("orders/1", LOSSLESS);
  await page.goto(`${url}/studio/db/${server.database}/doc?id=orders/1`);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type('\n"Seen": true,');
  await page.keyboard.press("Control+s");
  await page.getByText("Nothing is changed.").or(page.locator('button[title="Nothing is changed."]')).first().waitFor();
  const stored = await server.read("orders/1");
  for (const part of ['"Freight":1.10', '"Id":90071992547409931', '"Huge":1e400', '"Seen":true']) {
    ok(stored.includes(part), `${part} in ${stored}`);
  }
});

scenario("a document that another client changed is merged, and nothing is lost", async ({ page, url, server, expected }) => {
  await server.create();
  await server.put("orders/1", LOSSLESS);
  await page.goto(`${url}/studio/db/${server.database}/doc?id=orders/1`);
  await page.locator(".cm-line", { hasText: "Freight" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("5");
  await server.put("orders/1", LOSSLESS.replace("1.10", "1.20").replace('"Huge"', '"Theirs":7,"Huge"'));
  await page.getByText("Another client has changed it since.").waitFor();
  expected.add(409);
  await page.keyboard.press("Control+s");
  await page.getByRole("dialog").waitFor();
  await checkAccess(page);
  await page.getByLabel("Mine").check();
  await page.getByRole("button", { name: "Save merged" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const stored = await server.read("orders/1");
  for (const part of ['"Freight":1.105', '"Theirs":7', '"Id":90071992547409931']) {
    ok(stored.includes(part), `${part} in ${stored}`);
  }
});

scenario("a text that nests too deep is refused at its place, and kept as a draft", async ({ page, url, server }) => {
  await server.create();
  await server.put("deep/1", '{"A":1,"@metadata":{"@collection":"Deep"}}');
  await page.goto(`${url}/studio/db/${server.database}/doc?id=deep/1`);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(`{"A":${"[".repeat(1_000)}${"]".repeat(1_000)}}`);
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText("nest deeper than 128. (line 1, column 133)").waitFor();
  await eventually(async () => match(await server.read("deep/1"), /"A":1/));
  await page.reload();
  await page.getByRole("button", { name: "Go on with it" }).click();
  await eventually(async () => match(await shownText(page), /\[\[\[\[/));
});

scenario("script in ids, names and values stays text", async ({ page, url, server }) => {
  await server.create();
  const evil = "<img src=x onerror=window.ran=1><script>window.ran=1</script>";
  await server.put("evil/1", JSON.stringify({ [evil]: evil, List: [evil], "@metadata": { "@collection": evil } }));
  for (const place of ["docs", `docs?collection=${encodeURIComponent(evil)}`, "doc?id=evil/1", "query?q=from%20%40all_docs"]) {
    await page.goto(`${url}/studio/db/${server.database}/${place}`);
    await page.getByText("window.ran").first().waitFor();
    equal(await page.evaluate(() => window.ran), undefined);
  }
});
