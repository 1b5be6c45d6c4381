import { ServerError } from "./http.js";

// src/api/polling.ts
/** A server that restarts is asked again so often. */
const AWAY_MS = 5e3;
/** How often an answer is asked for anew. After an error only if the server may come back by itself. */
function pollMs(error, ms) {
	if (!error) return ms;
	return error instanceof ServerError && error.isPassing ? AWAY_MS : false;
}

export { pollMs };