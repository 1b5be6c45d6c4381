import { comparePicture, stillPage } from "../pictures.mjs";
import { standInCluster } from "../standInCluster.mjs";

const DATABASE = "shop";

/** Makes a document with versions: behind the other pictures, which count what there is. */
async function makeNotes(server) {
  const path = `/databases/${DATABASE}`;
  await server.send("POST", `${path}/admin/revisions/config`, '{"Collections":{"Notes":{"Disabled":false}}}');
  for (const stars of ["1.10", "3.20"]) {
    await server.send("PUT", `${path}/docs?id=notes/1`, `{"Title":"draft","Stars":${stars},"@metadata":{"@collection":"Notes"}}`);
  }
}

/** A cluster of four in which one node is away and another one gets a copy. */
async function makeCluster(page) {
  const cluster = await standInCluster(page, ["A", "B", "C", "D"]);
  cluster.add(DATABASE, ["A:Primary", "B:Member", "C:Rehab", "D:Promotable"], { Advice: "Start C again: it catches up by itself. If it is lost for good, take it out of the database and add another node." });
  cluster.add("logs", ["B:Primary", "A:Member", "D:Member"]);
  const { nodes } = cluster.group(DATABASE);
  Object.assign(nodes[2], { LagInRecords: 1_204, LagSizeInBytes: 921_600, LagInMs: 4_200, Why: "It is not connected, and was last heard 4 s ago." });
  Object.assign(nodes[3], { LagInRecords: 1_900, LagSizeInBytes: 921_600, LagInMs: 10, Copied: 3 << 20, Why: "It lacks 1900 transactions, 921600 bytes." });
  cluster.setAlive("C", false);
}

/** Has a document that was changed twice, by us and by another client meanwhile. */
async function conflict(page, server) {
  const put = (text) => server.send("PUT", `/databases/${DATABASE}/docs?id=notes/1`, text);
  await page.locator(".cm-line", { hasText: "draft" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(" of mine");
  await put('{"Title":"draft of theirs","Stars":4.50,"@metadata":{"@collection":"Notes"}}');
  await page.getByText("Another client has changed it since.").waitFor();
  await page.getByRole("button", { name: "Compare and merge" }).click();
}

scenario("pages and dialogs look as in their pictures, in both themes", { limitSec: 240 }, async ({ page, url, server }) => {
  const drop = () => server.send("DELETE", "/admin/databases", JSON.stringify({ DatabaseNames: [DATABASE], HardDelete: true }));
  await drop().catch(() => undefined);
  await server.send("PUT", `/admin/databases?name=${DATABASE}`, JSON.stringify({ DatabaseName: DATABASE }));
  await server.send("POST", `/databases/${DATABASE}/studio/sample-data`);
  const query = "from Orders\nwhere Freight > $min\norder by Freight desc";
  // The index that the query makes is there, and has all.
  await server.send("POST", `/databases/${DATABASE}/queries`, JSON.stringify({ Query: query, QueryParameters: { min: 300 }, WaitForNonStaleResults: true }));
  for (const name of JSON.parse(await server.send("GET", `/databases/${DATABASE}/indexes/stats`)).Results.map((one) => one.Name)) {
    await server.send("POST", `/databases/${DATABASE}/queries`, JSON.stringify({ Query: `from index '${name}' limit 0`, WaitForNonStaleResults: true }));
  }
  await page.setViewportSize({ width: 1120, height: 640 });
  const pages = [
    ["databases", `/studio/?filter=${DATABASE}`, "table a"],
    ["overview", `/studio/db/${DATABASE}`, "h1"],
    ["documents", `/studio/db/${DATABASE}/docs?collection=Orders`, ".grid-row a"],
    ["document", `/studio/db/${DATABASE}/doc?id=products/11-A`, ".cm-line"],
    ["query", `/studio/db/${DATABASE}/query?q=${encodeURIComponent(query)}&p.min=300`, ".grid-row a"],
    ["indexes", `/studio/db/${DATABASE}/indexes`, "table a"],
    ["cluster", "/studio/cluster", "table a", { before: () => makeCluster(page) }],
    ["nodes", `/studio/cluster?name=${DATABASE}`, "progress"],
    ["revisions", `/studio/db/${DATABASE}/doc?id=notes/1&tab=revisions`, "[role=dialog] .cm-line", { before: () => makeNotes(server) }],
    ["merge", `/studio/db/${DATABASE}/doc?id=notes/1`, ".cm-line", { act: () => conflict(page, server) }],
  ];
  const wrong = [];
  try {
    for (const [name, place, sign, { before, act } = {}] of pages) {
      await before?.();
      await page.goto(url + place);
      await page.locator(sign).first().waitFor();
      await act?.();
      await page.getByText("well", { exact: true }).first().waitFor();
      await page.waitForLoadState("networkidle");
      for (const theme of ["light", "dark"]) {
        await page.evaluate((now) => {
          document.documentElement.dataset.theme = now;
        }, theme);
        await stillPage(page);
        wrong.push(await comparePicture(page, `${name}-${theme}`));
      }
    }
  } finally {
    await page.goto("about:blank");
    await drop().catch(() => undefined);
  }
  const said = wrong.filter((one) => one !== undefined);
  if (said.length > 0) {
    throw new Error(`${said.join("\n")}\nIf it is to be so: STUDIO_PICTURES=anew node runner.mjs URL CHROMIUM pictures`);
  }
});
