import { equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";

const NAME = "Orders/ByCompany";

/** Chooses an entry of the menu of an index by keys. */
async function choose(page, entry) {
  await page.getByRole("button", { name: `Actions of ${NAME}` }).focus();
  await page.keyboard.press("Enter");
  const item = page.getByRole("menuitem", { name: entry });
  await item.waitFor();
  await item.press("Enter");
}

scenario("an index is paused, goes on, is disabled, locked, given a priority and built again from the list", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const path = `/databases/${server.database}`;
  const stats = async () => {
    const { Results } = JSON.parse(await server.send("GET", `${path}/indexes/stats?name=${encodeURIComponent(NAME)}`));
    return Results[0];
  };
  await eventually(async () => ok(!(await stats()).IsStale));
  const entries = (await stats()).EntriesCount;
  ok(entries > 10, `${entries} entries`);
  await page.goto(`${url}/studio/db/${server.database}/indexes`);
  const row = page.getByRole("row", { name: new RegExp(`^${NAME} `) });
  await row.waitFor();

  await choose(page, /^Pause/);
  await row.getByText("paused").waitFor();
  await eventually(async () => equal((await stats()).Status, "Paused"));
  // What is written meanwhile is seen to be missing.
  await server.put("orders/new", '{"Company":"companies/new","@metadata":{"@collection":"Orders"}}');
  await row.getByText(/paused, behind/).waitFor();
  await checkAccess(page);
  await choose(page, "Go on");
  await eventually(async () => equal((await stats()).Status, "Running"));
  await eventually(async () => ok((await stats()).EntriesCount > entries));
  await row.getByText("paused").waitFor({ state: "detached" });

  await choose(page, "Disable");
  await row.getByText("disabled").waitFor();
  await eventually(async () => equal((await stats()).State, "Disabled"));
  await choose(page, "Enable");
  await row.getByText("disabled").waitFor({ state: "detached" });
  await eventually(async () => equal((await stats()).State, "Normal"));

  await choose(page, "Lock: LockedError");
  await eventually(async () => equal((await stats()).LockMode, "LockedError"));
  await choose(page, "Lock: Unlock");
  await eventually(async () => equal((await stats()).LockMode, "Unlock"));
  await choose(page, "Priority: High");
  await eventually(async () => equal((await stats()).Priority, "High"));

  // What takes long to come back asks for the name, by keys as by the mouse.
  const reset = page.waitForRequest((request) => request.method() === "RESET");
  await choose(page, "Build it again…");
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: "Build it again" });
  equal(await confirm.getAttribute("aria-disabled"), "true");
  await checkAccess(page);
  await dialog.getByRole("textbox").fill(NAME);
  await page.keyboard.press("Enter");
  await reset;
  await dialog.waitFor({ state: "detached" });
  await eventually(async () => {
    const now = await stats();
    ok(!now.IsStale && now.EntriesCount > entries);
    equal(now.Priority, "High");
  });
  match(await server.send("GET", `${path}/indexes?name=${encodeURIComponent(NAME)}`), /"LockMode":"Unlock"/);
});
