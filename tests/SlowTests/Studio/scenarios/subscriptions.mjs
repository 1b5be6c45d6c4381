import { equal, match } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";

scenario("a subscription is tried out, made, watched, changed, disabled and deleted", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  await page.goto(`${url}/studio/db/${server.database}/subscriptions`);
  await page.getByText("There are no subscriptions").waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "New" }).click();
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("from Orders as o where o.Freight > 500 select { Freight: o.Freight }");
  await page.getByLabel("Name (empty: the server chooses one)").fill("big orders");
  await page.getByRole("button", { name: "Try it out" }).click();
  await page.getByText(/^What it would send first/).waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("None is connected.").waitFor();
  await page.getByText("no worker", { exact: true }).waitFor();
  await checkAccess(page);

  // A worker takes a batch over HTTP: the page shows it without being asked.
  const path = `/databases/${server.database}/subscriptions`;
  const batch = JSON.parse(await server.send("POST", `${path}/batch?name=big%20orders&max=2&wait=5s`));
  equal(batch.Items.length, 2);
  await page.getByText("a lease over HTTP").waitFor();
  await server.send("POST", `${path}/batch/ack?batch=${batch.BatchId}`);

  await page.getByRole("tab", { name: /^Set aside/ }).click();
  await page.getByText("Nothing is set aside").waitFor();
  await page.getByLabel("Id of a document to be sent again").fill(batch.Items[0].Id);
  await page.getByRole("button", { name: "Send this one again" }).click();
  await page.getByRole("status").getByText("1 document sent again.").waitFor({ state: "attached" });
  await checkAccess(page);

  await page.getByRole("tab", { name: "Query" }).click();
  await page.getByLabel("Archived documents").selectOption("IncludeArchived");
  await checkAccess(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("tab", { name: "State" }).waitFor();
  await eventually(async () => match(await server.send("GET", `${path}/state?name=big%20orders`), /"IncludeArchived"/));

  await page.getByRole("button", { name: "Actions of big orders" }).click();
  await page.getByRole("menuitem", { name: /^Disable/ }).click();
  await page.getByText("disabled", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Actions of big orders" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("big orders");
  await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
  await page.getByText("There are no subscriptions").waitFor();
});

scenario("a query that no subscription can have is refused, and what was typed stays", async ({ page, url, server, expected }) => {
  await server.create();
  await server.sample();
  await page.goto(`${url}/studio/db/${server.database}/subscription?new=1`);
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("from Orders order by Freight");
  expected.add(400);
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("alert").getByText("It was not stored").waitFor();
  await checkAccess(page);
  await eventually(async () => match(await page.locator(".cm-content").first().innerText(), /order by Freight/));
});
