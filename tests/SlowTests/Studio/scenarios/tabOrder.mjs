import { deepEqual } from "node:assert/strict";

// Who has no mouse comes to every action by Tab, sees where the focus is, and comes out of everything again.

const STEPS_MAX = 400;

/** In the page: what can be done on it, and what of it the focus has come to. Arrows lead on within lists of tabs and grids. */
function watchFocus() {
  const ACTIONS =
    "button, a[href], input, select, textarea, summary, [contenteditable=true], [tabindex], [role=button], [role=link], [role=tab]";
  const reached = new Set();
  const wrong = new Set();
  const nameOf = (element) => {
    const label = element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent || element.title;
    return `${element.getAttribute("role") ?? element.tagName.toLowerCase()} ${(label ?? "").trim().slice(0, 60)}`;
  };
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0 && !element.closest("[inert], [aria-hidden=true]");
  const hasRing = (element) => {
    // A field draws the ring of what stands in it, an editor that of its text.
    for (let at = element, up = 0; at && up < 4; at = at.parentElement, up++) {
      const style = getComputedStyle(at);
      if ((at === element || at.matches(":focus-within")) && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1) {
        return true;
      }
    }
    return false;
  };
  // What is not at its place any more when it is looked at is covered by something, if only by an edge of what scrolls.
  const isCovered = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [0.1, 0.5, 0.9].every((x) =>
      [0.2, 0.5, 0.8].every((y) => {
        const hit = document.elementFromPoint(left + width * x, top + height * y);
        return !hit || !(element.contains(hit) || hit.contains(element) || [...(element.labels ?? [])].some((label) => label.contains(hit)));
      }),
    );
  };
  window.tabOrder = {
    /** Notes what has the focus. False at the end: it is outside, or has been there before. */
    async note() {
      const element = document.activeElement;
      if (!element || element === document.body || reached.has(element)) {
        return false;
      }
      reached.add(element);
      // An editor learns of its focus a moment later.
      for (let turn = 0; turn < 20 && !hasRing(element); turn++) {
        await new Promise((done) => setTimeout(done, 25));
      }
      if (!hasRing(element)) {
        wrong.add(`no ring: ${nameOf(element)}`);
      }
      if (isCovered(element)) {
        wrong.add(`covered: ${nameOf(element)}`);
      }
      return true;
    },
    isInEditor: () => document.activeElement?.closest(".cm-content") !== null,
    /** What is wrong, and what the focus has not come to. */
    end() {
      const isByArrows = (element) =>
        element.tabIndex < 0 &&
        ((element.matches("[role=tab]") && [...reached].some((one) => one.closest("[role=tablist]") === element.closest("[role=tablist]"))) ||
          (element.closest("[role=grid]") && reached.has(element.closest("[role=grid]"))));
      const isAction = (element) => element.tabIndex >= 0 || element.matches("button, a[href], [role=button], [role=link], [role=tab]");
      for (const element of document.querySelectorAll(ACTIONS)) {
        if (isSeen(element) && isAction(element) && !reached.has(element) && !isByArrows(element)) {
          wrong.add(`not reached: ${nameOf(element)}`);
        }
      }
      return { wrong: [...wrong], count: reached.size };
    },
  };
}

/** Walks over a page by Tab; gives what is wrong and how much there was. */
async function walk(page) {
  await page.evaluate(watchFocus);
  await page.evaluate(() => document.activeElement?.blur());
  for (let step = 0; step < STEPS_MAX; step++) {
    if (await page.evaluate(() => window.tabOrder.isInEditor())) {
      // In an editor Tab is a key as any other, until Esc.
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Tab");
    if (!(await page.evaluate(() => window.tabOrder.note()))) {
      break;
    }
  }
  return page.evaluate(() => window.tabOrder.end());
}

scenario("every action of the main pages is reached by Tab, with a ring that is seen", { limitSec: 180 }, async ({ page, url, server }) => {
  await server.create();
  await server.sample();
  const of = `/studio/db/${server.database}`;
  const index = encodeURIComponent("Orders/ByCompany");
  const query = encodeURIComponent("from Orders where Freight > $min");
  const wrong = [];
  for (const [path, shown] of [
    ["/studio/", page.getByRole("link", { name: server.database })],
    ["/studio/running", page.getByRole("heading", { name: "Running requests" })],
    ["/studio/cluster", page.getByRole("heading", { name: "Cluster" })],
    ["/studio/live", page.getByRole("img", { name: /^Requests: / })],
    [of, page.getByRole("heading", { name: "Collections" })],
    [`${of}/docs?collection=Orders`, page.getByRole("row").nth(3)],
    [`${of}/doc?id=orders/1-A`, page.locator(".cm-line").first()],
    [`${of}/query?q=${query}&p.min=500`, page.getByText("1007.64")],
    [`${of}/indexes`, page.getByRole("link", { name: "Orders/ByCompany" })],
    [`${of}/index?name=${index}`, page.locator(".cm-line").first()],
    [`${of}/patch`, page.locator(".cm-line").first()],
    [`${of}/cmpxchg`, page.getByRole("main").getByRole("button").first()],
    [`${of}/changes`, page.getByText("Nothing has changed")],
    [`${of}/subscriptions`, page.getByRole("main").getByRole("button").first()],
    [`${of}/backups`, page.getByRole("main").getByRole("button").first()],
    [`${of}/io`, page.getByRole("button", { name: "Import it" })],
    [`${of}/io?tab=export`, page.getByRole("button", { name: "Export it" })],
    [`${of}/operations`, page.getByRole("heading", { name: "Operations" })],
    [`${of}/storage`, page.getByRole("heading", { name: "Storage" })],
    [`${of}/settings`, page.getByRole("heading", { name: "Settings" })],
  ]) {
    await page.goto(`${url}${path}`);
    await shown.first().waitFor();
    const { wrong: found, count } = await walk(page);
    wrong.push(...found.map((one) => `${path}: ${one}`));
    // The links beside the page alone are more than that.
    if (count < 10) {
      wrong.push(`${path}: only ${count} were reached`);
    }
  }
  deepEqual(wrong, []);
});
