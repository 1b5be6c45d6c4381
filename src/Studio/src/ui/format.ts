// No locale: what stands on the screen is the same everywhere.

const THIN = "\u2009";

/** A whole number, grouped by thin spaces. */
export function formatCount(count: number | null | undefined): string {
  if (count === null || count === undefined) {
    return "–";
  }
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** A short number: 1.2M. */
export function formatShort(count: number): string {
  const steps: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e4, "k"],
  ];
  for (const [size, unit] of steps) {
    if (count >= size) {
      const scaled = count / (unit === "k" ? 1e3 : size);
      return `${scaled >= 100 ? Math.floor(scaled) : Math.floor(scaled * 10) / 10}${unit}`;
    }
  }
  return formatCount(count);
}

/** A size in binary units. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) {
    return "–";
  }
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)}${THIN}${units[unit]}`;
}

/** A time of the server as 2026-11-26 08:30:12.345Z. */
export function formatTime(time: string | null | undefined): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\d*Z?$/.exec(time ?? "");
  return match ? `${match[1]} ${match[2]}${match[3] ? `.${match[3].padEnd(3, "0")}` : ""}Z` : (time ?? "–");
}

/** How long a stretch of time is. */
export function formatDuration(ms: number): string {
  if (ms < 1) {
    return `${Math.round(ms * 1000)}${THIN}µs`;
  }
  if (ms < 1000) {
    return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}${THIN}ms`;
  }
  const seconds = ms / 1000;
  if (seconds < 120) {
    return `${seconds.toFixed(1)}${THIN}s`;
  }
  return seconds < 7200 ? `${Math.round(seconds / 60)}${THIN}min` : `${Math.round(seconds / 3600)}${THIN}h`;
}

/** One or several of something, by its count. */
export function plural(count: number, one: string, several = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : several}`;
}
