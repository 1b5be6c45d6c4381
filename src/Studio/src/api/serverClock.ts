// The clock of a browser may be wrong. What is told as "so long ago" is reckoned by the server's, which each answer tells.

let aheadMs = 0;
let isKnown = false;

/** Takes the time of an answer. Its header has whole seconds: half of one is the best guess. */
export function hearServerTime(date: string | null): void {
  const server = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isNaN(server)) {
    const next = server + 500 - Date.now();
    // A second more or less is the header's rounding.
    if (!isKnown || Math.abs(next - aheadMs) > 1_500) {
      aheadMs = next;
      isKnown = true;
    }
  }
}

/** The time of the server, in milliseconds since 1970. */
export function serverNowMs(): number {
  return Date.now() + aheadMs;
}

/** The time of the server as it writes times. */
export function serverNow(): string {
  return new Date(serverNowMs()).toISOString();
}
