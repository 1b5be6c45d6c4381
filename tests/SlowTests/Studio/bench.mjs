// node bench.mjs URL CHROMIUM DATABASE WHAT: measures one thing of the Studio once, and prints its figures as JSON.
// The server has a database with many documents. `./build.sh bench studio` runs it.
import { launch, newPage } from "./browser.mjs";
import { watchMainThread } from "./mainThread.mjs";

const [, , url, executable, database, what] = process.argv;
const place = `${url}/studio/db/${database}`;
const JUMPS = 9;
const KEYS = 40;

/** The worst frames of a page while something is done: how long there was none, in milliseconds. */
async function frames(page, action) {
  await page.evaluate(() => {
    window.frameTimes = [];
    const note = () => {
      if (window.frameTimes) {
        // The time of the call, not that of the frame: a late one is to be seen.
        window.frameTimes.push(performance.now());
        window.requestAnimationFrame(note);
      }
    };
    window.requestAnimationFrame(note);
  });
  await action();
  return page.evaluate(() => {
    const times = window.frameTimes;
    window.frameTimes = undefined;
    return Math.max(...times.slice(1).map((time, at) => time - times[at]));
  });
}

/** How long from when a page is asked for until it can be used. */
async function load(page, path, selector) {
  await page.addInitScript((query) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector(query)) {
        window.readyAt ??= performance.now();
        observer.disconnect();
      }
    }).observe(document, { childList: true, subtree: true });
  }, selector);
  await page.goto(url + path);
  await page.waitForFunction(() => window.readyAt !== undefined);
  return page.evaluate(() => window.readyAt);
}

/** Bytes that come over the wire for a page, in KB of 1,024, and requests. */
async function weigh(browser, path, selector) {
  const shown = await newPage(browser, url);
  const debug = await shown.context.newCDPSession(shown.page);
  await debug.send("Network.enable");
  const ours = new Set();
  let bytes = 0;
  debug.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (/\/studio\/(a\/.*)?$/.test(request.url)) {
      ours.add(requestId);
    }
  });
  debug.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes += ours.has(requestId) ? encodedDataLength : 0;
  });
  await load(shown.page, path, selector);
  await shown.page.waitForLoadState("networkidle");
  await shown.finish();
  return [bytes / 1024, ours.size];
}

function longText(length) {
  const item = '{"Id":"orders/1","Freight":1.10,"Lines":[1,2,3],"Name":"some text that is longer than the others"}';
  return `{"Big":1.10,"Items":[${new Array(Math.ceil(length / (item.length + 1))).fill(item).join(",")}]}`;
}

async function put(id, body) {
  const answer = await fetch(`${url}/databases/${database}/docs?id=${id}`, { method: "PUT", body });
  if (!answer.ok) {
    throw new Error(await answer.text());
  }
}

/** From the press of a key until the frame that shows it is drawn: the time that one of ten keys is above. */
async function typeToPaint(page) {
  await page.locator(".cm-line", { hasText: '"Big"' }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.evaluate(() => {
    window.keyTimes = [];
    document.addEventListener(
      "keydown",
      (event) => {
        window.requestAnimationFrame(() => {
          // What is posted in a frame runs behind its drawing.
          const channel = new MessageChannel();
          channel.port1.onmessage = () => window.keyTimes.push(performance.now() - event.timeStamp);
          channel.port2.postMessage(null);
        });
      },
      { capture: true },
    );
  });
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press("7");
    await page.waitForTimeout(30);
  }
  const times = await page.evaluate(() => window.keyTimes);
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.9)];
}

const measures = {
  async sizes(browser) {
    const [first, requests] = await weigh(browser, "/studio/", "table a");
    const [document] = await weigh(browser, `/studio/db/${database}/doc?id=bench/0000000001`, ".cm-line");
    const [query] = await weigh(browser, `/studio/db/${database}/query`, ".cm-line");
    return [first, requests, document, query];
  },
  async load(browser) {
    // Not by newPage: who looks at each request switches the cache off.
    const context = await browser.newContext({ viewport: { width: 1280, height: 760 } });
    const page = await context.newPage();
    const cold = await load(page, "/studio/", "table a");
    const warm = await load(page, "/studio/", "table a");
    await context.close();
    return [cold, warm];
  },
  async grid(browser) {
    const { page, finish } = await newPage(browser, url);
    await page.goto(`${place}/docs`);
    await page.getByRole("grid").waitFor();
    await page.locator(".grid-row a").first().waitFor();
    let jump = 0;
    for (let at = 0; at < JUMPS; at++) {
      jump = Math.max(
        jump,
        await page.evaluate(
          (share) =>
            new Promise((resolve) => {
              const grid = document.querySelector("[role=grid]");
              const start = performance.now();
              const rowsAt = () => document.querySelector(".grid-row")?.getAttribute("aria-rowindex");
              const before = rowsAt();
              grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight);
              const look = () =>
                rowsAt() !== before && !document.querySelector(".on-its-way") && document.querySelector(".grid-row a")
                  ? resolve(performance.now() - start)
                  : window.requestAnimationFrame(look);
              window.requestAnimationFrame(look);
            }),
          // Places all over, far from each other.
          ((at * 7 + 3) % JUMPS) / JUMPS + 0.05,
        ),
      );
    }
    await page.mouse.move(600, 400);
    const frame = await frames(page, async () => {
      for (let turn = 0; turn < 100; turn++) {
        await page.mouse.wheel(0, 120);
        await page.waitForTimeout(16);
      }
    });
    await finish();
    return [jump, frame];
  },
  async editor(browser) {
    const { page, finish } = await newPage(browser, url);
    await put("long/1", longText(1_000_000));
    await put("long/10", longText(10_000_000));
    await page.goto(`${place}/doc?id=long/1`);
    const short = await typeToPaint(page);
    await page.goto(`${place}/docs`);
    await page.getByRole("link", { name: "long/10" }).first().waitFor();
    let openMs = 0;
    const { longestCpuMs } = await watchMainThread(page, async () => {
      const start = performance.now();
      await page.getByRole("link", { name: "long/10" }).first().click();
      await page.locator(".cm-line", { hasText: '"Big"' }).waitFor();
      openMs = performance.now() - start;
    });
    const long = await typeToPaint(page);
    await finish();
    return [short, long, openMs, longestCpuMs];
  },
  async changes(browser) {
    const { page, finish } = await newPage(browser, url);
    await page.goto(`${place}/changes`);
    await page.waitForTimeout(1_000);
    let written = 0;
    const frame = await frames(page, async () => {
      const start = performance.now();
      // 500 documents ten times a second, for four seconds.
      for (let turn = 0; turn < 40; turn++) {
        const commands = Array.from({ length: 500 }, (_, at) => ({ Type: "PUT", Id: `tail/${at}`, Document: { Turn: turn } }));
        const body = JSON.stringify({ Commands: commands });
        const answer = await fetch(`${url}/databases/${database}/bulk_docs`, { method: "POST", body });
        written += answer.ok ? commands.length : 0;
        await answer.arrayBuffer();
        await page.waitForTimeout(Math.max(0, start + (turn + 1) * 100 - performance.now()));
      }
      written /= (performance.now() - start) / 1_000;
    });
    await finish();
    return [frame, written];
  },
  // The caller measures the server between the two lines.
  async idle(browser) {
    return stay(browser, `/studio/db/${database}`);
  },
  async live(browser) {
    return stay(browser, "/studio/running");
  },
};

async function stay(browser, path) {
  const { page, finish } = await newPage(browser, url);
  await page.goto(url + path);
  await page.waitForTimeout(3_000);
  console.log("[]");
  await page.waitForTimeout(30_000);
  await finish();
  return [0];
}

const browser = await launch(executable);
console.log(JSON.stringify(await measures[what](browser)));
await browser.close();
