// The sizes that a page may have, with gzip, in bytes; more than that fails.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const KB = 1024;
const FIRST_MAX = 300 * KB;
const FIRST_REQUESTS_MAX = 80;
const EDITOR_MAX = 450 * KB;
const ALL_MAX = 900 * KB;
const RAW_MAX = 4 * KB * KB;

const sizes = new Map();
const sizeOf = (name) => {
  if (!sizes.has(name)) {
    sizes.set(name, gzipSync(readFileSync(join(dist, name)), { level: 9 }).length);
  }
  return sizes.get(name);
};

/** All that a module needs, itself included. */
function closure(name, found = new Set()) {
  if (!found.has(name)) {
    found.add(name);
    const text = readFileSync(join(dist, name), "utf8");
    for (const [, path] of text.matchAll(/(?:^|[;}\n])\s*(?:import|export)\s*(?:[^"'();]*?from\s*)?"(\.[^"]+)"/g)) {
      closure(posix.join(dirname(name), path), found);
    }
  }
  return found;
}

const sum = (names) => [...names].reduce((total, name) => total + sizeOf(name), 0);
const first = closure("main.js").add("style.css");
const withPage = (...pages) => new Set([...first, ...pages.flatMap((page) => [...closure(page)])]);
const SERIES = [
  "pages/document/documentPage.js",
  "pages/timeSeries/timeSeriesPart.js",
  "pages/timeSeries/oneSeries.js",
];
const all = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(dist.length));
const raw = all.reduce((total, name) => total + readFileSync(join(dist, name)).length, 0);

const lines = [
  ["first list, bytes", sum(first), FIRST_MAX],
  ["first list, requests", first.size + 1, FIRST_REQUESTS_MAX],
  ["with a document, bytes", sum(withPage("pages/document/documentPage.js")), EDITOR_MAX],
  ["with a query, bytes", sum(withPage("pages/query/queryPage.js")), EDITOR_MAX],
  ["with a time series, bytes", sum(withPage(...SERIES)), EDITOR_MAX],
  ["with the load, bytes", sum(withPage("pages/live/livePage.js")), FIRST_MAX],
  ["all files, bytes", sum(all), ALL_MAX],
  ["all files as they are, bytes", raw, RAW_MAX],
];
for (const [what, is, most] of lines) {
  console.log(`${what}: ${is} of ${most}${is > most ? " - too much" : ""}`);
  if (is > most) {
    process.exitCode = 1;
  }
}

// Decision 0029 tells these sizes: they may not be those of a build of long ago.
const FILES = {
  "React 19": "vendor/react-core.js",
  "Base UI": "vendor/baseui.js",
  "TanStack Router": "vendor/router.js",
  "TanStack Query": "vendor/query.js",
  "CodeMirror 6, shared": "vendor/codemirror-core.js",
  "CodeMirror: JSON": "vendor/codemirror.js",
  uPlot: "vendor/uplot.js",
};
const TOLD_OFF_MAX = 0.05;
const decisions = new URL("../../../docs/decisions/", import.meta.url);
const page = readdirSync(decisions).find((name) => name.startsWith("0029"));
const rows = readFileSync(new URL(page, decisions), "utf8").split("\n");
const told = (start) => {
  const row = rows.find((line) => line.replaceAll("*", "").startsWith(`| ${start}`)) ?? "";
  return (row.split("|")[2] ?? "").match(/\d[\d,]*/g)?.map((number) => Number(number.replaceAll(",", ""))) ?? [];
};
const check = (start, ...sizes) => {
  const said = told(start);
  if (sizes.some((size, at) => !(Math.abs((said[at] ?? 0) / size - 1) <= TOLD_OFF_MAX))) {
    console.log(`${page}, "${start}": it says ${said.join(" and ") || "nothing"}, which is ${sizes.join(" and ")} now`);
    process.exitCode = 1;
  }
};
for (const [start, name] of Object.entries(FILES)) {
  check(start, sizeOf(name));
}
check("JavaScript, C#", sizeOf("vendor/javascript.js"), sizeOf("vendor/csharp.js"));
check("first list", lines[0][1]);
check("document, query, time series", lines[2][1], lines[3][1], lines[4][1]);
check("load of the server", lines[5][1]);
check("all files", lines[6][1]);
