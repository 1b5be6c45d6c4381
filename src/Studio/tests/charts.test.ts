import { describe, expect, test } from "vitest";
import type { SeriesEntry } from "../src/api/timeSeries";
import { bytesRange, countRange, logRange, roundUp, spread, timeTexts, valueRange } from "../src/chart/axis";
import { formatCores, formatRate } from "../src/pages/live/loadCharts";
import { gapAt, loadBetween, quantile, readMetrics } from "../src/pages/live/metrics";
import {
  columnTitles,
  entryChart,
  frameChart,
  frameOf,
  isWhole,
  kindOf,
  LINES_MAX,
  pan,
  readTime,
  readValues,
  shortNumber,
  shownValues,
  timeText,
  valueTitles,
  within,
  zoom,
} from "../src/pages/timeSeries/seriesModel";
import { FUZZ, Random, SEED } from "./random";

describe("axes", () => {
  test("counts begin at 0, sizes end at their own units, latencies are by powers of ten", () => {
    expect([countRange(null), countRange(0), countRange(4_210)]).toEqual([
      [0, 1],
      [0, 1],
      [0, 5_000],
    ]);
    expect([bytesRange(null), bytesRange(121 * 1024 ** 2)]).toEqual([
      [0, 1024],
      [0, 150 * 1024 ** 2],
    ]);
    expect([logRange(0.4, 3.1), logRange(1, 1), logRange(null, null), logRange(0, 0)]).toEqual([
      [0.1, 10],
      [1, 10],
      [0.1, 10],
      [0.1, 10],
    ]);
    expect([1, 1.01, 2.5, 7, 9.9, 0.031, 8e9].map(roundUp)).toEqual([1, 1.5, 3, 8, 10, expect.closeTo(0.04), 8e9]);
  });

  test("fuzz: all values lie within their axis", () => {
    const random = new Random(SEED);
    for (let turn = 0; turn < 20_000 * FUZZ; turn++) {
      const max = (random.below(1e9) + 1) * 10 ** (random.below(40) - 30);
      const min = max / (1 + random.below(1_000));
      expect(countRange(max)[1], String(max)).toBeGreaterThanOrEqual(max);
      expect(bytesRange(max)[1]).toBeGreaterThanOrEqual(max);
      const [low, high] = logRange(min, max);
      expect(low <= min * 1.000001 && high >= max * 0.999999 && high > low, `${min} ${max}`).toBe(true);
      const [from, to] = valueRange(-max, min);
      expect(from < -max && to > min).toBe(true);
    }
    for (const [min, max] of [
      [-Number.MAX_VALUE, Number.MAX_VALUE],
      [5, 5],
      [0, 0],
      [5e-324, 5e-324],
    ] as const) {
      const [from, to] = valueRange(min, max);
      expect(from <= min && to >= max && to > from, `${min} ${max}: ${from} ${to}`).toBe(true);
    }
  });

  test("times are in UTC, and the day stands where it begins", () => {
    const start = Date.UTC(2026, 0, 1, 23, 59, 0);
    expect(timeTexts([start, start + 60_000, start + 120_000], 60_000)).toEqual([
      "23:59\n2026-01-01",
      "00:00\n2026-01-02",
      "00:01",
    ]);
    expect(timeTexts([start, start + 500], 500)).toEqual(["59:00.000\n2026-01-01", "59:00.500"]);
    expect(timeTexts([start], 86_400_000)).toEqual(["2026-01-01"]);
    expect(timeTexts([start], 366 * 86_400_000)).toEqual(["2026"]);
    expect(timeTexts([Date.UTC(-1, 0, 1), Date.UTC(12_000, 0, 1)], 366 * 86_400_000)).toEqual(["-000001", "+012000"]);
  });

  test("numbers beside their lines keep apart, and in their order", () => {
    expect(spread([100, 100, 20], 14, 0, 200)).toEqual([100, 114, 20]);
    expect(spread([199, 198], 14, 0, 200)).toEqual([200, 186]);
    expect(spread([], 14, 0, 200)).toEqual([]);
    const random = new Random(SEED + 1);
    for (let turn = 0; turn < 2_000 * FUZZ; turn++) {
      const places = Array.from({ length: 1 + random.below(6) }, () => random.below(200));
      const moved = spread(places, 14, 0, 200).sort((a, b) => a - b);
      expect(moved.every((place, at) => place <= 200 && place >= (moved[at - 1] ?? -14) + 14 - 1e-9)).toBe(true);
    }
  });
});

const METRICS = `# HELP raven_requests_active Requests that are running.
raven_requests_active 3
raven_requests_total{method="GET",route="/a",status="ok"} 10
raven_requests_total{method="PUT",route="/b",status="ok"} 5
raven_requests_total{method="",route="none",status="4xx"} 2
raven_request_duration_seconds_bucket{le="0.001"} 10
raven_request_duration_seconds_bucket{le="0.002"} 16
raven_request_duration_seconds_bucket{le="+Inf"} 17
raven_request_duration_seconds_count 17
raven_uptime_seconds 100.5
raven_managed_heap_bytes 1000
raven_working_set_bytes 3000
raven_anonymous_bytes 2000
raven_process_cpu_seconds_total 4.25
raven_database_changes_total{database="a b"} 100
raven_database_changes_total{database="gone"} 50
raven_merger_commits_total{database="a b"} 7
`;

describe("load", () => {
  const before = readMetrics(METRICS, 1_000);

  test("the metrics are read as far as they are shown", () => {
    expect(before).toMatchObject({
      at: 1_000,
      uptimeSec: 100.5,
      requests: { ok: 15, "4xx": 2 },
      running: 3,
      cpuSec: 4.25,
      workingSet: 3000,
      anonymous: 2000,
      managed: 1000,
    });
    expect(before.buckets.map((one) => one.upTo)).toEqual([0.001, 0.002, Number.POSITIVE_INFINITY]);
    expect([...before.changes.values()]).toEqual([100, 50]);
  });

  test("what was done is between two answers, by the clock of the server", () => {
    const text = METRICS.replace('status="ok"} 10', 'status="ok"} 30')
      .replace("uptime_seconds 100.5", "uptime_seconds 102.5")
      .replace('le="0.001"} 10', 'le="0.001"} 20')
      .replace('le="0.002"} 16', 'le="0.002"} 36')
      .replace('le="+Inf"} 17', 'le="+Inf"} 37')
      .replace("cpu_seconds_total 4.25", "cpu_seconds_total 5.25")
      .replace('changes_total{database="a b"} 100', 'changes_total{database="a b"} 300')
      .replace('changes_total{database="gone"} 50', 'changes_total{database="new"} 1000000');
    expect(loadBetween(before, readMetrics(text, 9_000))).toMatchObject({
      at: 9_000,
      ok: 10,
      refused: 0,
      failed: 0,
      // A database that was opened meanwhile begins with its own sum: that is no change.
      changes: 100,
      commits: 0,
      cores: 0.5,
      p50Ms: 1,
      p99Ms: expect.closeTo(1.98),
    });
  });

  test("a server that was started anew, or answers twice at once, gives a gap", () => {
    expect(loadBetween(before, readMetrics(METRICS.replace("100.5", "0.5"), 2_000))).toBeUndefined();
    expect(loadBetween(before, before)).toBeUndefined();
    expect(Object.entries(gapAt(5)).every(([name, value]) => (name === "at" ? value === 5 : value === null))).toBe(
      true,
    );
  });

  test("shares lie within their bucket; without requests there is none", () => {
    const buckets = (...counts: number[]) =>
      counts.map((count, at) => ({ upTo: at === counts.length - 1 ? Number.POSITIVE_INFINITY : 2 ** at, count }));
    expect(quantile(buckets(0, 0, 0), 0.5)).toBeNull();
    expect(quantile([], 0.5)).toBeNull();
    expect(quantile(buckets(0, 10, 10), 0.5)).toBe(1.5);
    expect(quantile(buckets(100, 100, 100), 0.99)).toBeCloseTo(0.99);
    // Beyond the last bound nothing is known but the bound.
    expect(quantile(buckets(0, 0, 5), 0.5)).toBe(2);
  });

  test("numbers are short and not rounded to nothing", () => {
    expect([0, 0.04, 1, 3.25, 4210.7].map(formatRate).map((text) => text.replace("\u2009", " "))).toEqual([
      "0",
      "0.0",
      "1",
      "3.3",
      "4 211",
    ]);
    expect([0, 0.0041, 1.234, 23.4].map(formatCores)).toEqual(["0", "0.004", "1.23", "23"]);
  });
});

describe("time series", () => {
  const entry = (at: number, ...values: number[]): SeriesEntry => ({ at, tag: null, values });

  test("a name says what a series is", () => {
    expect(kindOf("Rate")).toEqual({ raw: "Rate", policy: undefined, isIncremental: false });
    expect(kindOf("Rate@ByHour")).toEqual({ raw: "Rate", policy: "ByHour", isIncremental: false });
    expect(kindOf("inc:Steps")).toMatchObject({ isIncremental: true });
    expect(kindOf("INC:Steps@ByHour")).toMatchObject({ raw: "INC:Steps", policy: "ByHour", isIncremental: false });
  });

  test("times are read as a person writes them, and back", () => {
    const time = Date.UTC(2026, 0, 31, 10, 5, 0);
    const written = ["2026-01-31 10:05", "2026-01-31T10:05Z", " 2026-01-31 10:05:00.000Z ", timeText(time)];
    expect(written.map(readTime)).toEqual(Array(4).fill(time));
    expect(readTime("2026-01-31T10:05:00.1234567Z")).toBe(time + 123);
    expect(readTime("2026-01-31")).toBe(Date.UTC(2026, 0, 31));
    expect(["2026-02-31", "2026-01-31 25:00", "31.1.2026", "", "2026-01-31 10:05+02:00"].map(readTime)).toEqual(
      Array(5).fill(undefined),
    );
  });

  test("values are read with anything between them, and nothing else", () => {
    expect(["71", "71, 72.5;3", " -1e3\t.5 "].map(readValues)).toEqual([[71], [71, 72.5, 3], [-1000, 0.5]]);
    expect(["", "a", "1 NaN", "Infinity", "1e999", "0x10", Array(33).fill("1").join()].map(readValues)).toEqual(
      Array(7).fill(undefined),
    );
  });

  test("fuzz: a range that is narrowed, widened and moved stays within the whole", () => {
    const random = new Random(SEED + 2);
    for (let turn = 0; turn < 5_000 * FUZZ; turn++) {
      const from = random.below(1e9);
      const whole = { from, to: from + 20 + random.below(1e9) };
      let range = whole;
      for (let step = 0; step < 12; step++) {
        const length = range.to - range.from;
        range =
          random.below(2) === 0
            ? zoom(range, whole, random.below(2) === 0 ? 0.5 : 2, random.below(11) / 10)
            : pan(range, whole, (random.below(5) - 2) / 4);
        const isIn = range.from >= whole.from && range.to <= whole.to && range.to > range.from;
        expect(isIn, `${JSON.stringify(whole)} ${JSON.stringify(range)} of ${length}`).toBe(true);
        expect(Number.isInteger(range.from) && Number.isInteger(range.to)).toBe(true);
      }
      expect(isWhole(zoom(range, whole, 1e12), whole)).toBe(true);
    }
    // One entry is a whole of no length.
    expect(within({ from: 5, to: 20 }, { from: 7, to: 7 })).toEqual({ from: 7, to: 7 });
  });

  test("frames are of the clock and the calendar, and never too many", () => {
    const day = 86_400_000;
    expect([400, 3_600_000, day, 365 * day].map((length) => frameOf({ from: 0, to: length }).text)).toEqual([
      "1 ms",
      "10 s",
      "5 min",
      "1 d",
    ]);
    for (let length = 1; length < 9_000 * 366 * day; length *= 1.7) {
      expect(length / frameOf({ from: 0, to: length }).ms, String(length)).toBeLessThanOrEqual(400);
    }
  });

  test("a missing frame is a gap", () => {
    const frame = (from: number, value: number) => ({
      from,
      to: from + 10,
      min: [value - 1],
      max: [value + 1],
      average: [value],
    });
    const { times, series } = frameChart([frame(0, 5), frame(10, 6), frame(40, 7)], ["A"], [0, 1]);
    expect(times).toEqual([0, 10, 20, 40]);
    expect(series[0]).toMatchObject({
      title: "A",
      values: [5, 6, null, 7],
      band: { low: [4, 5, null, 6], high: [6, 7, null, 8] },
    });
    // A value that no entry has is nowhere.
    expect(series[1]?.values).toEqual([null, null, null, null]);
  });

  test("entries may have fewer values than others; those of a roll-up are frames", () => {
    const { times, series } = entryChart(kindOf("A"), [entry(0, 1, 2), entry(9, 3)], ["A", "B"], [0, 1]);
    expect([times, series.map((one) => one.values)]).toEqual([
      [0, 9],
      [
        [1, 3],
        [2, null],
      ],
    ]);
    const rolled = (at: number, least: number) => entry(at, 1, 2, least, 9, 12, 4);
    const chart = entryChart(kindOf("A@P"), [rolled(0, 1), rolled(10, 0), rolled(20, 2), rolled(60, 1)], ["A"], [0]);
    expect(chart.times).toEqual([0, 10, 20, 32, 60]);
    expect(chart.series[0]).toMatchObject({
      values: [3, 3, 3, null, 3],
      band: { low: [1, 0, 2, null, 1], high: [9, 9, 9, null, 9] },
    });
    expect(entryChart(kindOf("A@P"), [rolled(5, 1)], ["A"], [0]).times).toEqual([5]);
    expect(entryChart(kindOf("A"), [], [], []).times).toEqual([]);
  });

  test("values are called as they are named; a roll-up has six columns for each", () => {
    expect(valueTitles(kindOf("A"), 1, [])).toEqual(["Value"]);
    expect(valueTitles(kindOf("A"), 3, ["BPM"])).toEqual(["BPM", "Value 1", "Value 2"]);
    expect(valueTitles(kindOf("A@P"), 12, ["BPM"])).toEqual(["BPM", "Value 1"]);
    expect(columnTitles(kindOf("A@P"), 6, ["BPM"])).toEqual(
      ["first", "last", "min", "max", "sum", "count"].map((one) => `BPM ${one}`),
    );
  });

  test("at most six values are drawn, and the URL says which", () => {
    expect(shownValues(undefined, 3)).toEqual([0, 1, 2]);
    expect(shownValues("2,0,2,9,x", 3)).toEqual([2, 0]);
    expect(shownValues("x", 2)).toEqual([0, 1]);
    expect(shownValues(undefined, 32).length).toBe(LINES_MAX);
  });

  test("numbers at an axis are short", () => {
    expect([0, 60.184, -1234.5678, 1e12, 3e-7, 0.5].map(shortNumber)).toEqual([
      "0",
      "60.184",
      "-1234.57",
      "1.0e12",
      "3.0e-7",
      "0.5",
    ]);
  });
});
