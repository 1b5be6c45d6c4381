import { equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually, waitForParameter } from "../browser.mjs";

const path = (server, rest) => `/databases/${server.database}/${rest}`;

function partUrl(url, server, id, tab) {
  return `${url}/studio/db/${server.database}/doc?id=${encodeURIComponent(id)}&tab=${tab}`;
}

/** Chooses files as the button "Add files" does. */
async function addFiles(page, ...files) {
  await page.locator("input[type=file]").setInputFiles(
    files.map(([name, mimeType, text]) => ({ name, mimeType, buffer: Buffer.from(text) })),
  );
}

scenario("files are attached, looked at, renamed, copied, saved and deleted", async ({ page, url, server, expected }) => {
  await server.create();
  await server.put("users/1", '{"Name":"Ann","@metadata":{"@collection":"Users"}}');
  await page.goto(partUrl(url, server, "users/1", "attachments"));
  await page.getByText("It has no attachments").waitFor();
  await checkAccess(page);
  const evil = "<script>window.ran=1</script>";
  await addFiles(page, ["note.txt", "text/plain", `hello ${evil}`], ["page.html", "text/html", evil]);
  await page.getByRole("link", { name: "note.txt" }).waitFor();
  await page.getByRole("link", { name: "page.html" }).waitFor();
  await page.getByRole("link", { name: "Attachments 2" }).waitFor();
  await checkAccess(page);
  // A name that is taken is asked about, and nothing is replaced before.
  expected.add(409);
  await addFiles(page, ["note.txt", "text/plain", "another"]);
  await page.getByRole("button", { name: "Replace it" }).waitFor();
  await checkAccess(page);
  await eventually(async () => equal(await server.send("GET", path(server, "attachments?id=users/1&name=note.txt")), `hello ${evil}`));
  await page.getByRole("button", { name: "Replace it" }).click();
  await page.getByRole("button", { name: "Replace it" }).waitFor({ state: "detached" });
  await eventually(async () => equal(await server.send("GET", path(server, "attachments?id=users/1&name=note.txt")), "another"));

  await page.getByRole("button", { name: "Actions of page.html" }).click();
  await page.getByRole("menuitem", { name: "Look at it" }).click();
  await page.getByRole("dialog").getByText("window.ran").waitFor();
  await waitForParameter(page, "view", "page.html");
  await checkAccess(page);
  equal(await page.evaluate(() => window.ran), undefined);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Actions of page.html" }).click();
  await page.getByRole("menuitem", { name: "Rename or move…" }).click();
  const dialog = page.getByRole("dialog");
  await checkAccess(page);
  await dialog.getByLabel("Name").fill("new.html");
  await dialog.getByRole("button", { name: "Move it" }).click();
  await page.getByRole("link", { name: "new.html" }).waitFor();
  await eventually(async () => equal(await page.getByRole("link", { name: "page.html" }).count(), 0));

  await page.getByRole("button", { name: "Actions of new.html" }).click();
  await page.getByRole("menuitem", { name: "Copy…" }).click();
  await dialog.getByLabel("Document").fill("users/none");
  expected.add(404);
  expected.add(400);
  await dialog.getByRole("button", { name: "Copy it" }).click();
  await dialog.getByRole("alert").getByText("users/none").waitFor();
  await dialog.getByLabel("Document").fill("users/1");
  await dialog.getByLabel("Name").fill("copy.html");
  await dialog.getByRole("button", { name: "Copy it" }).click();
  await page.getByRole("link", { name: "copy.html" }).waitFor();

  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "copy.html" }).click();
  equal((await saved).suggestedFilename(), "copy.html");

  await page.getByRole("button", { name: "Actions of new.html" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await checkAccess(page);
  await dialog.getByRole("button", { name: /^Delete/ }).click();
  await page.getByRole("link", { name: "new.html" }).waitFor({ state: "detached" });
  await eventually(async () => {
    const left = JSON.parse(await server.read("users/1")).Results[0]["@metadata"]["@attachments"];
    equal(left.map((one) => one.Name).join(), "copy.html,note.txt");
  });
});

scenario("a text that is not saved stays in the editor behind the attachments", async ({ page, url, server }) => {
  await server.create();
  await server.put("users/1", '{"Name":"Ann","@metadata":{"@collection":"Users"}}');
  await page.goto(`${url}/studio/db/${server.database}/doc?id=users/1`);
  await page.locator(".cm-line", { hasText: "Ann" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("abel");
  await page.getByRole("link", { name: "Attachments" }).click();
  await addFiles(page, ["a.bin", "", "x"]);
  await page.getByRole("link", { name: "a.bin" }).waitFor();
  await page.getByRole("link", { name: "Document", exact: true }).click();
  await eventually(async () => match(await page.locator(".cm-content").innerText(), /Annabel/));
  await page.getByText("Another client has changed it since.").waitFor();
  await page.getByRole("button", { name: "Compare and merge" }).click();
  await page.getByRole("button", { name: "Save merged" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await eventually(async () => {
    const stored = await server.read("users/1");
    ok(stored.includes('"Name":"Annabel"') && stored.includes('"a.bin"'), stored);
  });
});

scenario("counters are made, counted by several at once, set and deleted", async ({ page, url, server }) => {
  await server.create();
  await server.put("posts/1", '{"Title":"Hello","@metadata":{"@collection":"Posts"}}');
  await page.goto(partUrl(url, server, "posts/1", "counters"));
  await page.getByText("It has no counters").waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "New counter" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("likes");
  // Beyond the whole numbers of JavaScript: the digits stay.
  await dialog.getByLabel("Value").fill("9007199254740993");
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Make it" }).click();
  const value = page.getByRole("row", { name: "likes" }).locator("td").first();
  const shows = (digits) => value.filter({ hasText: new RegExp(`^${[...digits].join("\\D?")}$`) }).waitFor();
  await shows("9007199254740993");
  await page.getByRole("button", { name: "One more of likes" }).click();
  await shows("9007199254740994");
  // What another client adds shows by itself.
  const body = '{"Documents":[{"DocumentId":"posts/1","Operations":[{"Type":"Increment","CounterName":"likes","Delta":6}]}]}';
  await server.send("POST", path(server, "counters"), body);
  await shows("9007199254741000");
  await checkAccess(page);
  await page.getByRole("button", { name: "Actions of likes" }).click();
  await page.getByRole("menuitem", { name: "Change…" }).click();
  await dialog.getByLabel("Set it").check();
  await dialog.getByLabel("Value").fill("-12");
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Set", exact: true }).click();
  await shows("-12");
  await page.getByRole("button", { name: "Actions of likes" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await page.getByText("It has no counters").waitFor();
});
