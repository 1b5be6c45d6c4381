// src/pages/timeSeries/seriesModel.ts
/** A roll-up has so many values for each. */
const ROLLED = [
	"first",
	"last",
	"min",
	"max",
	"sum",
	"count"
];
/** A chart shows at most so many. */
const LINES_MAX = 6;
/** Up to so many entries are drawn one by one; more are drawn by frames. */
const ENTRIES_MAX = 1e3;
/** How many frames a chart has at most. */
const FRAMES_MAX = 400;
/** A range is not narrowed further. */
const RANGE_MIN_MS = 10;
const SECOND = 1e3;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Frames that the clock and the calendar have. */
const FRAMES = [
	...[
		1,
		2,
		5,
		10,
		20,
		50,
		100,
		200,
		500
	].map((n) => ({
		ms: n,
		text: `${n} ms`
	})),
	...[
		1,
		2,
		5,
		10,
		15,
		30
	].map((n) => ({
		ms: n * SECOND,
		text: `${n} s`
	})),
	...[
		1,
		2,
		5,
		10,
		15,
		30
	].map((n) => ({
		ms: n * MINUTE,
		text: `${n} min`
	})),
	...[
		1,
		2,
		3,
		6,
		12
	].map((n) => ({
		ms: n * HOUR,
		text: `${n} h`
	})),
	...[1, 2].map((n) => ({
		ms: n * DAY,
		text: `${n} d`
	})),
	...[1, 2].map((n) => ({
		ms: 7 * n * DAY,
		text: `${n} w`
	})),
	...[
		1,
		3,
		6
	].map((n) => ({
		ms: 30 * n * DAY,
		text: `${n} mo`
	})),
	...[
		1,
		2,
		5,
		10,
		50,
		100
	].map((n) => ({
		ms: 365 * n * DAY,
		text: `${n} y`
	}))
];
/** Reads the name of a series. */
function kindOf(name) {
	const at = name.lastIndexOf("@");
	return {
		raw: at < 0 ? name : name.slice(0, at),
		policy: at < 0 ? void 0 : name.slice(at + 1),
		isIncremental: at < 0 && /^inc:/i.test(name)
	};
}
/** The frames that a range is drawn by. */
function frameOf({ from, to }) {
	const wanted = (to - from) / FRAMES_MAX;
	return FRAMES.find((one) => one.ms >= wanted) ?? {
		ms: 36500 * DAY,
		text: "100 y"
	};
}
/** Part of a range around a place in it (0 to 1), so many times as long, within the whole. */
function zoom(range, whole, factor, place = .5) {
	const length = range.to - range.from;
	const next = Math.max(RANGE_MIN_MS, length * factor);
	const from = range.from + (length - next) * place;
	return within({
		from,
		to: from + next
	}, whole);
}
/** A range moved by a share of its length, within the whole. */
function pan(range, whole, share) {
	const step = (range.to - range.from) * share;
	return within({
		from: range.from + step,
		to: range.to + step
	}, whole);
}
/** A range moved, and if that is not enough cut, so that it lies in the whole; its ends are whole milliseconds. */
function within({ from, to }, whole) {
	const length = Math.min(to - from, whole.to - whole.from);
	const start = Math.min(Math.max(from, whole.from), whole.to - length);
	return {
		from: Math.floor(start),
		to: Math.ceil(start + length)
	};
}
/** Whether nothing of the whole is left out. */
function isWhole(range, whole) {
	return range.from <= whole.from && range.to >= whole.to;
}
/** Reads a time as a person writes it, in UTC; undefined if it is none. */
function readTime(text) {
	const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:\.\d{1,7})?))?)?\s*Z?$/i.exec(text.trim());
	if (!match) return;
	const [, day, clock = "00:00", seconds = "00"] = match;
	const [whole = "00", part = ""] = seconds.split(".");
	const read = Date.parse(`${day}T${clock}:${whole}.${part.padEnd(3, "0").slice(0, 3)}Z`);
	return Number.isNaN(read) || !new Date(read).toISOString().startsWith(day ?? "") ? void 0 : read;
}
/** A time as it is written and read again. */
function timeText(at) {
	return new Date(at).toISOString().replace("T", " ").replace(".000Z", "Z");
}
/** Reads the values of an entry, with blanks, commas or semicolons between them; undefined if they are none. */
function readValues(text) {
	const values = text.split(/[\s,;]+/).filter((part) => part !== "").map((part) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part) ? Number(part) : NaN);
	return values.length >= 1 && values.length <= 32 && values.every(Number.isFinite) ? values : void 0;
}
/** How many values the entries of a series stand for, and what they are called. */
function valueTitles(kind, width, names) {
	const count = kind.policy === void 0 ? width : Math.ceil(width / ROLLED.length);
	return Array.from({ length: count }, (_, at) => names[at] ?? (count === 1 ? "Value" : `Value ${at}`));
}
/** The columns of a table of entries. */
function columnTitles(kind, width, names) {
	const titles = valueTitles(kind, width, names);
	return kind.policy === void 0 ? titles : titles.flatMap((title) => ROLLED.map((one) => `${title} ${one}`));
}
/** Entries one by one; those of a roll-up as the frames that they are. */
function entryChart(kind, entries, titles, shown) {
	if (kind.policy !== void 0) return frameChart(rolledFrames(entries, titles.length), titles, shown);
	const series = shown.map((value, line) => ({
		...lineOf(titles, value, line),
		values: entries.map((one) => one.values[value] ?? null)
	}));
	return {
		times: entries.map((one) => one.at),
		series
	};
}
/** The frames that the entries of a roll-up are. How long they are is not in them: most follow one another. */
function rolledFrames(entries, count) {
	const steps = entries.slice(1).map((one, at) => one.at - (entries[at]?.at ?? 0));
	steps.sort((a, b) => a - b);
	const length = (steps[steps.length >> 1] ?? 0) * 1.2;
	const values = Array.from({ length: count }, (_, value) => value * ROLLED.length);
	return entries.map((one) => ({
		from: one.at,
		to: one.at + length,
		min: values.map((first) => one.values[first + 2] ?? NaN),
		max: values.map((first) => one.values[first + 3] ?? NaN),
		average: values.map((first) => (one.values[first + 4] ?? NaN) / (one.values[first + 5] ?? NaN))
	}));
}
/** Frames as what lies between the least and the greatest, with the average; where frames are missing is a gap. */
function frameChart(frames, titles, shown) {
	const withGaps = [];
	const times = [];
	let end;
	for (const frame of frames) {
		if (end !== void 0 && frame.from > end) {
			withGaps.push(void 0);
			times.push(end);
		}
		withGaps.push(frame);
		times.push(frame.from);
		end = frame.to;
	}
	const column = (part, value) => withGaps.map((frame) => {
		const known = frame?.[part][value];
		return known === void 0 || Number.isNaN(known) ? null : known;
	});
	return {
		times,
		series: shown.map((value, line) => ({
			...lineOf(titles, value, line),
			values: column("average", value),
			band: {
				low: column("min", value),
				high: column("max", value)
			}
		}))
	};
}
function lineOf(titles, value, line) {
	return {
		title: titles[value] ?? "",
		color: line + 1,
		isDashed: line % 2 === 1
	};
}
/** Which values are shown, of the text of a URL; the first ones without it. */
function shownValues(text, count) {
	const read = (text ?? "").split(",").filter((part) => /^\d+$/.test(part)).map(Number).filter((at) => at < count);
	return (read.length > 0 ? [...new Set(read)] : Array.from({ length: count }, (_, at) => at)).slice(0, 6);
}
/** A value as JavaScript writes it: with all the digits that tell it apart, and no more. */
function numberText(value) {
	return String(value);
}
/** A value at an axis, where there is little room. */
function shortNumber(value) {
	const size = Math.abs(value);
	if (size !== 0 && (size >= 1e9 || size < 1e-4)) return value.toExponential(1).replace("e+", "e");
	return String(Number(value.toPrecision(6)));
}

export { ENTRIES_MAX, columnTitles, entryChart, frameChart, frameOf, isWhole, kindOf, numberText, pan, readTime, readValues, shortNumber, shownValues, timeText, valueTitles, within, zoom };