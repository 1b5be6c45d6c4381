// Pictures of pages, which the guide shows and which are compared with how the pages look now.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodePng } from "./png.mjs";

const folder = fileURLToPath(new URL("../../../docs/images/studio/", import.meta.url));
const versionFile = join(folder, "chromium.txt");
const isAnew = process.env.STUDIO_PICTURES === "anew";

/** A pixel differs if one of its colors is this far off: letters are drawn a little differently now and then. */
const COLOR_MAX = 64;
/** Of a thousand pixels so many may differ. */
const SHARE_MAX = 0.001;

/** The browser's major version. Pictures of another one are not compared: it draws letters in its own way. */
function majorOf(browser) {
  return browser.version().split(".")[0];
}

/** What is another each time gets a fixed form: times, how long something took, sizes on the disk. */
export async function stillPage(page) {
  await page.evaluate(() => {
    const forms = [
      [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?Z/g, "2026-11-28 08:30:00.000Z"],
      [/\b\d+(\.\d+)?\u2009(µs|ms|s|min|h)(?!\w)/g, "1.0\u2009ms"],
      [/\b\d+(\.\d+)?\u2009(B|KiB|MiB|GiB)(?!\w)/g, "1.0\u2009MiB"],
    ];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const text = forms.reduce((now, [form, fixed]) => now.replace(form, fixed), node.data);
      if (text !== node.data) {
        node.data = text;
      }
    }
    document.activeElement?.blur();
  });
  await page.mouse.move(0, 0);
}

/** Compares how a page looks with its picture, or makes that anew. Gives what is wrong, or undefined. */
export async function comparePicture(page, name) {
  const browser = page.context().browser();
  const shot = await page.screenshot({ animations: "disabled", scale: "css" });
  const file = join(folder, `${name}.png`);
  if (isAnew) {
    const { width, height, rgba } = await readPixels(browser, shot);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, encodePng(width, height, rgba));
    writeFileSync(versionFile, `${majorOf(browser)}\n`);
    return undefined;
  }
  const made = existsSync(versionFile) ? readFileSync(versionFile, "utf8").trim() : "none";
  if (made !== majorOf(browser)) {
    console.error(`Pictures are of Chromium ${made}, this is ${majorOf(browser)}: ${name} was not compared.`);
    return undefined;
  }
  const before = await readPixels(browser, readFileSync(file));
  const now = await readPixels(browser, shot);
  const share = before.width === now.width && before.height === now.height ? difference(before.rgba, now.rgba) : 1;
  if (share <= SHARE_MAX) {
    return undefined;
  }
  const place = join(tmpdir(), "raven-studio-pictures");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, `${name}.png`), shot);
  return `${name}: ${(share * 100).toFixed(2)}% of the pixels differ. It looks like ${join(place, `${name}.png`)} now`;
}

function difference(before, now) {
  let count = 0;
  for (let at = 0; at < before.length; at += 4) {
    if ([0, 1, 2].some((color) => Math.abs(before[at + color] - now[at + color]) > COLOR_MAX)) {
      count++;
    }
  }
  return count / (before.length / 4);
}

/** The browser reads pictures better than we could. */
async function readPixels(browser, png) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const { width, height, text } = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      const drawing = canvas.getContext("2d");
      drawing.drawImage(image, 0, 0);
      const { data } = drawing.getImageData(0, 0, image.width, image.height);
      let text = "";
      for (let at = 0; at < data.length; at += 30_000) {
        text += String.fromCharCode(...data.subarray(at, at + 30_000));
      }
      return { width: image.width, height: image.height, text: btoa(text) };
    }, `data:image/png;base64,${png.toString("base64")}`);
    return { width, height, rgba: Buffer.from(text, "base64") };
  } finally {
    await context.close();
  }
}
