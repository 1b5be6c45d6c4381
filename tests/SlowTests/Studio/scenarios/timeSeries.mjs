import { equal, match, ok } from "node:assert/strict";
import { checkAccess, eventually } from "../browser.mjs";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1);

const path = (server, rest) => `/databases/${server.database}/${rest}`;

/** A document with a series of so many entries, one a minute. */
async function withSeries(server, name, count) {
  await server.create();
  await server.put("users/1", '{"Name":"Ann","@metadata":{"@collection":"Users"}}');
  const lines = Array.from({ length: count }, (_, at) => `${START + at * 60_000},,${at % 60},${-at}`);
  const body = `Timestamp,Tag,A,B\n${lines.join("\n")}\n`;
  await server.send("POST", path(server, `streams/timeseries?docId=users/1&name=${name}&format=csv`), body);
}

function seriesUrl(url, server, series, rest = "") {
  const tail = series === undefined ? "" : `&series=${encodeURIComponent(series)}`;
  return `${url}/studio/db/${server.database}/doc?id=users/1&tab=timeseries${tail}${rest}`;
}

function chart(page, name) {
  return page.getByRole("img", { name: new RegExp(`^${name}: `) });
}

/** How many milliseconds the range of the URL has. */
function rangeMs(page) {
  const { searchParams } = new URL(page.url());
  return Date.parse(searchParams.get("to")) - Date.parse(searchParams.get("from"));
}

// A database that was never told anything of series answers 404 when it is asked for the names of values.
const NO_CONFIGURATION = 404;

scenario("a series begins with its first entry, is drawn, and loses entries", async ({ page, url, server, expected }) => {
  expected.add(NO_CONFIGURATION);
  await server.create();
  await server.put("users/1", '{"Name":"Ann","@metadata":{"@collection":"Users"}}');
  await page.goto(seriesUrl(url, server));
  await page.getByText("It has no time series").waitFor();
  await checkAccess(page);
  await page.getByRole("button", { name: "New series" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("HeartRate");
  await dialog.getByLabel("Time, in UTC").fill("2026-01-01 10:00:00Z");
  await dialog.getByLabel("Values").fill("71, 3");
  await dialog.getByLabel("Tag").fill("watches/7");
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Write it" }).click();
  await page.getByRole("link", { name: "HeartRate", exact: true }).click();
  await chart(page, "HeartRate").waitFor();
  await page.getByRole("button", { name: "New entry" }).click();
  await dialog.getByLabel("Time, in UTC").fill("2026-01-01T10:01");
  await dialog.getByLabel("Values").fill("72.25");
  await dialog.getByRole("button", { name: "Write it" }).click();
  await page.getByRole("row", { name: "10:01:00" }).getByText("72.25").waitFor();
  // What another client writes shows by itself.
  const more = '{"Name":"HeartRate","Appends":[{"Timestamp":"2026-01-01T10:02:00Z","Values":[80.125]}]}';
  await server.send("POST", path(server, "timeseries?docId=users/1"), more);
  await page.getByRole("cell", { name: "80.125" }).waitFor();
  await eventually(async () => match(await chart(page, "HeartRate").getAttribute("aria-label"), /from 71 to 80\.125, at last 80\.125/));
  await eventually(async () => equal(await page.getByRole("link", { name: "watches/7" }).count(), 1));
  await checkAccess(page);
  await page.getByRole("button", { name: "Delete the entry of 2026-01-01 10:01:00Z" }).click();
  await checkAccess(page);
  await dialog.getByRole("button", { name: "Delete 1 entry" }).click();
  await page.getByRole("cell", { name: "72.25" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete the range…" }).click();
  await dialog.getByRole("button", { name: "Delete 2 entries" }).click();
  await page.getByText("It has no time series").waitFor();
});

scenario("a long series is narrowed by keys, buttons, times and the mouse", async ({ page, url, server, expected }) => {
  expected.add(NO_CONFIGURATION);
  await withSeries(server, "Long", 6_000);
  await page.goto(seriesUrl(url, server, "Long"));
  await chart(page, "Long").waitFor();
  await page.getByText("6\u2009000 entries: for each").waitFor();
  await checkAccess(page);
  await page.getByRole("group", { name: /^Chart/ }).focus();
  await page.keyboard.press("+");
  await page.waitForURL(/from=/);
  const half = rangeMs(page);
  ok(Math.abs(half - 50 * HOUR_MS) < 60_000, `${half} ms`);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("+");
  await page.waitForFunction((before) => {
    const { searchParams } = new URL(location.href);
    return Date.parse(searchParams.get("to")) - Date.parse(searchParams.get("from")) < before * 0.6;
  }, half);
  await page.keyboard.press("Home");
  await page.waitForURL((now) => !now.searchParams.has("from"));

  await page.getByRole("button", { name: "Narrow the range" }).click();
  await page.waitForURL(/from=/);
  await page.goBack();
  await page.waitForURL((now) => !now.searchParams.has("from"));

  await chart(page, "Long").scrollIntoViewIfNeeded();
  const box = await page.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/from=/);
  ok(Math.abs(rangeMs(page) - 25 * HOUR_MS) < HOUR_MS, `${rangeMs(page)} ms`);

  await page.getByLabel("From", { exact: true }).fill("2026-01-01 01:00");
  await page.getByLabel("to", { exact: true }).fill("2026-01-01 02:00");
  await page.keyboard.press("Enter");
  await page.getByText("All 61 entries of the range are drawn.").waitFor();
  await eventually(async () => equal(await page.getByRole("row").count(), 62));
  await eventually(async () => match(await chart(page, "Long").getAttribute("aria-label"), /Value 0 from 0 to 59, at last 0/));
  await page.getByRole("checkbox", { name: "Value 0" }).uncheck();
  await page.waitForURL(/values=1/);
  await checkAccess(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await checkAccess(page);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  equal(isWide, false);
});

scenario("a roll-up is shown as one, and cannot be written", async ({ page, url, server }) => {
  await withSeries(server, "Rate", 600);
  const policy = '{"Name":"ByHour","AggregationTime":{"Value":3600,"Unit":"Second"}}';
  const configuration = `{"Collections":{"Users":{"Policies":[${policy}]}},"PolicyCheckFrequency":"00:00:01"}`;
  await server.send("POST", path(server, "admin/timeseries/config"), configuration);
  const names = '{"Collection":"Users","TimeSeries":"Rate","ValueNames":["BPM","Other"],"Update":true}';
  await server.send("POST", path(server, "timeseries/names/config"), names);
  await page.goto(seriesUrl(url, server));
  await page.getByRole("link", { name: "Rate@ByHour" }).waitFor();
  await page.getByText("roll-up of Rate").waitFor();
  await checkAccess(page);
  await page.getByRole("link", { name: "Rate@ByHour" }).click();
  await chart(page, "Rate@ByHour").waitFor();
  for (const title of ["BPM first", "BPM max", "Other count"]) {
    await page.getByRole("columnheader", { name: title, exact: true }).waitFor();
  }
  await eventually(async () => match(await chart(page, "Rate@ByHour").getAttribute("aria-label"), /BPM from 29\.5 to 29\.5/));
  await eventually(async () => equal(await page.getByRole("button", { name: "New entry" }).getAttribute("aria-disabled"), "true"));
  await eventually(async () => equal(await page.getByRole("button", { name: /^Delete/ }).count(), 0));
  await checkAccess(page);
});
