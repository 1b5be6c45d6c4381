import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import uPlot from "uplot";
import { Icon } from "../ui/icon";
import type { AxisKind } from "./axis";
import { chartData, chartOptions } from "./plotOptions";

/** One line of a chart, or two that bound an area with a line in it. */
export interface ChartSeries {
  readonly title: string;
  /** One of the six colors. */
  readonly color: number;
  readonly values: readonly (number | null)[];
  readonly isDashed?: boolean;
  readonly band?: { readonly low: readonly (number | null)[]; readonly high: readonly (number | null)[] };
}

/** What a chart shows. */
export interface ChartContent {
  /** In milliseconds since 1970, rising; a null among the values is a gap. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly axis: AxisKind;
  /** Stands at the axis. */
  readonly unit: string;
  /** The ends of the axis of time, if not those of the times. */
  readonly span?: readonly [number, number];
}

interface ChartProps extends ChartContent {
  name: string;
  format: (value: number) => string;
  height?: number;
  /** A stretch of time was drawn over with the mouse. */
  onRange?: (from: number, to: number) => void;
}

/** A chart. What it shows stands in a table beside it, for those who do not see it. */
export function Chart({ name, format, height = 180, onRange, ...content }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const theme = useSyncExternalStore(watchTheme, readTheme);
  const [pointed, setPointed] = useState<number | null>(null);
  const current = useRef({ content, format, onRange });
  current.current = { content, format, onRange };
  const shape = JSON.stringify([
    theme,
    height,
    content.axis,
    content.unit,
    content.series.map((one) => [one.title, one.color, one.isDashed, one.band !== undefined]),
    onRange !== undefined,
  ]);

  // Another shape makes another plot; what changes by the second only goes into the one that is there.
  useEffect(() => {
    const holder = place.current;
    if (!holder) {
      return undefined;
    }
    const size = () => ({ width: Math.max(160, holder.clientWidth), height });
    const made = new uPlot(
      {
        ...chartOptions(() => current.current, getComputedStyle(holder), setPointed),
        ...size(),
      },
      chartData(current.current.content),
      holder,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize(size()));
    observer.observe(holder);
    return () => {
      observer.disconnect();
      plot.current = null;
      made.destroy();
    };
  }, [shape]);
  const { times, series, span } = content;
  const [from, to] = span ?? [];
  useEffect(() => {
    plot.current?.setData(chartData(current.current.content));
  }, [times, series, from, to]);

  const at = pointed !== null && pointed < content.times.length ? pointed : undefined;
  return (
    <figure className="chart">
      <figcaption className="chart-legend">
        {content.series.map((one) => {
          const value = at === undefined ? lastOf(one.values) : one.values[at];
          return (
            <span key={one.title} className={`chart-key tone-${one.color}`}>
              <span className={one.isDashed ? "chart-line dashed" : "chart-line"} aria-hidden="true" />
              <span>{one.title}</span>
              <strong>{value === null || value === undefined ? "–" : format(value)}</strong>
            </span>
          );
        })}
        {at !== undefined && (
          <span className="muted nowrap">
            <Icon name="clock" size={12} /> {momentText(content.times[at] ?? 0)}
          </span>
        )}
      </figcaption>
      <div ref={place} className="chart-place" role="img" aria-label={`${name}: ${summary(content, format)}`} />
    </figure>
  );
}

/** What the chart says, in words. */
function summary({ series, unit }: ChartContent, format: (value: number) => string): string {
  const parts = series.map((one) => {
    const known = one.values.filter((value) => value !== null);
    const last = lastOf(one.values);
    return known.length === 0 || last === null
      ? `${one.title} has no values`
      : `${one.title} from ${format(least(known))} to ${format(most(known))}, at last ${format(last)}`;
  });
  return `${parts.join("; ")} (${unit})`;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}

function lastOf(values: readonly (number | null)[]): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** A moment in UTC. */
export function momentText(time: number): string {
  return new Date(time).toISOString().replace("T", " ");
}

function watchTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

function readTheme(): string {
  return document.documentElement.dataset.theme ?? "";
}
