import { expect, test } from "vitest";
import { type EtagRow, keepView, RowRun, RUN_MAX, type RunPage, readAbove } from "../src/grid/rowRun";
import { FUZZ, Random, SEED } from "./random";

/** A list as the server pages it: by etags, the newest first. */
class List {
  readonly etags: number[];

  constructor(count: number, random: Random) {
    let etag = 0;
    this.etags = Array.from(
      { length: count },
      () => (etag += 1 + (random.below(3) === 0 ? random.below(500) : 0)),
    ).reverse();
  }

  read(place: { before: number } | { at: number }, pageSize: number): RunPage<EtagRow> {
    const newest = this.etags[0] ?? 0;
    const oldest = this.etags[this.etags.length - 1] ?? 0;
    const below = "before" in place ? place.before : Math.ceil(newest - place.at * (newest - oldest)) + 1;
    const from = this.etags.findIndex((etag) => etag < below);
    const start = from < 0 ? this.etags.length : from;
    const rows = this.etags.slice(start, start + pageSize).map((etag) => ({ etag }));
    return { rows, total: this.etags.length, isLast: start + pageSize >= this.etags.length };
  }
}

const PAGE = 50;

/** Does what the grid does for a view until all its rows are known; gives the run and where the view is then. */
async function settle(list: List, run: RowRun<EtagRow>, first: number, height: number) {
  let now = run;
  let top = first;
  for (let turn = 0; turn < 30; turn++) {
    const window = { first: Math.max(0, top), end: Math.min(now.total, top + height), offset: 0 };
    const step = now.plan(window, PAGE);
    let next: RowRun<EtagRow>;
    if (!step) {
      return { run: now, top };
    }
    if (step.kind === "below") {
      next = now.append(list.read({ before: step.before }, PAGE));
    } else if (step.kind === "above") {
      const above = await readAbove(step, PAGE, now.total, async (place) => list.read(place, PAGE));
      next = now.prepend(above.rows, above.isTop, above.total);
    } else {
      next = RowRun.jump(step, list.read({ at: step.at }, PAGE));
    }
    top = keepView(top, height, now, next);
    now = next;
  }
  throw new Error("It never came to an end.");
}

function check(list: List, run: RowRun<EtagRow>): string | undefined {
  const from = list.etags.indexOf(run.rows[0]?.etag ?? -1);
  const isStretch = run.rows.every((row, at) => row.etag === list.etags[from + at]);
  const isEnd = run.hasBottom ? from + run.rows.length === list.etags.length && run.end === run.total : true;
  const isTop = run.hasTop ? from === 0 && run.start === 0 : true;
  return isStretch && isEnd && isTop && run.rows.length <= RUN_MAX
    ? undefined
    : `from ${from} start ${run.start} of ${run.rows.length}`;
}

test("walks down and up again without a gap or a row twice", async () => {
  const list = new List(700, new Random(SEED));
  let run = RowRun.first(list.read({ at: 0 }, PAGE));
  for (let top = 0; top <= 680; top += 20) {
    ({ run } = await settle(list, run, top, 20));
    expect(check(list, run)).toBeUndefined();
    expect(run.at(top)?.etag).toBe(list.etags[top]);
  }
  expect([run.total, run.hasBottom, run.hasTop]).toEqual([700, true, true]);
});

test("the end of the list is exact after a jump to it", async () => {
  const list = new List(5_000, new Random(SEED));
  const first = RowRun.first(list.read({ at: 0 }, PAGE));
  const { run, top } = await settle(list, first, 4_980, 20);
  expect(run.at(4_999)?.etag).toBe(list.etags[4_999]);
  expect(top).toBe(4_980);
});

test("an empty list and one page", () => {
  const empty = RowRun.first(new List(0, new Random(1)).read({ at: 0 }, PAGE));
  expect([empty.total, empty.hasBottom, empty.plan({ first: 0, end: 0, offset: 0 }, PAGE)]).toEqual([
    0,
    true,
    undefined,
  ]);
  const one = RowRun.first(new List(7, new Random(1)).read({ at: 0 }, PAGE));
  expect([one.total, one.plan({ first: 0, end: 7, offset: 0 }, PAGE)]).toEqual([7, undefined]);
});

test("fuzz: jumps and walks end, show what was there, and never lose a row", async () => {
  for (let seed = SEED; seed < SEED + 150 * FUZZ; seed++) {
    const random = new Random(seed);
    const list = new List(1 + random.below(20_000), random);
    let run = RowRun.first(list.read({ at: 0 }, PAGE));
    let top = 0;
    for (let move = 0; move < 30; move++) {
      const most = Math.max(0, run.total - 20);
      const target =
        random.below(3) === 0 ? random.below(most + 1) : Math.min(most, Math.max(0, top + random.below(81) - 40));
      ({ run, top } = await settle(list, run, target, 20));
      const wrong = check(list, run);
      if (wrong || run.at(top) === undefined) {
        expect.fail(`STUDIO_SEED=${seed} move ${move}: ${wrong} at ${top}`);
      }
    }
  }
});
