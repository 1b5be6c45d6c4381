import type { SeriesEntry, SeriesFrame, TimeRange } from "../../api/timeSeries";
import type { ChartSeries } from "../../chart/chart";

/** What a name says of a series. */
export interface SeriesKind {
  /** The series that a roll-up is made of, or itself. */
  readonly raw: string;
  readonly policy: string | undefined;
  readonly isIncremental: boolean;
}

/** A roll-up has so many values for each. */
const ROLLED = ["first", "last", "min", "max", "sum", "count"];
/** A chart shows at most so many. */
export const LINES_MAX = 6;
/** Up to so many entries are drawn one by one; more are drawn by frames. */
export const ENTRIES_MAX = 1_000;
/** How many frames a chart has at most. */
const FRAMES_MAX = 400;
/** A range is not narrowed further. */
const RANGE_MIN_MS = 10;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Frames that the clock and the calendar have. */
const FRAMES: readonly { readonly ms: number; readonly text: string }[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((n) => ({ ms: n, text: `${n} ms` })),
  ...[1, 2, 5, 10, 15, 30].map((n) => ({ ms: n * SECOND, text: `${n} s` })),
  ...[1, 2, 5, 10, 15, 30].map((n) => ({ ms: n * MINUTE, text: `${n} min` })),
  ...[1, 2, 3, 6, 12].map((n) => ({ ms: n * HOUR, text: `${n} h` })),
  ...[1, 2].map((n) => ({ ms: n * DAY, text: `${n} d` })),
  ...[1, 2].map((n) => ({ ms: 7 * n * DAY, text: `${n} w` })),
  ...[1, 3, 6].map((n) => ({ ms: 30 * n * DAY, text: `${n} mo` })),
  ...[1, 2, 5, 10, 50, 100].map((n) => ({ ms: 365 * n * DAY, text: `${n} y` })),
];

/** Reads the name of a series. */
export function kindOf(name: string): SeriesKind {
  const at = name.lastIndexOf("@");
  return {
    raw: at < 0 ? name : name.slice(0, at),
    policy: at < 0 ? undefined : name.slice(at + 1),
    isIncremental: at < 0 && /^inc:/i.test(name),
  };
}

/** The frames that a range is drawn by. */
export function frameOf({ from, to }: TimeRange): { readonly ms: number; readonly text: string } {
  const wanted = (to - from) / FRAMES_MAX;
  return FRAMES.find((one) => one.ms >= wanted) ?? { ms: 36_500 * DAY, text: "100 y" };
}

/** Part of a range around a place in it (0 to 1), so many times as long, within the whole. */
export function zoom(range: TimeRange, whole: TimeRange, factor: number, place = 0.5): TimeRange {
  const length = range.to - range.from;
  const next = Math.max(RANGE_MIN_MS, length * factor);
  const from = range.from + (length - next) * place;
  return within({ from, to: from + next }, whole);
}

/** A range moved by a share of its length, within the whole. */
export function pan(range: TimeRange, whole: TimeRange, share: number): TimeRange {
  const step = (range.to - range.from) * share;
  return within({ from: range.from + step, to: range.to + step }, whole);
}

/** A range moved, and if that is not enough cut, so that it lies in the whole; its ends are whole milliseconds. */
export function within({ from, to }: TimeRange, whole: TimeRange): TimeRange {
  const length = Math.min(to - from, whole.to - whole.from);
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: Math.floor(start), to: Math.ceil(start + length) };
}

/** Whether nothing of the whole is left out. */
export function isWhole(range: TimeRange, whole: TimeRange): boolean {
  return range.from <= whole.from && range.to >= whole.to;
}

/** Reads a time as a person writes it, in UTC; undefined if it is none. */
export function readTime(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:\.\d{1,7})?))?)?\s*Z?$/i.exec(text.trim());
  if (!match) {
    return undefined;
  }
  const [, day, clock = "00:00", seconds = "00"] = match;
  const [whole = "00", part = ""] = seconds.split(".");
  const read = Date.parse(`${day}T${clock}:${whole}.${part.padEnd(3, "0").slice(0, 3)}Z`);
  // 31 February is no day, though some browsers take it for one of March.
  return Number.isNaN(read) || !new Date(read).toISOString().startsWith(day ?? "") ? undefined : read;
}

/** A time as it is written and read again. */
export function timeText(at: number): string {
  return new Date(at).toISOString().replace("T", " ").replace(".000Z", "Z");
}

/** Reads the values of an entry, with blanks, commas or semicolons between them; undefined if they are none. */
export function readValues(text: string): number[] | undefined {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  const values = parts.map((part) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part) ? Number(part) : Number.NaN));
  return values.length >= 1 && values.length <= 32 && values.every(Number.isFinite) ? values : undefined;
}

/** How many values the entries of a series stand for, and what they are called. */
export function valueTitles(kind: SeriesKind, width: number, names: readonly string[]): string[] {
  const count = kind.policy === undefined ? width : Math.ceil(width / ROLLED.length);
  return Array.from({ length: count }, (_, at) => names[at] ?? (count === 1 ? "Value" : `Value ${at}`));
}

/** The columns of a table of entries. */
export function columnTitles(kind: SeriesKind, width: number, names: readonly string[]): string[] {
  const titles = valueTitles(kind, width, names);
  return kind.policy === undefined ? titles : titles.flatMap((title) => ROLLED.map((one) => `${title} ${one}`));
}

/** What a chart draws: its times and lines. */
export interface SeriesChart {
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
}

/** Entries one by one; those of a roll-up as the frames that they are. */
export function entryChart(
  kind: SeriesKind,
  entries: readonly SeriesEntry[],
  titles: readonly string[],
  shown: readonly number[],
): SeriesChart {
  if (kind.policy !== undefined) {
    return frameChart(rolledFrames(entries, titles.length), titles, shown);
  }
  const series = shown.map((value, line) => ({
    ...lineOf(titles, value, line),
    values: entries.map((one) => one.values[value] ?? null),
  }));
  return { times: entries.map((one) => one.at), series };
}

/** The frames that the entries of a roll-up are. How long they are is not in them: most follow one another. */
function rolledFrames(entries: readonly SeriesEntry[], count: number): SeriesFrame[] {
  const steps = entries.slice(1).map((one, at) => one.at - (entries[at]?.at ?? 0));
  steps.sort((a, b) => a - b);
  // Months and years are not all of one length.
  const length = (steps[steps.length >> 1] ?? 0) * 1.2;
  const values = Array.from({ length: count }, (_, value) => value * ROLLED.length);
  return entries.map((one) => ({
    from: one.at,
    to: one.at + length,
    min: values.map((first) => one.values[first + 2] ?? Number.NaN),
    max: values.map((first) => one.values[first + 3] ?? Number.NaN),
    average: values.map((first) => (one.values[first + 4] ?? Number.NaN) / (one.values[first + 5] ?? Number.NaN)),
  }));
}

/** Frames as what lies between the least and the greatest, with the average; where frames are missing is a gap. */
export function frameChart(
  frames: readonly SeriesFrame[],
  titles: readonly string[],
  shown: readonly number[],
): SeriesChart {
  const withGaps: (SeriesFrame | undefined)[] = [];
  const times: number[] = [];
  let end: number | undefined;
  for (const frame of frames) {
    if (end !== undefined && frame.from > end) {
      withGaps.push(undefined);
      times.push(end);
    }
    withGaps.push(frame);
    times.push(frame.from);
    end = frame.to;
  }
  const column = (part: "min" | "max" | "average", value: number) =>
    withGaps.map((frame) => {
      const known = frame?.[part][value];
      return known === undefined || Number.isNaN(known) ? null : known;
    });
  return {
    times,
    series: shown.map((value, line) => ({
      ...lineOf(titles, value, line),
      values: column("average", value),
      band: { low: column("min", value), high: column("max", value) },
    })),
  };
}

function lineOf(titles: readonly string[], value: number, line: number) {
  return { title: titles[value] ?? "", color: line + 1, isDashed: line % 2 === 1 };
}

/** Which values are shown, of the text of a URL; the first ones without it. */
export function shownValues(text: string | undefined, count: number): number[] {
  const read = (text ?? "")
    .split(",")
    .filter((part) => /^\d+$/.test(part))
    .map(Number)
    .filter((at) => at < count);
  const some = read.length > 0 ? [...new Set(read)] : Array.from({ length: count }, (_, at) => at);
  return some.slice(0, LINES_MAX);
}

/** A value as JavaScript writes it: with all the digits that tell it apart, and no more. */
export function numberText(value: number): string {
  return String(value);
}

/** A value at an axis, where there is little room. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4)) {
    return value.toExponential(1).replace("e+", "e");
  }
  return String(Number(value.toPrecision(6)));
}
