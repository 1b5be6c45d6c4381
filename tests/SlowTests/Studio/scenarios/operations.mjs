import { checkAccess } from "../browser.mjs";

scenario("operations are listed with what they came to, and one that runs is ended", async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const path = `/databases/${server.database}`;
  await page.goto(`${url}/studio/db/${server.database}/operations?show=running`);
  await page.getByText("Nothing runs now").waitFor();
  await checkAccess(page);
  // Each document takes its time, so that there is something to end.
  const script = "from Orders update { let x = 0; for (let i = 0; i < 1500000; i++) { x += i % 7; } this.X = x; }";
  const body = JSON.stringify({ Query: { Query: script } });
  const { OperationId } = JSON.parse(
    await server.send("PATCH", `${path}/queries?maxOpsPerSec=20`, body),
  );
  await page.getByRole("button", { name: /^all/ }).click();
  await page.getByRole("button", { name: `End operation ${OperationId}` }).click();
  await page.getByText("canceled", { exact: true }).waitFor();
  await page.getByRole("button", { name: `Details of operation ${OperationId}` }).click();
  await page.locator(".details").waitFor();
  await checkAccess(page);
  await page.reload();
  await page.locator(".details").waitFor();
  await page.getByRole("button", { name: /^running/ }).click();
  await page.getByText("Nothing runs now").waitFor();
  await page.goto(`${url}/studio/operations`);
  await page.getByRole("link", { name: server.database, exact: true }).first().waitFor();
  await checkAccess(page);
});
