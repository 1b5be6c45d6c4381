// What the main thread of a page did while something was done: from the browser's own trace.

/** Gives the longest task of the page's main thread, in milliseconds of processor time, and its time on the clock. */
export async function watchMainThread(page, action) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["toplevel"] });
  await action();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const names = new Map(
    traceEvents
      .filter((one) => one.ph === "M" && one.name === "thread_name")
      .map((one) => [`${one.pid} ${one.tid}`, one.args.name]),
  );
  const tasks = traceEvents.filter(
    (one) =>
      one.ph === "X" &&
      one.name === "ThreadControllerImpl::RunTask" &&
      one.tdur !== undefined &&
      names.get(`${one.pid} ${one.tid}`) === "CrRendererMain",
  );
  const most = (key) => Math.round(tasks.reduce((sum, one) => Math.max(sum, one[key]), 0) / 100) / 10;
  return { tasks: tasks.length, longestCpuMs: most("tdur"), longestMs: most("dur") };
}
