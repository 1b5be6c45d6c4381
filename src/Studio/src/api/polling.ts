import { ServerError } from "./http";

/** A server that restarts is asked again so often. */
const AWAY_MS = 5_000;

/** How often an answer is asked for anew. After an error only if the server may come back by itself. */
export function pollMs(error: unknown, ms: number): number | false {
  if (!error) {
    return ms;
  }
  return error instanceof ServerError && error.isPassing ? AWAY_MS : false;
}
