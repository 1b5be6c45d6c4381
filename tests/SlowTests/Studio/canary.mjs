// Data that would like to be a page: what it calls, asks for or makes is noted, and must not be there.
import { readFileSync } from "node:fs";

/** 200 texts; each calls `ran(N)` or asks for `/canary/N`, where N is its place, from 1. */
export const PAYLOADS = JSON.parse(readFileSync(new URL("payloads.json", import.meta.url), "utf8"));

/** Elements and attributes that no page of the Studio has. */
const STRANGE =
  "iframe, frame, frameset, object, embed, applet, base, meta[http-equiv], portal, marquee, video, audio, math, " +
  "form[action], a[ping], a[href^='javascript' i], a[href^='data:' i], script:not([src]), link[href*='canary'], " +
  "[onerror], [onload], [onfocus], [onclick], [onmouseover], [ontoggle], [onbegin], [onstart], [srcdoc]";

/** Watches a page. The function it gives fails if something of the data has run. */
export async function watchCanary(page) {
  const seen = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/canary/")) {
      seen.push(`asked for ${request.url()}`);
    }
  });
  page.on("dialog", (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => seen.push(`popup ${popup.url()}`));
  await page.exposeFunction("ran", (place) => seen.push(`ran ${place}`));
  return async (where) => {
    const strange = await page.evaluate((query) => [...document.querySelectorAll(query)].map((one) => one.outerHTML), STRANGE);
    const all = [...seen, ...strange.map((html) => `made ${html.slice(0, 200)}`)];
    if (all.length > 0) {
      throw new Error(`${where}: ${all.join("; ")}`);
    }
  };
}
