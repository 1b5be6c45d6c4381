// src/api/requestLog.ts
const BODY_MAX = 1e4;
let entries = [];
let lastId = 0;
const listeners = /* @__PURE__ */ new Set();
/** The requests, the newest first. */
function loggedRequests() {
	return entries;
}
/** Calls a function whenever the log changes; gives what ends that. */
function watchRequests(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
/**
* Notes a request; gives what is to be called at its end.
* @param isRepeated Whether a page asks it again and again: it takes the place of the one before.
*/
function logRequest(method, url, body, isRepeated = false) {
	const startedAt = performance.now();
	const entry = {
		id: ++lastId,
		method,
		url,
		body: body === void 0 || body.length <= BODY_MAX ? body : `${body.slice(0, BODY_MAX)}…`,
		startedAt,
		status: void 0,
		durationMs: 0,
		length: 0
	};
	change([entry, ...(isRepeated ? entries.filter((one) => one.url !== url || one.method !== method) : entries).slice(0, 199)]);
	return (status, length) => {
		const ended = {
			...entry,
			status,
			length,
			durationMs: performance.now() - startedAt
		};
		change(entries.map((one) => one.id === entry.id ? ended : one));
	};
}
function change(next) {
	entries = next;
	for (const listener of listeners) listener();
}

export { logRequest, loggedRequests, watchRequests };