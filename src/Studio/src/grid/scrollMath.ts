// Browsers cap the height of an element at some 17 to 33 million pixels, and a long scrollbar loses rows before that.
// So the position of a grid is kept in rows, and the scrollbar shows it as a fraction: where all rows fit into
// SPACER_MAX pixels it is the browser's own, and beyond that a pixel of it stands for several rows, while the wheel,
// the keys and a touch still move by pixels of rows.

/** The highest spacer, in pixels. */
export const SPACER_MAX = 8_000_000;

/** The sizes of a grid. */
export interface GridSize {
  /** How many rows there are. */
  readonly rows: number;
  /** The height of a row, in pixels. */
  readonly rowHeight: number;
  /** The height of what is seen, in pixels. */
  readonly viewport: number;
}

/** The rows that are drawn. */
export interface GridWindow {
  /** The first row. */
  readonly first: number;
  /** The row after the last one. */
  readonly end: number;
  /** Where the first row begins above (negative) the top of what is seen, in pixels. */
  readonly offset: number;
}

/** How many rows fit, with fractions. */
function visibleRows(size: GridSize): number {
  return size.viewport / size.rowHeight;
}

/** The highest position: the last row then ends where the view ends. */
export function positionMax(size: GridSize): number {
  return Math.max(0, size.rows - visibleRows(size));
}

/** A position within the grid; what is no number is its top. */
export function clampPosition(position: number, size: GridSize): number {
  return Number.isNaN(position) ? 0 : Math.min(Math.max(position, 0), positionMax(size));
}

/** The height of the spacer, in pixels. */
export function spacerHeight(size: GridSize): number {
  return Math.min(size.rows * size.rowHeight, SPACER_MAX);
}

/** The position, in rows, for what the browser says of its scrollbar. */
export function positionOfScroll(scrollTop: number, size: GridSize): number {
  const scrollMax = spacerHeight(size) - size.viewport;
  if (scrollMax <= 0) {
    return 0;
  }
  // The ends are exact: who drags to the end sees the last row.
  if (scrollTop >= scrollMax - 0.5) {
    return positionMax(size);
  }
  return clampPosition((scrollTop / scrollMax) * positionMax(size), size);
}

/** Where the scrollbar stands for a position. */
export function scrollOfPosition(position: number, size: GridSize): number {
  const scrollMax = spacerHeight(size) - size.viewport;
  const most = positionMax(size);
  return scrollMax <= 0 || most === 0 ? 0 : (clampPosition(position, size) / most) * scrollMax;
}

/** The position after a move by pixels of rows, as the wheel does. */
export function moveBy(position: number, pixels: number, size: GridSize): number {
  return clampPosition(position + pixels / size.rowHeight, size);
}

/** The nearest position at which a row is wholly seen. */
export function positionFor(row: number, position: number, size: GridSize): number {
  const target = Math.min(Math.max(row, 0), Math.max(0, size.rows - 1));
  const last = target + 1 - visibleRows(size);
  return clampPosition(target < position ? target : last > position ? Math.min(last, target) : position, size);
}

/** The rows to draw at a position, with some more on both sides. */
export function windowAt(position: number, size: GridSize, overscan = 4): GridWindow {
  const at = clampPosition(position, size);
  const first = Math.max(0, Math.floor(at) - overscan);
  const end = Math.min(size.rows, Math.ceil(at + visibleRows(size)) + overscan);
  return { first, end: Math.max(first, end), offset: (first - at) * size.rowHeight };
}

/** Which pages of rows a window needs, the one in the middle of it first. */
export function pagesOf(window: GridWindow, pageSize: number): number[] {
  if (window.end <= window.first) {
    return [];
  }
  const first = Math.floor(window.first / pageSize);
  const last = Math.floor((window.end - 1) / pageSize);
  const middle = Math.floor((window.first + window.end - 1) / 2 / pageSize);
  const pages: number[] = [];
  for (let page = first; page <= last; page++) {
    pages.push(page);
  }
  return pages.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b);
}

/** The row that a key moves to from a row; undefined if the key moves none. */
export function rowOfKey(key: string, row: number, size: GridSize): number | undefined {
  const page = Math.max(1, Math.floor(visibleRows(size)) - 1);
  const moves: Record<string, number> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: size.rows - 1,
  };
  const target = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return target === undefined ? undefined : Math.min(Math.max(target, 0), Math.max(0, size.rows - 1));
}
