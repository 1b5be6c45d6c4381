/** Something with a size. */
export interface Sized {
  readonly key: string;
  readonly size: number;
}

/** A place in the picture. */
export interface Place {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Lays sizes out as rectangles that fill a picture, the largest first, each as near to a square as it can be (Bruls,
 * Huizing and van Wijk: Squarified Treemaps). What has no size gets no place.
 */
export function treemap(items: readonly Sized[], width: number, height: number): readonly Place[] {
  const sorted = items.filter((one) => one.size > 0).sort((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1));
  const total = sorted.reduce((sum, one) => sum + one.size, 0);
  if (total <= 0 || width <= 0 || height <= 0) {
    return [];
  }
  const scale = (width * height) / total;
  const places: Place[] = [];
  let free = { x: 0, y: 0, width, height };
  let at = 0;
  while (at < sorted.length) {
    const side = Math.min(free.width, free.height);
    let count = 1;
    let area = (sorted[at]?.size ?? 0) * scale;
    let worst = worstRatio(sorted, at, count, area, side, scale);
    while (at + count < sorted.length) {
      const more = area + (sorted[at + count]?.size ?? 0) * scale;
      const next = worstRatio(sorted, at, count + 1, more, side, scale);
      if (next > worst) {
        break;
      }
      worst = next;
      area = more;
      count++;
    }
    free = addRow(places, sorted.slice(at, at + count), area, free, scale);
    at += count;
  }
  return places;
}

/** How far from a square the worst rectangle of a row is: the row is sorted, so it is its first or its last. */
function worstRatio(
  items: readonly Sized[],
  at: number,
  count: number,
  area: number,
  side: number,
  scale: number,
): number {
  const largest = (items[at]?.size ?? 0) * scale;
  const smallest = (items[at + count - 1]?.size ?? 0) * scale;
  const square = side * side;
  return Math.max((square * largest) / (area * area), (area * area) / (square * smallest));
}

interface Free {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Puts a row at the shorter side of what is free; gives what is free behind it. */
function addRow(places: Place[], row: readonly Sized[], area: number, free: Free, scale: number): Free {
  const isTall = free.width >= free.height;
  const side = isTall ? free.height : free.width;
  const thickness = area / side;
  let along = 0;
  for (const one of row) {
    const length = (one.size * scale) / thickness;
    places.push(
      isTall
        ? { key: one.key, x: free.x, y: free.y + along, width: thickness, height: length }
        : { key: one.key, x: free.x + along, y: free.y, width: length, height: thickness },
    );
    along += length;
  }
  return isTall
    ? { ...free, x: free.x + thickness, width: Math.max(0, free.width - thickness) }
    : { ...free, y: free.y + thickness, height: Math.max(0, free.height - thickness) };
}
