import { equal, ok } from "node:assert/strict";
import { checkAccess, waitForParameter } from "../browser.mjs";

/** What a chart says of itself to who does not see it. */
function chart(page, name) {
  return page.getByRole("img", { name: new RegExp(`^${name}: `) });
}

scenario("the load is drawn second by second, is paused, and asks nothing while it is hidden", async ({ page, url, server }) => {
  await server.create();
  let asked = 0;
  page.on("request", (request) => {
    asked += new URL(request.url()).pathname === "/metrics" ? 1 : 0;
  });
  await page.goto(`${url}/studio/db/${server.database}/changes`);
  await page.getByText("Nothing has changed").waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await chart(page, "Requests").waitFor();
  for (const name of ["Latency", "Writes", "Memory", "Processor"]) {
    await chart(page, name).waitFor();
  }
  await checkAccess(page);
  // What is written shows among the changes.
  for (let at = 0; at < 200 && !/changes from .* to [1-9]/.test(await chart(page, "Writes").getAttribute("aria-label")); at++) {
    await server.put(`a/${at}`, '{"@metadata":{"@collection":"A"}}');
  }
  await page.getByText("The last minute as a table").click();
  await page.getByRole("row").nth(2).waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "1 min" }).click();
  await waitForParameter(page, "span", "1");

  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("paused", { exact: true }).waitFor();
  const paused = asked;
  ok(paused > 2, `${paused} requests`);
  await page.waitForTimeout(2_500);
  equal(asked, paused);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("live", { exact: true }).waitFor();
  for (let turn = 0; asked < paused + 2 && turn < 100; turn++) {
    await page.waitForTimeout(100);
  }
  ok(asked >= paused + 2, `${asked - paused} requests after the pause`);

  // The browser says that the page is hidden, as it does for a tab behind another.
  const setHidden = (isHidden) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "hidden", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await setHidden(true);
  await page.waitForTimeout(1_500);
  const hidden = asked;
  await page.waitForTimeout(2_500);
  equal(asked, hidden);
  await setHidden(false);
  for (let turn = 0; asked < hidden + 2 && turn < 100; turn++) {
    await page.waitForTimeout(100);
  }
  ok(asked >= hidden + 2, `${asked - hidden} requests when it is seen again`);
});
