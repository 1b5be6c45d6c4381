import { deepEqual, equal } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";

/** A page of results that takes many seconds: its script goes round a million times for each row. */
const LONG =
  "declare function slow(o) { let sum = 0; for (let i = 0; i < 1000000; i++) { sum += i % 7; } return { sum: sum }; } " +
  "from Orders as o select slow(o)";

/** What the server works on for a database, the list itself left out. */
function runningOn(server) {
  return async () => {
    const { Results } = JSON.parse(await server.send("GET", "/admin/requests/running"));
    return Results.filter((one) => one.Path.toLowerCase().startsWith(`/databases/${server.database}/queries`)).map((one) => one.Method);
  };
}

/** Opens the page of a query and runs the long one from there, as a person does. */
async function runLong(page, url, server) {
  await page.goto(`${url}/studio/db/${server.database}/query`);
  await page.locator(".cm-content").click();
  await page.keyboard.insertText(LONG);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Cancel" }).waitFor();
}

scenario("Esc ends a search on the server, from the editor and by the button", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const running = runningOn(server);
  await runLong(page, url, server);
  await eventually(async () => deepEqual(await running(), ["POST"]));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await eventually(async () => deepEqual(await running(), []));
  await checkAccess(page);

  await page.keyboard.press("Control+Enter");
  await eventually(async () => deepEqual(await running(), ["POST"]));
  await page.getByRole("button", { name: "Cancel" }).click();
  await eventually(async () => deepEqual(await running(), []));
  // Leaving the page ends it, too.
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await eventually(async () => deepEqual(await running(), ["POST"]));
  await page.getByRole("link", { name: "Indexes", exact: true }).click();
  await page.getByRole("heading", { name: "Indexes" }).waitFor();
  await eventually(async () => deepEqual(await running(), []));
});

scenario("a request of another client that takes long is seen among those that run, and is ended there", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const running = runningOn(server);
  const answer = server
    .send("POST", `/databases/${server.database}/queries`, JSON.stringify({ Query: LONG }))
    .then(() => "answered", () => "cut");
  await eventually(async () => deepEqual(await running(), ["POST"]));
  await page.goto(`${url}/studio/running`);
  const row = page.getByRole("row").filter({ hasText: `/databases/${server.database}/queries` });
  await row.waitFor();
  await checkAccess(page);
  await row.getByRole("button", { name: /^End request \d+$/ }).focus();
  await page.keyboard.press("Enter");
  await row.waitFor({ state: "detached" });
  equal(await answer, "cut");
  deepEqual(await running(), []);
});
