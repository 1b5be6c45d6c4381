import { equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually, waitForParameter } from "../browser.mjs";

scenario("a document is seen as it was at a time, and what has changed since", async ({ page, url, server }) => {
  await server.create();
  const configuration = JSON.stringify({ Default: { Disabled: false } });
  await server.send("POST", `/databases/${server.database}/admin/revisions/config`, configuration);
  await server.put("users/1", '{"Name":"first","Count":1.10}');
  await new Promise((done) => setTimeout(done, 20));
  await server.put("users/1", '{"Name":"second","Count":1.10}');
  const place = `${url}/studio/db/${server.database}/doc?id=users/1`;

  // From the slider to a page with an address.
  await page.goto(`${place}&tab=revisions`);
  await page.getByRole("slider").press("Home");
  await page.getByText("Version 1 of 2").waitFor();
  await page.getByRole("link", { name: "Open it by its time" }).click();
  await eventually(async () => match(await page.locator(".cm-content").innerText(), /"Count": 1\.10,\s+"Name": "first"/));
  await checkAccess(page);
  await page.getByRole("button", { name: "what has changed since" }).click();
  await page.getByText("second").first().waitFor();
  await waitForParameter(page, "show", "since");
  await checkAccess(page);
  await page.reload();
  await page.getByText("second").first().waitFor();

  await page.getByLabel("The time").fill("2001-01-01");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("No version of that time is kept").waitFor();
  await checkAccess(page);
  await page.getByLabel("The time").fill("yesterday");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("is no time").waitFor();
  await checkAccess(page);
  await page.goBack();
  await page.getByText("No version of that time is kept").waitFor();

  await server.send("DELETE", `/databases/${server.database}/docs?id=users/1`);
  await page.goto(`${place}&at=2999-01-01`);
  await page.getByText("It was deleted then").waitFor();
  await checkAccess(page);
  equal(await page.locator(".cm-content").count(), 0);
  ok(await page.getByRole("link", { name: "As it is now" }).isVisible());
});
