/** A request that the page has made. */
export interface LoggedRequest {
  readonly id: number;
  readonly method: string;
  readonly url: string;
  /** The body, if it was a text and not long. */
  readonly body: string | undefined;
  readonly startedAt: number;
  /** Undefined while it runs; 0 if there was no answer. */
  status: number | undefined;
  durationMs: number;
  /** The length of the answer. */
  length: number;
}

/** How many requests are kept. */
const KEPT_MAX = 200;
const BODY_MAX = 10_000;

let entries: readonly LoggedRequest[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** The requests, the newest first. */
export function loggedRequests(): readonly LoggedRequest[] {
  return entries;
}

/** Calls a function whenever the log changes; gives what ends that. */
export function watchRequests(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Notes a request; gives what is to be called at its end.
 * @param isRepeated Whether a page asks it again and again: it takes the place of the one before.
 */
export function logRequest(
  method: string,
  url: string,
  body: string | undefined,
  isRepeated = false,
): (status: number, length: number) => void {
  const startedAt = performance.now();
  const entry: LoggedRequest = {
    id: ++lastId,
    method,
    url,
    body: body === undefined || body.length <= BODY_MAX ? body : `${body.slice(0, BODY_MAX)}…`,
    startedAt,
    status: undefined,
    durationMs: 0,
    length: 0,
  };
  const before = isRepeated ? entries.filter((one) => one.url !== url || one.method !== method) : entries;
  change([entry, ...before.slice(0, KEPT_MAX - 1)]);
  return (status, length) => {
    const ended = { ...entry, status, length, durationMs: performance.now() - startedAt };
    change(entries.map((one) => (one.id === entry.id ? ended : one)));
  };
}

function change(next: readonly LoggedRequest[]): void {
  entries = next;
  for (const listener of listeners) {
    listener();
  }
}
