/** What the metrics of a server say at one moment. Counters are sums since its start. */
export interface LoadSample {
  /** When it was read, by this browser's clock. */
  readonly at: number;
  readonly uptimeSec: number;
  /** Requests that ended, by kind of answer. */
  readonly requests: Readonly<Record<string, number>>;
  readonly running: number;
  /** How many requests took at most so many seconds, rising. */
  readonly buckets: readonly { readonly upTo: number; readonly count: number }[];
  /** Changes of documents, and transactions, of each open database. */
  readonly changes: ReadonlyMap<string, number>;
  readonly commits: ReadonlyMap<string, number>;
  readonly cpuSec: number;
  readonly workingSet: number;
  readonly anonymous: number;
  readonly managed: number;
}

/** What a server did between two samples; null stands for what cannot be said. */
export interface LoadPoint {
  readonly at: number;
  readonly ok: number | null;
  readonly refused: number | null;
  readonly failed: number | null;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly changes: number | null;
  readonly commits: number | null;
  readonly cores: number | null;
  readonly workingSet: number | null;
  readonly anonymous: number | null;
  readonly managed: number | null;
}

/** Reads the text of /metrics, as far as the page shows it. */
export function readMetrics(text: string, at: number): LoadSample {
  const plain = new Map<string, number>();
  const requests: Record<string, number> = {};
  const buckets: { upTo: number; count: number }[] = [];
  const changes = new Map<string, number>();
  const commits = new Map<string, number>();
  for (const line of text.split("\n")) {
    const end = line.lastIndexOf(" ");
    if (end <= 0 || line.startsWith("#")) {
      continue;
    }
    const value = Number(line.slice(end + 1));
    const brace = line.indexOf("{");
    if (brace < 0) {
      plain.set(line.slice(0, end), value);
      continue;
    }
    const name = line.slice(0, brace);
    const labels = line.slice(brace, end);
    if (name === "raven_requests_total") {
      const status = /status="(\w+)"/.exec(labels)?.[1] ?? "";
      requests[status] = (requests[status] ?? 0) + value;
    } else if (name === "raven_request_duration_seconds_bucket") {
      const upTo = /le="([^"]+)"/.exec(labels)?.[1] ?? "";
      buckets.push({ upTo: upTo === "+Inf" ? Number.POSITIVE_INFINITY : Number(upTo), count: value });
    } else if (name === "raven_database_changes_total") {
      changes.set(labels, value);
    } else if (name === "raven_merger_commits_total") {
      commits.set(labels, value);
    }
  }
  const of = (name: string) => plain.get(name) ?? 0;
  return {
    at,
    uptimeSec: of("raven_uptime_seconds"),
    requests,
    running: of("raven_requests_active"),
    buckets,
    changes,
    commits,
    cpuSec: of("raven_process_cpu_seconds_total"),
    workingSet: of("raven_working_set_bytes"),
    anonymous: of("raven_anonymous_bytes"),
    managed: of("raven_managed_heap_bytes"),
  };
}

/** What was done between two samples; undefined if the server was started anew between them. */
export function loadBetween(before: LoadSample, now: LoadSample): LoadPoint | undefined {
  // By the server's own clock: that of the browser, and the way of the answers, do not count.
  const seconds = now.uptimeSec - before.uptimeSec;
  if (!(seconds > 0)) {
    return undefined;
  }
  const rate = (status: string) => ((now.requests[status] ?? 0) - (before.requests[status] ?? 0)) / seconds;
  const grown = now.buckets.map(({ upTo, count }, at) => ({ upTo, count: count - (before.buckets[at]?.count ?? 0) }));
  return {
    at: now.at,
    ok: rate("ok"),
    refused: rate("4xx"),
    failed: rate("5xx"),
    p50Ms: toMs(quantile(grown, 0.5)),
    p99Ms: toMs(quantile(grown, 0.99)),
    changes: growth(before.changes, now.changes) / seconds,
    commits: growth(before.commits, now.commits) / seconds,
    cores: (now.cpuSec - before.cpuSec) / seconds,
    workingSet: now.workingSet,
    anonymous: now.anonymous,
    managed: now.managed,
  };
}

/** A moment of which nothing is known: lines end before it and begin behind it. */
export function gapAt(at: number): LoadPoint {
  const none = null;
  return {
    at,
    ok: none,
    refused: none,
    failed: none,
    p50Ms: none,
    p99Ms: none,
    changes: none,
    commits: none,
    cores: none,
    workingSet: none,
    anonymous: none,
    managed: none,
  };
}

/** A database that was opened in between begins with its own sum, and one that was closed has none: neither is a change. */
function growth(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [name, value] of now) {
    const old = before.get(name);
    sum += old === undefined ? 0 : Math.max(0, value - old);
  }
  return sum;
}

/**
 * The time that a share of requests did not exceed, in seconds, between the bounds of its bucket; null without requests.
 * @param buckets How many took at most so long: each counts those below it, too.
 */
export function quantile(
  buckets: readonly { readonly upTo: number; readonly count: number }[],
  share: number,
): number | null {
  const all = buckets.at(-1)?.count ?? 0;
  if (!(all > 0)) {
    return null;
  }
  const wanted = all * share;
  let below = 0;
  let from = 0;
  for (const { upTo, count } of buckets) {
    if (count >= wanted && count > below) {
      return Number.isFinite(upTo) ? from + ((upTo - from) * (wanted - below)) / (count - below) : from;
    }
    below = count;
    from = upTo;
  }
  return from;
}

function toMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}
