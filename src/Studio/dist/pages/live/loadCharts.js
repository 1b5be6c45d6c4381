import { formatBytes, formatCount, formatDuration } from "../../ui/format.js";

// src/pages/live/loadCharts.ts
/** A rate: small ones have a digit behind the point. */
function formatRate(value) {
	return value >= 10 || Number.isInteger(value) ? formatCount(value) : value.toFixed(1);
}
/** How many processors are busy: of a few there are digits behind the point. */
function formatCores(value) {
	return value >= 10 ? String(Math.round(value)) : String(Number(value.toFixed(value < 1 ? 3 : 2)));
}
/** A value of a table, or a dash in a gap. */
function pointText(value, format) {
	return value === null ? "–" : format(value);
}
const CHARTS = [
	{
		title: "Requests",
		unit: "a second",
		axis: "count",
		lines: [
			{
				title: "answered",
				field: "ok"
			},
			{
				title: "refused (4xx)",
				field: "refused"
			},
			{
				title: "failed (5xx)",
				field: "failed"
			}
		],
		format: formatRate
	},
	{
		title: "Latency",
		unit: "time of a request",
		axis: "log",
		lines: [{
			title: "p50",
			field: "p50Ms"
		}, {
			title: "p99",
			field: "p99Ms"
		}],
		format: formatDuration
	},
	{
		title: "Writes",
		unit: "a second",
		axis: "count",
		lines: [{
			title: "changes",
			field: "changes"
		}, {
			title: "commits",
			field: "commits"
		}],
		format: formatRate
	},
	{
		title: "Memory",
		unit: "bytes",
		axis: "bytes",
		lines: [
			{
				title: "resident",
				field: "workingSet"
			},
			{
				title: "in no file",
				field: "anonymous"
			},
			{
				title: "managed",
				field: "managed"
			}
		],
		format: formatBytes
	},
	{
		title: "Processor",
		unit: "cores",
		axis: "count",
		lines: [{
			title: "busy",
			field: "cores"
		}],
		format: formatCores
	}
];

export { CHARTS, formatCores, formatRate, pointText };