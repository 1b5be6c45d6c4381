// One browser and the rules that hold on every page: nothing on the console, no report of the content security policy,
// no request of another origin, and nothing that axe-core finds, in both themes.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a browser. */
export function launch(executablePath) {
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/** A page of its own, and what was wrong on it. */
export async function newPage(browser, origin, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const wrong = [];
  /** What a scenario expects to be refused, such as a conflict, or a part of what is said, such as ERR_ of a request without answer: the browser writes each to the console. */
  const expected = new Set();
  page.on("console", (message) => {
    const text = message.text();
    const isExpected = [...expected].some((one) => text.includes(typeof one === "string" ? one : `status of ${one} `));
    // Of its policy the page itself reports, below, and says more.
    const isPolicy = text.includes("Content Security Policy");
    if (message.type() === "error" && !isExpected && !isPolicy) {
      wrong.push(`console: ${text} (${message.location().url})`);
    }
  });
  page.on("pageerror", (error) => wrong.push(`script: ${error.stack}`));
  await page.route("**", (route) => {
    const url = new URL(route.request().url());
    if (url.origin === origin || url.protocol === "data:" || url.protocol === "blob:") {
      return route.continue();
    }
    wrong.push(`request of another origin: ${url}`);
    return route.abort();
  });
  await page.addInitScript(() => {
    window.policyReports = [];
    document.addEventListener("securitypolicyviolation", (event) => {
      // Chromium itself puts a style on what is typed over a selection in an editable element; it comes from no script.
      const isTyped = event.violatedDirective === "style-src-attr" && event.sourceFile === "";
      if (isTyped && event.target instanceof Element && event.target.closest(".cm-content, body > :not(#root)")) {
        return;
      }
      window.policyReports.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  const finish = async () => {
    const reports = await page.evaluate(() => window.policyReports ?? []);
    wrong.push(...reports.map((report) => `content security policy: ${report}`));
    await context.close();
    if (wrong.length > 0) {
      throw new Error(wrong.join("\n"));
    }
  };
  return { page, context, expected, finish };
}

/** Asserts something of what comes by itself, such as what the server stores once a page has sent it: for up to 20 s. */
export async function eventually(assertion) {
  for (const end = Date.now() + 20_000; ; await new Promise((done) => setTimeout(done, 100))) {
    try {
      return await assertion();
    } catch (failure) {
      if (Date.now() > end) {
        throw failure;
      }
    }
  }
}

/** Waits until a parameter of the URL is this; null for none. The page may show it before its URL is known here. */
export function waitForParameter(page, name, value) {
  return page.waitForURL(({ searchParams }) => searchParams.get(name) === value);
}

/** Fails if axe-core finds something on the page, in one of the themes. */
export async function checkAccess(page) {
  const found = [];
  for (const theme of ["light", "dark"]) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    const result = await runAxe(page);
    for (const one of result.violations) {
      found.push(`${theme}: ${one.id}: ${one.nodes.map((node) => `${node.target}: ${node.failureSummary}`).join("; ")}`);
    }
  }
  if (found.length > 0) {
    throw new Error(`${page.url()}\n${found.join("\n")}`);
  }
}

/** The policy of the page lets no script in but the server's; the debugger is not bound to it. */
async function runAxe(page) {
  const debug = await page.context().newCDPSession(page);
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await debug.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  };
  await evaluate(`${axe}; 0`);
  const options = JSON.stringify({ runOnly: RULES });
  const text = await evaluate(`axe.run(document, ${options}).then(result => JSON.stringify({
    violations: result.violations.map(one => ({ id: one.id, nodes: one.nodes.map(node => ({
      target: node.target.join(" "), failureSummary: node.failureSummary })) })) }))`);
  await debug.detach();
  return JSON.parse(text);
}
