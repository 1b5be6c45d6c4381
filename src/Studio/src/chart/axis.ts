/** What an axis of values is for: counts and sizes begin at 0, latencies are by powers of ten, others by themselves. */
export type AxisKind = "count" | "bytes" | "log" | "value";

/** The ends of an axis of counts. */
export function countRange(max: number | null): [number, number] {
  return [0, roundUp(max === null || !(max > 0) ? 1 : max)];
}

/** The ends of an axis of sizes, whose units are powers of 1,024. */
export function bytesRange(max: number | null): [number, number] {
  if (max === null || !(max > 1)) {
    return [0, 1024];
  }
  const unit = 1024 ** Math.floor(Math.log2(max) / 10);
  return [0, roundUp(max / unit) * unit];
}

/** Distances of the marks of an axis of sizes. */
export const BYTE_STEPS: readonly number[] = Array.from({ length: 6 }, (_, unit) =>
  [1, 2, 4, 5, 10, 20, 25, 50, 100, 200, 256, 512].map((step) => step * 1024 ** unit),
).flat();

/** The ends of an axis by powers of ten. */
export function logRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !(min > 0) || !(max > 0)) {
    return [0.1, 10];
  }
  const low = 10 ** Math.floor(Math.log10(min));
  const high = 10 ** Math.ceil(Math.log10(max));
  return [low, high > low ? high : low * 10];
}

/** The ends of an axis of values of any sign, with room on both sides. */
export function valueRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) {
    return [0, 1];
  }
  const room = max > min ? (max - min) * 0.08 : Math.max(Math.abs(max) * 0.1, 1e-9) || 1;
  const low = min - room;
  const high = max + room;
  // So near the end of what numbers hold there is no room.
  return Number.isFinite(low) && Number.isFinite(high) && high > low ? [low, high] : [min, max > min ? max : min + 1];
}

/** The next of 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= value * (1 - 1e-12)) ?? 10;
  return step * power;
}

const DAY_MS = 86_400_000;

/** The texts of an axis of time, in UTC; the day stands below the first one and each that begins another. */
export function timeTexts(times: readonly number[], stepMs: number): string[] {
  let day = "";
  return times.map((time) => {
    const text = new Date(time).toISOString();
    const here = text.slice(0, text.indexOf("T"));
    const isNewDay = here !== day;
    day = here;
    if (stepMs >= 300 * DAY_MS) {
      return here.slice(0, here.indexOf("-", 1));
    }
    if (stepMs >= DAY_MS) {
      return here;
    }
    const clock = text.slice(text.indexOf("T") + 1, text.length - 1);
    const shown = stepMs >= 60_000 ? clock.slice(0, 5) : stepMs >= 1_000 ? clock.slice(0, 8) : clock.slice(3);
    return isNewDay ? `${shown}\n${here}` : shown;
  });
}

/** Moves places that would overlap apart, in their order; each keeps as near as there is room. */
export function spread(places: readonly number[], room: number, low: number, high: number): number[] {
  const order = places.map((place, at) => ({ place, at })).sort((a, b) => a.place - b.place);
  let last = Number.NEGATIVE_INFINITY;
  for (const one of order) {
    one.place = Math.max(one.place, low, last + room);
    last = one.place;
  }
  let next = high + room;
  for (const one of order.reverse()) {
    one.place = Math.min(one.place, next - room);
    next = one.place;
  }
  const moved = new Array<number>(places.length).fill(0);
  for (const { place, at } of order) {
    moved[at] = place;
  }
  return moved;
}
