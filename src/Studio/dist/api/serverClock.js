// src/api/serverClock.ts
let aheadMs = 0;
let isKnown = false;
/** Takes the time of an answer. Its header has whole seconds: half of one is the best guess. */
function hearServerTime(date) {
	const server = date === null ? NaN : Date.parse(date);
	if (!Number.isNaN(server)) {
		const next = server + 500 - Date.now();
		if (!isKnown || Math.abs(next - aheadMs) > 1500) {
			aheadMs = next;
			isKnown = true;
		}
	}
}
/** The time of the server, in milliseconds since 1970. */
function serverNowMs() {
	return Date.now() + aheadMs;
}
/** The time of the server as it writes times. */
function serverNow() {
	return new Date(serverNowMs()).toISOString();
}

export { hearServerTime, serverNow, serverNowMs };