import { describe, expect, test } from "vitest";
import {
  clampPosition,
  type GridSize,
  moveBy,
  pagesOf,
  positionFor,
  positionMax,
  positionOfScroll,
  rowOfKey,
  SPACER_MAX,
  scrollOfPosition,
  spacerHeight,
  windowAt,
} from "../src/grid/scrollMath";
import { FUZZ, Random, SEED } from "./random";

const size = (rows: number, viewport = 600, rowHeight = 28): GridSize => ({ rows, viewport, rowHeight });

describe("scrollMath", () => {
  test("few rows scroll pixel by pixel", () => {
    const grid = size(1_000);
    expect(spacerHeight(grid)).toBe(28_000);
    expect(positionOfScroll(280, grid)).toBeCloseTo(10, 9);
    expect(scrollOfPosition(10, grid)).toBeCloseTo(280, 9);
  });

  test("ten million rows: the spacer is capped, and both ends are exact", () => {
    const grid = size(10_000_000);
    expect(spacerHeight(grid)).toBe(SPACER_MAX);
    expect(positionOfScroll(0, grid)).toBe(0);
    const end = windowAt(positionOfScroll(SPACER_MAX - 600, grid), grid);
    expect(end.end).toBe(10_000_000);
    expect(positionOfScroll(SPACER_MAX - 600.4, grid)).toBe(positionMax(grid));
  });

  test("ten million rows: the wheel comes to each row, and does not jump", () => {
    const grid = size(10_000_000);
    let position = positionOfScroll(4_000_000, grid);
    for (let turn = 0; turn < 1_000; turn++) {
      const before = position;
      position = moveBy(position, 100, grid);
      expect(position - before).toBeCloseTo(100 / 28, 6);
    }
  });

  test("no rows, one row, and rows that all fit", () => {
    for (const rows of [0, 1, 21]) {
      const grid = size(rows);
      expect([positionMax(grid), scrollOfPosition(5, grid), positionOfScroll(50, grid)]).toEqual([0, 0, 0]);
      expect(windowAt(3, grid)).toEqual({ first: 0, end: rows, offset: expect.closeTo(0) });
    }
    expect(rowOfKey("End", 0, size(0))).toBe(0);
    expect(pagesOf(windowAt(0, size(0)), 100)).toEqual([]);
  });

  test("a row comes into view by the shortest way, and one in view moves nothing", () => {
    const grid = size(10_000_000);
    expect(positionFor(5_000_010, 5_000_000, grid)).toBe(5_000_000);
    expect(positionFor(4_999_999, 5_000_000, grid)).toBe(4_999_999);
    expect(positionFor(5_000_030, 5_000_000, grid)).toBeCloseTo(5_000_031 - 600 / 28, 9);
    expect(positionFor(9_999_999, 0, grid)).toBe(positionMax(grid));
    expect(positionFor(-5, 3, grid)).toBe(0);
  });

  test("a view lower than a row shows the row's top", () => {
    expect(positionFor(7, 0, size(100, 10))).toBe(7);
  });

  test("keys", () => {
    const grid = size(100);
    expect(
      ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "a", "constructor"].map((key) =>
        rowOfKey(key, 50, grid),
      ),
    ).toEqual([51, 49, 70, 30, 0, 99, undefined, undefined]);
    expect(rowOfKey("ArrowDown", 99, grid)).toBe(99);
  });

  test("pages: the one in the middle first", () => {
    expect(pagesOf({ first: 95, end: 240, offset: 0 }, 100)).toEqual([1, 0, 2]);
    expect(pagesOf({ first: 100, end: 200, offset: 0 }, 100)).toEqual([1]);
  });

  test("fuzz: the scrollbar and the position agree, and the window covers what is seen", () => {
    for (let seed = SEED; seed < SEED + 20_000 * FUZZ; seed++) {
      const random = new Random(seed);
      const grid = size(
        random.below(random.of([2, 50, 1_000, 1_000_000, 10_000_001])),
        1 + random.below(2_000),
        20 + random.below(30),
      );
      const position = clampPosition(random.next() * grid.rows, grid);
      const window = windowAt(position, grid, random.below(6));
      const back = positionOfScroll(scrollOfPosition(position, grid), grid);
      const pixel = (positionMax(grid) / Math.max(1, spacerHeight(grid) - grid.viewport)) * 0.51;
      const shown = (window.end - window.first) * grid.rowHeight + window.offset;
      const holds =
        Math.abs(back - position) <= pixel + 1e-6 &&
        window.first >= 0 &&
        window.end <= grid.rows &&
        window.offset <= 1e-6 &&
        (window.end === grid.rows || shown >= grid.viewport - 1e-6) &&
        window.end - window.first <= Math.ceil(grid.viewport / grid.rowHeight) + 12;
      if (!holds) {
        expect.fail(`STUDIO_SEED=${seed}: ${JSON.stringify({ grid, position, window, back })}`);
      }
    }
  });

  test("fuzz: any walk by keys keeps the row in view", () => {
    for (let seed = SEED; seed < SEED + 200 * FUZZ; seed++) {
      const random = new Random(seed);
      const grid = size(1 + random.below(10_000_000), 100 + random.below(900));
      let row = 0;
      let position = 0;
      for (let step = 0; step < 100; step++) {
        row = rowOfKey(random.of(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]), row, grid) ?? row;
        position = positionFor(row, position, grid);
        const top = (row - position) * grid.rowHeight;
        if (top < -1e-3 || (top + grid.rowHeight > grid.viewport + 1e-3 && grid.viewport >= grid.rowHeight)) {
          expect.fail(`STUDIO_SEED=${seed} step ${step}: row ${row} at ${top}`);
        }
      }
    }
  });
});
