import { deepEqual, equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";
import { PAYLOADS, watchCanary } from "../canary.mjs";
import { errorAnswer } from "../fault.mjs";
import { perhapsDone, standInCluster, withoutNode } from "../standInCluster.mjs";

const act = async (page, node, action) => {
  await page.getByRole("button", { name: `Actions of node ${node}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action }).click();
};

/** Nothing of the page is wider than the window, but what scrolls by itself. */
async function fits(page, width) {
  await page.setViewportSize({ width, height: 800 });
  await eventually(async () => {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    ok(wide <= 0, `At ${width} px the page is ${wide} px too wide.`);
  });
}

scenario("a server by itself says that it is one, and how it becomes three", async ({ page, url }) => {
  await page.goto(`${url}/studio/`);
  await page.getByRole("navigation").getByRole("link", { name: "Cluster" }).click();
  await page.getByRole("heading", { name: "This server is by itself" }).waitFor();
  await page.getByText("--Cluster.Node=A", { exact: false }).waitFor();
  await page.getByText("raven cluster up --nodes 3", { exact: false }).waitFor();
  equal(await page.getByRole("table").count(), 0);
  for (const width of [320, 1280, 3840]) {
    await fits(page, width);
    await checkAccess(page);
  }
  // A link to the nodes of a database, of when there was a cluster, says it as well.
  await page.goto(`${url}/studio/cluster?name=shop`);
  await page.getByRole("heading", { name: "This server is by itself" }).waitFor();
});

scenario("an operator sees nodes, etcd and databases change while the page is open", async ({ page, url, expected }) => {
  expected.add(503);
  const cluster = await standInCluster(page);
  cluster.add("shop", ["A:Primary", "B:Member", "C:Member"]);
  cluster.add("logs", ["B:Primary"]);
  await page.goto(`${url}/studio/cluster`);
  const nodes = page.getByRole("region", { name: "Nodes" });
  const databases = page.getByRole("region", { name: "Databases" });
  await nodes.getByRole("row", { name: /^A \(here\) https:\/\/a\.example:8443 alive votes 0\.1\.0 well/ }).waitFor();
  await nodes.getByRole("row", { name: /^C .*alive votes 0\.1\.0 well/ }).waitFor();
  await databases.getByRole("row", { name: /^shop 3 of 3 in sync A primary B in sync C in sync 4/ }).waitFor();
  await databases.getByRole("row", { name: /^logs 1 of 1 in sync B primary/ }).waitFor();
  await checkAccess(page);
  // C dies, and the etcd of B has lost the others.
  cluster.setAlive("C", false);
  Object.assign(cluster.stores.B, { HasLeader: false, Problem: "etcd has no leader.", Advice: "See that more than half of the etcds run." });
  Object.assign(cluster.group("shop"), { Advice: "Nothing at once: writes go on without C within seconds. Start it again." });
  await nodes.getByRole("row", { name: /^C .*away .*not known Start its server again/ }).waitFor();
  await nodes.getByRole("row", { name: /^B .*no leader etcd has no leader\. See that more than half/ }).waitFor();
  await databases.getByRole("row", { name: /^shop 2 of 3 in sync .*C in sync, away .*Start it again/ }).waitFor();
  await checkAccess(page);
  // The node that answers does not: what was seen stays, and it comes back by itself.
  expected.add("ERR_");
  cluster.healthRefusal = "cut";
  await page.getByRole("alert").getByText("The server does not answer.").waitFor();
  await databases.getByRole("row", { name: /^shop/ }).waitFor();
  cluster.healthRefusal = undefined;
  await page.waitForFunction(() => document.querySelector("[role=alert]") === null);
  for (const width of [320, 768, 3840]) {
    await fits(page, width);
  }
  await checkAccess(page);
});

scenario("a database gets a node, another primary and another order, and gives a node away", async ({ page, url }) => {
  const cluster = await standInCluster(page, ["A", "B", "C", "D"]);
  cluster.add("shop", ["A:Primary", "B:Member", "C:Rehab"]);
  Object.assign(cluster.group("shop").nodes[2], { LagInRecords: 1_200, LagSizeInBytes: 2_048, LagInMs: 1_500, Why: "It lacks 1200 transactions, 2048 bytes." });
  // The node that answers is not the primary: how far the others are is asked of the one that knows.
  cluster.here = "B";
  await page.goto(`${url}/studio/cluster`);
  await page.getByRole("link", { name: "shop", exact: true }).click();
  await page.getByRole("heading", { name: "Nodes of shop" }).waitFor();
  const row = (tag) => page.getByRole("row", { name: new RegExp(`^${tag} `) });
  await page.getByRole("row", { name: /^C catching up 1.200 records · 2\.0.KiB · 1\.5.s It lacks 1200/ }).waitFor();
  await page.getByText("transaction 120").waitFor();
  await checkAccess(page);

  // By keys alone: a node more.
  await page.getByRole("button", { name: "Add a node" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Node").selectOption("D");
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Add it" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("progressbar", { name: "Copy of node D" }).waitFor();
  await row("D").getByText(/2\.0.MiB of about 8\.0.MiB copied/).waitFor();
  await checkAccess(page);
  Object.assign(cluster.group("shop").nodes[3], { Role: "Member", Copied: null, Why: null, LagInRecords: 0 });
  await row("D").getByText("in sync", { exact: true }).waitFor();

  // Another primary.
  await act(page, "D", "Make it the primary…");
  await dialog.getByText("Nothing is lost: node A waits until D has its last write").waitFor();
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Make D the primary" }).click();
  await row("D").getByText("primary", { exact: true }).waitFor();
  await row("A").getByText("in sync", { exact: true }).waitFor();

  // Another order.
  await page.getByRole("button", { name: "Order", exact: true }).click();
  await dialog.getByRole("button", { name: "Move C up" }).press("Enter");
  await dialog.getByRole("button", { name: "Move A down" }).press("Space");
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Save the order" }).click();
  await dialog.waitFor({ state: "detached" });

  // What cannot be is not offered: the primary is not taken out, and one that lacks writes does not become it.
  equal(await page.getByRole("button", { name: "Actions of node D" }).count(), 0);
  await page.getByRole("button", { name: "Actions of node C" }).click();
  deepEqual(await page.getByRole("menuitem").allInnerTexts(), ["Take it out…"]);
  await page.keyboard.press("Escape");
  await act(page, "C", "Take it out…");
  await dialog.getByText("shop is on 3 nodes then.").waitFor();
  await dialog.getByLabel("Delete its files there, too").check();
  const button = dialog.getByRole("button", { name: "Take C out, and delete its files" });
  equal(await button.getAttribute("aria-disabled"), "true");
  await dialog.getByRole("textbox").fill("shop");
  await button.click();
  await row("C").waitFor({ state: "detached" });
  deepEqual(cluster.done, [
    "PUT /admin/databases/node?name=shop&node=D",
    "POST /admin/databases/primary?name=shop&node=D",
    'POST /admin/databases/reorder?name=shop {"MembersOrder":["C","A","B","D"]}',
    'DELETE /admin/databases {"DatabaseNames":["shop"],"HardDelete":true,"FromNodes":["C"]}',
  ]);
  for (const width of [320, 3840]) {
    await fits(page, width);
  }
});

scenario("to begin anew is offered when two of three are lost, says what may be lost, and takes the name", async ({ page, url, expected }) => {
  expected.add(503);
  const cluster = await standInCluster(page);
  cluster.add("shop", ["A:Primary", "B:Member", "C:Member"]);
  await page.goto(`${url}/studio/cluster?name=shop`);
  await page.getByRole("button", { name: "Actions of node B" }).click();
  await page.getByRole("menuitem", { name: "Take it out…" }).waitFor();
  equal(await page.getByRole("menuitem", { name: /anew/ }).count(), 0);
  await page.keyboard.press("Escape");
  cluster.setAlive("B", false);
  cluster.setAlive("C", false);
  Object.assign(cluster.group("shop"), { Hindrance: "Writes wait for nodes that are away.", Advice: "Start B and C again: a write needs 2 nodes that have everything, and 1 of them run." });
  await page.getByText("no writes: 1 of 3 in sync").waitFor();
  await page.getByText("Start B and C again").waitFor();
  await checkAccess(page);
  await act(page, "A", "Begin anew with what it has…");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Acknowledged writes may be lost, and there is no way back.").waitFor();
  await dialog.getByText("If B and C can be brought back, bring one back instead").waitFor();
  await checkAccess(page);
  const button = dialog.getByRole("button", { name: "Begin anew, and lose what only others have" });
  const isOff = () => button.getAttribute("aria-disabled");
  await dialog.getByRole("textbox").fill("shop");
  equal(await isOff(), "true");
  await dialog.getByLabel("The other nodes are lost for good, or what only they have may be lost").check();
  equal(await isOff(), null);
  await dialog.getByRole("textbox").fill("Shop");
  equal(await isOff(), "true");
  await dialog.getByRole("textbox").press("Enter");
  deepEqual(cluster.done, []);
  await dialog.getByRole("textbox").fill("shop");
  await dialog.getByRole("textbox").press("Enter");
  await dialog.waitFor({ state: "detached" });
  deepEqual(cluster.done, ["POST /admin/databases/promote?name=shop&node=A&acceptDataLoss=true"]);
  await page.getByText("1 of 3 in sync", { exact: true }).waitFor();
});

scenario("that nothing was done, or perhaps, is said in words where a change fails", async ({ page, url, server, expected }) => {
  expected.add(503).add(500).add(400);
  const cluster = await standInCluster(page);
  cluster.add("shop", ["A:Primary", "B:Member"]);
  await page.goto(`${url}/studio/cluster?name=shop`);
  const dialog = page.getByRole("dialog");
  cluster.refusal = withoutNode("Nothing was done: node A would have to, and was not reached.");
  await act(page, "B", "Make it the primary…");
  await dialog.getByRole("button", { name: "Make B the primary" }).click();
  await dialog.getByText("Nothing was done: no node can do it now").waitFor();
  await dialog.getByText("node A would have to, and was not reached").waitFor();
  await checkAccess(page);
  cluster.refusal = perhapsDone();
  await dialog.getByRole("button", { name: "Make B the primary" }).click();
  await dialog.getByText("Perhaps it was done: look before you try again").waitFor();
  await checkAccess(page);
  cluster.refusal = errorAnswer(400, "System.InvalidOperationException", "The other node is not in sync.");
  await dialog.getByRole("button", { name: "Make B the primary" }).click();
  await dialog.getByText("The other node is not in sync.").waitFor();
  // A dialog that failed changes when it is tried again, and is left by Esc.
  cluster.refusal = undefined;
  await dialog.getByRole("button", { name: "Make B the primary" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("row", { name: /^B primary/ }).waitFor();

  // The same words where a document is saved.
  await server.create();
  await server.put("orders/1", '{"Freight":1}');
  await page.goto(`${url}/studio/db/${server.database}/doc?id=orders/1`);
  await page.locator(".cm-line", { hasText: "Freight" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("5");
  const answer = cluster.fault.answer;
  for (const [refusal, words] of [[withoutNode(), "Nothing was done"], [perhapsDone(), "Perhaps it was done"]]) {
    cluster.fault.answer = (request, at) => (request.method() === "PUT" ? refusal : answer(request, at));
    await page.keyboard.press("Control+s");
    await page.getByRole("alert").getByText(words).first().waitFor();
  }
  cluster.fault.answer = answer;
  await page.keyboard.press("Control+s");
  await eventually(async () => match(await server.read("orders/1"), /"Freight":15/));
});

scenario("a node is taken out of the cluster by its tag, and one may only look who may not change", async ({ page, url, expected }) => {
  const cluster = await standInCluster(page);
  cluster.add("shop", ["A:Primary", "B:Member", "C:Member"]);
  await page.goto(`${url}/studio/cluster`);
  await act(page, "C", "Take it out of the cluster…");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It leaves all databases").waitFor();
  await checkAccess(page);
  await dialog.getByRole("textbox").fill("C");
  await dialog.getByRole("button", { name: "Take C out" }).click();
  await page.getByRole("region", { name: "Nodes" }).getByRole("row", { name: /^C / }).waitFor({ state: "detached" });
  deepEqual(cluster.done, ["DELETE /admin/cluster/node?nodeTag=C"]);

  // An operator changes databases, and not the cluster.
  const answer = cluster.fault.answer;
  let clearance = "Operator";
  cluster.fault.answer = (request, at) =>
    at.pathname === "/certificates/whoami"
      ? { status: 200, contentType: "application/json", body: JSON.stringify({ Name: "x", Kind: "ApiKey", SecurityClearance: clearance, Permissions: {}, NotAfter: null }) }
      : answer(request, at);
  await page.goto(`${url}/studio/cluster`);
  await page.getByRole("row", { name: /^B / }).waitFor();
  await eventually(async () => equal(await page.getByRole("button", { name: /^Actions of node/ }).count(), 0));
  await page.getByRole("link", { name: "shop", exact: true }).click();
  await page.getByRole("button", { name: "Add a node" }).waitFor();

  // A reader is told which right it takes, and before that by the navigation.
  clearance = "ValidUser";
  expected.add(403);
  cluster.healthRefusal = errorAnswer(403, "Raven.Client.Exceptions.Security.AuthorizationException", "GET /admin/cluster/health needs the right Operator.");
  await page.goto(`${url}/studio/cluster`);
  await page.getByRole("alert").getByText("needs the right Operator").waitFor();
  await page.waitForFunction(() => document.querySelector('.nav a[title*="Operator"]') !== null);
  equal(await page.getByRole("button", { name: "Add a node" }).count(), 0);
  await checkAccess(page);
});

scenario("the list, the overview and a new database know of the nodes", async ({ page, url, server, expected }) => {
  expected.add(409);
  await server.create();
  await server.sample();
  const cluster = await standInCluster(page);
  cluster.add(server.database, ["A:Primary", "B:Member", "C:Rehab"]);
  const answer = cluster.fault.answer;
  const Nodes = [
    { NodeTag: "A", Role: "Primary", IsAlive: true },
    { NodeTag: "B", Role: "Member", IsAlive: false },
    { NodeTag: "C", Role: "Rehab", IsAlive: true },
  ];
  const row = (name, more) => ({ Name: name, State: "Open", IsDisabled: false, Fault: null, SizeBytes: 1_024, Documents: 3, Indexes: 0, StaleIndexes: 0, FaultyIndexes: 0, Nodes, ...more });
  const elsewhere = row("far", { State: "Elsewhere", SizeBytes: null, Documents: null, Indexes: null, StaleIndexes: null, FaultyIndexes: null, Nodes: [{ NodeTag: "B", Role: "Primary", IsAlive: true }] });
  const made = [];
  cluster.fault.answer = (request, at) => {
    if (at.pathname === "/studio/databases") {
      return { status: 200, contentType: "application/json", body: JSON.stringify({ TotalResults: 2, Start: 0, Databases: [elsewhere, row(server.database)] }) };
    }
    if (request.method() === "PUT" && at.pathname === "/admin/databases") {
      made.push(at.search);
      return errorAnswer(409, "Raven.Client.Exceptions.ConcurrencyException", "It exists.");
    }
    return answer(request, at);
  };
  await page.goto(`${url}/studio/`);
  await page.getByRole("row", { name: /^far on other nodes B primary/ }).waitFor();
  await page.getByRole("row", { name: new RegExp(`^${server.database} open A primary B in sync, away C catching up`) }).waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: `Actions of ${server.database}` }).click();
  deepEqual(await page.getByRole("menuitem").allInnerTexts(), ["Nodes", "Disable", "Delete…"]);
  await page.getByRole("menuitem", { name: "Nodes" }).click();
  await page.getByRole("heading", { name: `Nodes of ${server.database}` }).waitFor();
  await page.getByRole("link", { name: "Open it" }).click();
  await page.getByRole("heading", { name: "Nodes", exact: true }).waitFor();
  await page.getByText("C catching up").waitFor();
  await checkAccess(page);
  await page.getByRole("link", { name: "How they are" }).click();
  await page.getByRole("heading", { name: `Nodes of ${server.database}` }).waitFor();
  await page.goto(`${url}/studio/?create=1`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("new");
  equal(await dialog.getByLabel("On how many nodes").inputValue(), "3");
  await checkAccess(page);
  await dialog.getByLabel("On how many nodes").selectOption("2");
  await dialog.getByLabel("with sample data").uncheck();
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").getByText("It exists.").waitFor();
  deepEqual(made, ["?name=new&replicationFactor=2"]);
});

scenario("no text of nodes and groups runs", async ({ page, url }) => {
  const check = await watchCanary(page);
  const cluster = await standInCluster(page, ["A"]);
  for (const [at, text] of PAYLOADS.entries()) {
    cluster.nodes.push({ NodeTag: `${text} ${at}`, Url: text, Role: text, Version: text, IsAlive: false, Hindrance: text, Advice: text });
    cluster.add(`${text}`, ["A:Primary", `${text} ${at}:${text.replaceAll(":", "")}`], { Hindrance: text, Advice: text });
    cluster.group(text).nodes[1].Why = text;
  }
  Object.assign(cluster.stores.A, { Version: PAYLOADS[0], Problem: PAYLOADS[1], Advice: PAYLOADS[2] });
  await page.goto(`${url}/studio/cluster`);
  await page.getByText("ran(1)").first().waitFor();
  await check("the cluster");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("101 to 200").waitFor();
  await check("the second page of databases");
  for (let at = 0; at < PAYLOADS.length; at += 17) {
    await page.goto(`${url}/studio/cluster?name=${encodeURIComponent(PAYLOADS[at])}`);
    await page.getByRole("heading", { name: /^Nodes of/ }).waitFor();
    await page.getByRole("button", { name: "Order", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await check(`the nodes of ${at}`);
  }
});
