// src/ui/format.ts
const THIN = " ";
/** A whole number, grouped by thin spaces. */
function formatCount(count) {
	if (count === null || count === void 0) return "–";
	return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, THIN);
}
/** A size in binary units. */
function formatBytes(bytes) {
	if (bytes === null || bytes === void 0) return "–";
	const units = [
		"B",
		"KiB",
		"MiB",
		"GiB",
		"TiB"
	];
	let size = bytes;
	let unit = 0;
	while (size >= 1024 && unit < units.length - 1) {
		size /= 1024;
		unit++;
	}
	return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)}${THIN}${units[unit]}`;
}
/** A time of the server as 2026-11-26 08:30:12.345Z. */
function formatTime(time) {
	const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\d*Z?$/.exec(time ?? "");
	return match ? `${match[1]} ${match[2]}${match[3] ? `.${match[3].padEnd(3, "0")}` : ""}Z` : time ?? "–";
}
/** How long a stretch of time is. */
function formatDuration(ms) {
	if (ms < 1) return `${Math.round(ms * 1e3)}${THIN}µs`;
	if (ms < 1e3) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}${THIN}ms`;
	const seconds = ms / 1e3;
	if (seconds < 120) return `${seconds.toFixed(1)}${THIN}s`;
	return seconds < 7200 ? `${Math.round(seconds / 60)}${THIN}min` : `${Math.round(seconds / 3600)}${THIN}h`;
}
/** One or several of something, by its count. */
function plural(count, one, several = `${one}s`) {
	return `${formatCount(count)} ${count === 1 ? one : several}`;
}

export { formatBytes, formatCount, formatDuration, formatTime, plural };