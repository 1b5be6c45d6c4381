import type { GridWindow } from "./scrollMath";

// The documents of a collection are paged by their etags: behind one (exact), or at a fraction of them (near). The grid
// counts rows. A run is a stretch of rows without a gap, whose place among all rows is exact where it has an end of the
// list, and near elsewhere; it grows at both ends, and a jump beside it begins another one. When it comes to an end of
// the list its place is set right, and the view moves with it, so that nothing jumps under the eyes.

/** A row that has an etag. */
export interface EtagRow {
  readonly etag: number;
}

/** What is to be read next for what is seen. */
export type RunStep =
  | { readonly kind: "below"; readonly before: number }
  | { readonly kind: "above"; readonly after: number; readonly at: number }
  | { readonly kind: "jump"; readonly at: number; readonly start: number };

/** A page of the list. */
export interface RunPage<Row extends EtagRow> {
  readonly rows: readonly Row[];
  /** The total by now. */
  readonly total: number;
  /** Whether nothing comes behind it. */
  readonly isLast: boolean;
}

/** How many rows a run keeps. */
export const RUN_MAX = 3_000;

/** A stretch of rows; it never changes: each step gives another one. */
export class RowRun<Row extends EtagRow> {
  private constructor(
    readonly rows: readonly Row[],
    /** The place of the first row. */
    readonly start: number,
    readonly total: number,
    readonly hasTop: boolean,
    readonly hasBottom: boolean,
    /** By how many rows the view moves so that it shows the same rows as before. */
    readonly shift: number,
  ) {}

  /** The first page: the newest rows. */
  static first<Row extends EtagRow>(page: RunPage<Row>): RowRun<Row> {
    return new RowRun(page.rows, 0, page.isLast ? page.rows.length : page.total, true, page.isLast, 0);
  }

  /** The place after the last row. */
  get end(): number {
    return this.start + this.rows.length;
  }

  /** The row at a place, if it is known. */
  at(place: number): Row | undefined {
    return place < this.start ? undefined : this.rows[place - this.start];
  }

  /** What is to be read so that all rows of a window are known; undefined if they are. */
  plan(window: GridWindow, pageSize: number): RunStep | undefined {
    if (window.end <= window.first || (window.first >= this.start && window.end <= this.end)) {
      return undefined;
    }
    const first = this.rows[0];
    const last = this.rows[this.rows.length - 1];
    const isNear = window.first <= this.end + pageSize && window.end >= this.start - pageSize;
    if (first && last && isNear) {
      if (window.end > this.end && !this.hasBottom) {
        return { kind: "below", before: last.etag };
      }
      if (window.first < this.start && !this.hasTop) {
        return { kind: "above", after: first.etag, at: fraction(this.start - pageSize - (pageSize >> 1), this.total) };
      }
      return undefined;
    }
    const start = Math.max(0, window.first - (pageSize >> 2));
    return { kind: "jump", at: fraction(start, this.total), start };
  }

  /** With the page behind the last row. */
  append(page: RunPage<Row>): RowRun<Row> {
    const dropped = Math.max(0, this.rows.length + page.rows.length - RUN_MAX);
    const rows = [...this.rows, ...page.rows].slice(dropped);
    return RowRun.placed(rows, this.start + dropped, page.total, this.hasTop && dropped === 0, page.isLast);
  }

  /** With the rows before the first one; without any, the run has the top of the list. */
  prepend(above: readonly Row[], isTop: boolean, total: number): RowRun<Row> {
    const all = [...above, ...this.rows];
    const rows = all.slice(0, RUN_MAX);
    const start = Math.max(this.start - above.length, isTop ? 0 : 1);
    const hasBottom = this.hasBottom && rows.length === all.length;
    return RowRun.placed(rows, start, total, isTop, hasBottom, start - (this.start - above.length));
  }

  /** Another run at a place. */
  static jump<Row extends EtagRow>(step: { start: number }, page: RunPage<Row>): RowRun<Row> {
    return step.start === 0 ? RowRun.first(page) : RowRun.placed(page.rows, step.start, page.total, false, page.isLast);
  }

  private static placed<Row extends EtagRow>(
    rows: readonly Row[],
    start: number,
    total: number,
    hasTop: boolean,
    hasBottom: boolean,
    shift = 0,
  ): RowRun<Row> {
    if (hasTop) {
      const exact = hasBottom ? rows.length : Math.max(total, rows.length);
      return new RowRun(rows, 0, exact, true, hasBottom, shift - start);
    }
    if (hasBottom) {
      const place = Math.max(1, total - rows.length);
      return new RowRun(rows, place, place + rows.length, false, true, shift + place - start);
    }
    return new RowRun(rows, start, Math.max(total, start + rows.length + 1), false, false, shift);
  }
}

/** Where a view of some rows stands after a step: at the end or the top it stays there, else it shows the same rows. */
export function keepView<Row extends EtagRow>(
  top: number,
  height: number,
  before: RowRun<Row>,
  after: RowRun<Row>,
): number {
  const most = Math.max(0, after.total - height);
  return top > 0 && top + height >= before.total ? most : Math.min(Math.max(0, top + after.shift), most);
}

/** Reads a page that begins behind an etag, or at a fraction of all. */
export type ReadRows<Row extends EtagRow> = (place: { before: number } | { at: number }) => Promise<RunPage<Row>>;

/**
 * Reads the rows just above an etag: begins at a fraction that should lie above them and goes down until the etag is
 * met; if it began below the etag it begins again farther up.
 */
export async function readAbove<Row extends EtagRow>(
  step: { after: number; at: number },
  pageSize: number,
  total: number,
  read: ReadRows<Row>,
): Promise<{ rows: Row[]; isTop: boolean; total: number }> {
  let at = Math.max(0, step.at);
  let back = (2 * pageSize) / Math.max(1, total);
  for (;;) {
    const rows: Row[] = [];
    let page = await read({ at });
    for (;;) {
      rows.push(...page.rows.filter((row) => row.etag > step.after));
      const last = page.rows[page.rows.length - 1];
      if (!last || last.etag <= step.after || page.isLast) {
        break;
      }
      page = await read({ before: last.etag });
    }
    if (rows.length > 0 || at === 0) {
      const kept = rows.slice(-2 * pageSize);
      return { rows: kept, isTop: at === 0 && kept.length === rows.length, total: page.total };
    }
    at = Math.max(0, at - back);
    back *= 4;
  }
}

function fraction(place: number, total: number): number {
  return total <= 0 ? 0 : Math.min(Math.max(place / total, 0), 1);
}
