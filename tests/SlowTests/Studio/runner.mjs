// node runner.mjs URL CHROMIUM [PART] [whole]: runs all scenarios against a server, or those of files with PART in their
// name, and prints a line of JSON for each. Some look at all that there is if they are told so by "whole".
// --certificates=FOLDER names what --setup dev-cert has made: then the scenarios are those of a server that asks who is
// there. --folder=FOLDER names others, of which CI runs none: those of "million" on a million documents.
import { readdirSync } from "node:fs";
import { launch, newPage } from "./browser.mjs";
import { sender } from "./sender.mjs";

const CERTIFICATES = "--certificates=";
const FOLDER = "--folder=";
const [url, executable, part = "", extent] = process.argv.slice(2).filter((one) => !one.startsWith("--"));
const certificates = process.argv.find((one) => one.startsWith(CERTIFICATES))?.slice(CERTIFICATES.length);
const origin = new URL(url).origin;
const usual = certificates === undefined ? {} : { ignoreHTTPSErrors: true };
// A page that is busy for ever answers nothing: the next scenarios get a browser of their own.
const LIMIT_SEC = 90;
const scenarios = [];
let file = "";

/** Declares a scenario: what a person does, and what comes of it. */
globalThis.scenario = (name, ...rest) => {
  const action = rest.pop();
  scenarios.push({ file, name, action, limitSec: rest[0]?.limitSec ?? LIMIT_SEC });
};

const named = process.argv.find((one) => one.startsWith(FOLDER))?.slice(FOLDER.length);
const folder = new URL(`${named ?? (certificates === undefined ? "scenarios" : "secured")}/`, import.meta.url);
for (file of readdirSync(folder).filter((name) => name.endsWith(".mjs") && name.includes(part)).sort()) {
  await import(new URL(file, folder));
}

const send = sender(url, certificates);

/** The server, as a client that is not the browser reaches it. */
function serverOf(database) {
  const path = `/databases/${database}`;
  return {
    database,
    send,
    create: () => send("PUT", `/admin/databases?name=${database}`, JSON.stringify({ DatabaseName: database })),
    sample: () => send("POST", `${path}/studio/sample-data`),
    put: (id, text) => send("PUT", `${path}/docs?id=${encodeURIComponent(id)}`, text),
    read: (id) => send("GET", `${path}/docs?id=${encodeURIComponent(id)}`),
    drop: () => send("DELETE", "/admin/databases", JSON.stringify({ DatabaseNames: [database], HardDelete: true })),
  };
}

/** What an action comes to, or its failure when it takes too long. */
function inTime(action, limitSec) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took over ${limitSec} s: the page hangs.`)), limitSec * 1000);
  });
  return Promise.race([action, late]).finally(() => clearTimeout(timer));
}

let browser = await launch(executable);
for (const [at, { file: from, name, action, limitSec }] of scenarios.entries()) {
  let error = null;
  const server = serverOf(`studio${at}`);
  try {
    const shown = await newPage(browser, origin, usual);
    // A page with the certificate of the administrator, under the same rules.
    const openAsAdministrator = () =>
      newPage(browser, origin, {
        ...usual,
        clientCertificates: [{ origin, pfxPath: `${certificates}/admin.pfx` }],
      });
    try {
      await inTime(
        action({ ...shown, url, server, openAsAdministrator, isWhole: extent === "whole" }),
        limitSec,
      );
    } catch (failure) {
      await inTime(shown.finish(), LIMIT_SEC).catch((more) => {
        failure.message += `\n${more.message}`;
      });
      throw failure;
    }
    await inTime(shown.finish(), LIMIT_SEC);
  } catch (failure) {
    error = failure.stack ?? String(failure);
    if (error.includes("the page hangs") || !browser.isConnected()) {
      void browser.close().catch(() => undefined);
      browser = await launch(executable);
    }
  } finally {
    // Only when no page watches it any more. A scenario may have deleted it, or not have come to make it.
    await server.drop().catch(() => undefined);
  }
  console.log(JSON.stringify({ file: from, name, error }));
}
await browser.close();
