import uPlot from "uplot";
import { BYTE_STEPS, bytesRange, countRange, logRange, spread, timeTexts, valueRange } from "./axis";
import type { ChartContent } from "./chart";

type Options = Omit<uPlot.Options, "width" | "height">;

interface Current {
  readonly content: ChartContent;
  readonly format: (value: number) => string;
  readonly onRange: ((from: number, to: number) => void) | undefined;
}

/** Up to so many values a line shows its points. */
const POINTS_MAX = 60;
/** A stretch that is drawn over has at least so many pixels. */
const DRAG_MIN = 6;

/** The data as uPlot takes it; an area is two lines more. */
export function chartData({ times, series }: ChartContent): uPlot.AlignedData {
  const lines = series.flatMap((one) => (one.band ? [one.band.high, one.band.low, one.values] : [one.values]));
  return [times, ...lines] as unknown as uPlot.AlignedData;
}

/** How a chart is drawn, by the rules of the Studio's axes. */
export function chartOptions(
  current: () => Current,
  style: CSSStyleDeclaration,
  onPointed: (at: number | null) => void,
): Options {
  const color = (name: string) => style.getPropertyValue(name).trim();
  const { content, onRange } = current();
  const font = `12px ${color("--sans")}`;
  const common = {
    font,
    stroke: color("--text-2"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { stroke: color("--line"), width: 1, size: 4 },
  };
  const lines = linesOf(content, color);
  return {
    ms: 1,
    // All times are shown in UTC, and so are the places of their marks.
    tzDate: (time) => uPlot.tzDate(new Date(time), "Etc/UTC"),
    legend: { show: false },
    padding: [10, 64, 0, 0],
    cursor: {
      y: false,
      points: { size: 7 },
      drag: { x: onRange !== undefined, y: false, setScale: false, dist: DRAG_MIN },
    },
    scales: {
      x: {
        time: true,
        range: (_, min, max) => {
          const [from, to] = current().content.span ?? [min, max];
          return to > from ? [from, to] : [from - 1_000, from + 1_000];
        },
      },
      y: {
        distr: content.axis === "log" ? 3 : 1,
        range: (_, min, max) => rangeOf(content, min, max),
      },
    },
    axes: [
      { ...common, space: 70, values: (_u, splits, _axis, _space, step) => timeTexts(splits, step), size: 42 },
      {
        ...common,
        size: 66,
        label: content.unit,
        labelFont: font,
        labelSize: 18,
        labelGap: 0,
        values: (_u, splits) => splits.map((one) => (one === null ? "" : current().format(one))),
        ...(content.axis === "log"
          ? {
              filter: powersOf,
              grid: { ...common.grid, filter: powersOf },
              ticks: { ...common.ticks, filter: powersOf },
            }
          : {}),
        ...(content.axis === "bytes" ? { incrs: [...BYTE_STEPS] } : {}),
      },
    ],
    series: [{}, ...lines.series],
    bands: lines.bands,
    hooks: {
      setCursor: [(plot) => onPointed(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width >= DRAG_MIN) {
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            current().onRange?.(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
          }
        },
      ],
      draw: [(plot) => drawLast(plot, current(), color, font)],
    },
  };
}

function rangeOf(content: ChartContent, min: number | null, max: number | null): [number, number] {
  switch (content.axis) {
    case "count":
      return countRange(max);
    case "bytes":
      return bytesRange(max);
    case "log":
      return logRange(min, max);
    default:
      return valueRange(min, max);
  }
}

/** By powers of ten there is a mark a power, and none between. */
function powersOf(_: uPlot, splits: number[]): number[] {
  const isPower = (value: number) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
  return splits.map((one) => (isPower(one) ? one : null)) as number[];
}

function linesOf({ series }: ChartContent, color: (name: string) => string) {
  const lines: uPlot.Series[] = [];
  const bands: uPlot.Band[] = [];
  for (const one of series) {
    const stroke = color(`--chart-${one.color}`);
    if (one.band) {
      bands.push({ series: [lines.length + 1, lines.length + 2], fill: `${stroke}33` });
      const edge: uPlot.Series = { stroke: `${stroke}66`, width: 1, points: { show: false } };
      lines.push(edge, { ...edge });
    }
    lines.push({
      label: one.title,
      stroke,
      width: 2,
      ...(one.isDashed ? { dash: [6, 4] } : {}),
      points: { show: false, size: 5, fill: stroke, filter: pointsOf },
    });
  }
  return { series: lines, bands };
}

/** Which values are drawn as points: all of a few, and those that stand alone, which no line shows. */
function pointsOf(plot: uPlot, line: number): number[] | null {
  const values = plot.data[line] ?? [];
  const [first, last] = plot.series[0]?.idxs ?? [0, values.length - 1];
  const isFew = last - first <= POINTS_MAX;
  const shown: number[] = [];
  for (let at = first; at <= last; at++) {
    const isAlone = (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null;
    if ((values[at] ?? null) !== null && (isFew || isAlone)) {
      shown.push(at);
    }
  }
  return shown;
}

/** The last value of each line carries its number. */
function drawLast(plot: uPlot, { content, format }: Current, color: (name: string) => string, font: string): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  const lasts = content.series.flatMap((one) => {
    const at = one.values.findLastIndex((value) => value !== null);
    const value = one.values[at] ?? null;
    const time = content.times[at];
    return value === null || time === undefined ? [] : [{ one, value, time }];
  });
  const tops = lasts.map(({ value }) => plot.valToPos(value, "y", true));
  const places = spread(tops, 14 * ratio, bbox.top + 6 * ratio, bbox.top + bbox.height - 6 * ratio);
  ctx.save();
  ctx.font = font.replace("12px", `600 ${12 * ratio}px`);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const [at, { one, value }] of lasts.entries()) {
    ctx.fillStyle = color(`--chart-${one.color}`);
    ctx.fillText(format(value), bbox.left + bbox.width + 6 * ratio, places[at] ?? 0);
  }
  ctx.restore();
}
