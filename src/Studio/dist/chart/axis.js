// src/chart/axis.ts
/** The ends of an axis of counts. */
function countRange(max) {
	return [0, roundUp(max === null || !(max > 0) ? 1 : max)];
}
/** The ends of an axis of sizes, whose units are powers of 1,024. */
function bytesRange(max) {
	if (max === null || !(max > 1)) return [0, 1024];
	const unit = 1024 ** Math.floor(Math.log2(max) / 10);
	return [0, roundUp(max / unit) * unit];
}
/** Distances of the marks of an axis of sizes. */
const BYTE_STEPS = Array.from({ length: 6 }, (_, unit) => [
	1,
	2,
	4,
	5,
	10,
	20,
	25,
	50,
	100,
	200,
	256,
	512
].map((step) => step * 1024 ** unit)).flat();
/** The ends of an axis by powers of ten. */
function logRange(min, max) {
	if (min === null || max === null || !(min > 0) || !(max > 0)) return [.1, 10];
	const low = 10 ** Math.floor(Math.log10(min));
	const high = 10 ** Math.ceil(Math.log10(max));
	return [low, high > low ? high : low * 10];
}
/** The ends of an axis of values of any sign, with room on both sides. */
function valueRange(min, max) {
	if (min === null || max === null) return [0, 1];
	const room = max > min ? (max - min) * .08 : Math.max(Math.abs(max) * .1, 1e-9) || 1;
	const low = min - room;
	const high = max + room;
	return Number.isFinite(low) && Number.isFinite(high) && high > low ? [low, high] : [min, max > min ? max : min + 1];
}
/** The next of 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten. */
function roundUp(value) {
	const power = 10 ** Math.floor(Math.log10(value));
	return ([
		1,
		1.5,
		2,
		3,
		4,
		5,
		6,
		8,
		10
	].find((one) => one * power >= value * (1 - 1e-12)) ?? 10) * power;
}
const DAY_MS = 864e5;
/** The texts of an axis of time, in UTC; the day stands below the first one and each that begins another. */
function timeTexts(times, stepMs) {
	let day = "";
	return times.map((time) => {
		const text = new Date(time).toISOString();
		const here = text.slice(0, text.indexOf("T"));
		const isNewDay = here !== day;
		day = here;
		if (stepMs >= 300 * DAY_MS) return here.slice(0, here.indexOf("-", 1));
		if (stepMs >= DAY_MS) return here;
		const clock = text.slice(text.indexOf("T") + 1, text.length - 1);
		const shown = stepMs >= 6e4 ? clock.slice(0, 5) : stepMs >= 1e3 ? clock.slice(0, 8) : clock.slice(3);
		return isNewDay ? `${shown}\n${here}` : shown;
	});
}
/** Moves places that would overlap apart, in their order; each keeps as near as there is room. */
function spread(places, room, low, high) {
	const order = places.map((place, at) => ({
		place,
		at
	})).sort((a, b) => a.place - b.place);
	let last = Number.NEGATIVE_INFINITY;
	for (const one of order) {
		one.place = Math.max(one.place, low, last + room);
		last = one.place;
	}
	let next = high + room;
	for (const one of order.reverse()) {
		one.place = Math.min(one.place, next - room);
		next = one.place;
	}
	const moved = new Array(places.length).fill(0);
	for (const { place, at } of order) moved[at] = place;
	return moved;
}

export { BYTE_STEPS, bytesRange, countRange, logRange, roundUp, spread, timeTexts, valueRange };