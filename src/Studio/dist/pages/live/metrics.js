// src/pages/live/metrics.ts
/** Reads the text of /metrics, as far as the page shows it. */
function readMetrics(text, at) {
	const plain = /* @__PURE__ */ new Map();
	const requests = {};
	const buckets = [];
	const changes = /* @__PURE__ */ new Map();
	const commits = /* @__PURE__ */ new Map();
	for (const line of text.split("\n")) {
		const end = line.lastIndexOf(" ");
		if (end <= 0 || line.startsWith("#")) continue;
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
			buckets.push({
				upTo: upTo === "+Inf" ? Number.POSITIVE_INFINITY : Number(upTo),
				count: value
			});
		} else if (name === "raven_database_changes_total") changes.set(labels, value);
		else if (name === "raven_merger_commits_total") commits.set(labels, value);
	}
	const of = (name) => plain.get(name) ?? 0;
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
		managed: of("raven_managed_heap_bytes")
	};
}
/** What was done between two samples; undefined if the server was started anew between them. */
function loadBetween(before, now) {
	const seconds = now.uptimeSec - before.uptimeSec;
	if (!(seconds > 0)) return;
	const rate = (status) => ((now.requests[status] ?? 0) - (before.requests[status] ?? 0)) / seconds;
	const grown = now.buckets.map(({ upTo, count }, at) => ({
		upTo,
		count: count - (before.buckets[at]?.count ?? 0)
	}));
	return {
		at: now.at,
		ok: rate("ok"),
		refused: rate("4xx"),
		failed: rate("5xx"),
		p50Ms: toMs(quantile(grown, .5)),
		p99Ms: toMs(quantile(grown, .99)),
		changes: growth(before.changes, now.changes) / seconds,
		commits: growth(before.commits, now.commits) / seconds,
		cores: (now.cpuSec - before.cpuSec) / seconds,
		workingSet: now.workingSet,
		anonymous: now.anonymous,
		managed: now.managed
	};
}
/** A moment of which nothing is known: lines end before it and begin behind it. */
function gapAt(at) {
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
		managed: none
	};
}
/** A database that was opened in between begins with its own sum, and one that was closed has none: neither is a change. */
function growth(before, now) {
	let sum = 0;
	for (const [name, value] of now) {
		const old = before.get(name);
		sum += old === void 0 ? 0 : Math.max(0, value - old);
	}
	return sum;
}
/**
* The time that a share of requests did not exceed, in seconds, between the bounds of its bucket; null without requests.
* @param buckets How many took at most so long: each counts those below it, too.
*/
function quantile(buckets, share) {
	const all = buckets.at(-1)?.count ?? 0;
	if (!(all > 0)) return null;
	const wanted = all * share;
	let below = 0;
	let from = 0;
	for (const { upTo, count } of buckets) {
		if (count >= wanted && count > below) return Number.isFinite(upTo) ? from + (upTo - from) * (wanted - below) / (count - below) : from;
		below = count;
		from = upTo;
	}
	return from;
}
function toMs(seconds) {
	return seconds === null ? null : seconds * 1e3;
}

export { gapAt, loadBetween, quantile, readMetrics };