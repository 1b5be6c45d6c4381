import type { AxisKind } from "../../chart/axis";
import { formatBytes, formatCount, formatDuration } from "../../ui/format";
import type { LoadPoint } from "./metrics";

/** One chart of the page. */
export interface LoadChart {
  readonly title: string;
  readonly unit: string;
  readonly axis: AxisKind;
  readonly lines: readonly { readonly title: string; readonly field: Exclude<keyof LoadPoint, "at"> }[];
  readonly format: (value: number) => string;
}

/** A rate: small ones have a digit behind the point. */
export function formatRate(value: number): string {
  return value >= 10 || Number.isInteger(value) ? formatCount(value) : value.toFixed(1);
}

/** How many processors are busy: of a few there are digits behind the point. */
export function formatCores(value: number): string {
  return value >= 10 ? String(Math.round(value)) : String(Number(value.toFixed(value < 1 ? 3 : 2)));
}

/** A value of a table, or a dash in a gap. */
export function pointText(value: number | null, format: (value: number) => string): string {
  return value === null ? "–" : format(value);
}

export const CHARTS: readonly LoadChart[] = [
  {
    title: "Requests",
    unit: "a second",
    axis: "count",
    lines: [
      { title: "answered", field: "ok" },
      { title: "refused (4xx)", field: "refused" },
      { title: "failed (5xx)", field: "failed" },
    ],
    format: formatRate,
  },
  {
    title: "Latency",
    unit: "time of a request",
    axis: "log",
    lines: [
      { title: "p50", field: "p50Ms" },
      { title: "p99", field: "p99Ms" },
    ],
    format: formatDuration,
  },
  {
    title: "Writes",
    unit: "a second",
    axis: "count",
    lines: [
      { title: "changes", field: "changes" },
      { title: "commits", field: "commits" },
    ],
    format: formatRate,
  },
  {
    title: "Memory",
    unit: "bytes",
    axis: "bytes",
    lines: [
      { title: "resident", field: "workingSet" },
      { title: "in no file", field: "anonymous" },
      { title: "managed", field: "managed" },
    ],
    format: formatBytes,
  },
  {
    title: "Processor",
    unit: "cores",
    axis: "count",
    lines: [{ title: "busy", field: "cores" }],
    format: formatCores,
  },
];
