import { equal } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";

// On three real servers, by `raven cluster up`: what the scenarios of a cluster that is not there show, done.

const NAME = "shop";

const row = (page, tag) => page.getByRole("region", { name: `Nodes of ${NAME}` }).getByRole("row", { name: new RegExp(`^${tag} `) });

const act = async (page, node, action) => {
  await page.getByRole("button", { name: `Actions of node ${node}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action }).click();
};

scenario("a database is made on three nodes, gets another primary, loses a node and gets it back", { limitSec: 300 }, async ({ page, url, server }) => {
  await page.goto(`${url}/studio/cluster`);
  const nodes = page.getByRole("region", { name: "Nodes" });
  for (const tag of ["A", "B", "C"]) {
    await nodes.getByRole("row", { name: new RegExp(`^${tag} .*alive votes \\d+\\.\\d+\\.\\d+ well`) }).waitFor();
  }
  await checkAccess(page);
  await page.getByRole("link", { name: "New database" }).click();
  const dialog = page.getByRole("dialog").or(page.locator(".first-minute"));
  await dialog.getByLabel("Name").fill(NAME);
  await dialog.getByLabel("On how many nodes").selectOption("3");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Nodes", exact: true }).waitFor();
  await page.getByRole("link", { name: "How they are" }).click();
  await page.getByText("3 of 3 in sync").waitFor();
  const primary = async () => /node (\w+)/.exec(await page.locator(".facts dd").first().innerText())[1];
  const first = await primary();
  const other = first === "B" ? "C" : "B";
  await row(page, other).getByText("nothing", { exact: true }).waitFor();
  await checkAccess(page);

  await act(page, other, "Make it the primary…");
  await page.getByRole("button", { name: `Make ${other} the primary` }).click();
  await row(page, other).getByText("primary", { exact: true }).waitFor();
  await page.getByText("3 of 3 in sync").waitFor();
  equal(await primary(), other);

  await act(page, first, "Take it out…");
  await page.getByRole("dialog").getByLabel("Delete its files there, too").check();
  await page.getByRole("dialog").getByRole("textbox").fill(NAME);
  await page.getByRole("dialog").getByRole("button", { name: `Take ${first} out, and delete its files` }).click();
  await row(page, first).waitFor({ state: "detached" });
  await page.getByText("2 of 2 in sync").waitFor();

  // What it has not it lets others serve.
  await page.goto(`${url}/studio/db/${NAME}/docs?collection=Orders`);
  await page.getByRole("grid").waitFor();

  await page.goto(`${url}/studio/cluster?name=${NAME}`);
  await page.getByRole("button", { name: "Add a node" }).click();
  await page.getByRole("dialog").getByLabel("Node").selectOption(first);
  await page.getByRole("dialog").getByRole("button", { name: "Add it" }).click();
  await page.getByText("3 of 3 in sync").waitFor();
  await page.getByRole("button", { name: "Order", exact: true }).click();
  await page.getByRole("button", { name: `Move ${first} up` }).click();
  await page.getByRole("button", { name: "Save the order" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await eventually(async () => {
    const said = JSON.parse(await server.send("GET", `/topology?name=${NAME}`));
    equal(said.Nodes[0].ClusterTag, other);
    equal(said.Nodes.length, 3);
  });
});
