// src/json/lineDiff.ts
/** Lines around a change. */
const CONTEXT = 3;
/** So many lines of one text that are not in the other are looked for; more make one large change. */
const STEPS_MAX = 1500;
/** A longer line is cut where it is shown. */
const LINE_MAX = 2e3;
/** Compares two texts by their lines. */
function diffLines(before, after, linesMax = 5e3) {
	const left = before.split("\n");
	const right = after.split("\n");
	const changes = changesOf(left, right);
	const hunks = [];
	let shown = 0;
	let cutLines = 0;
	for (let at = 0; at < changes.length;) {
		let end = at + 1;
		while (end < changes.length && gapBetween(changes[end - 1], changes[end]) <= 6) end++;
		const hunk = hunkOf(left, right, changes.slice(at, end));
		const room = Math.max(0, linesMax - shown);
		if (room > 0) hunks.push({
			...hunk,
			lines: hunk.lines.slice(0, room)
		});
		shown += hunk.lines.length;
		cutLines += Math.max(0, hunk.lines.length - room);
		at = end;
	}
	return {
		hunks,
		cutLines
	};
}
function gapBetween(one, next) {
	return one && next ? next.before - (one.before + one.removed) : Number.POSITIVE_INFINITY;
}
function hunkOf(left, right, changes) {
	const first = changes[0];
	const last = changes[changes.length - 1];
	const lead = Math.min(CONTEXT, first.before);
	const lines = [];
	const put = (mark, list, from, to) => {
		for (let at = from; at < Math.min(to, list.length); at++) {
			const line = list[at] ?? "";
			lines.push(mark + (line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}…` : line));
		}
	};
	let at = first.before - lead;
	for (const change of changes) {
		put(" ", left, at, change.before);
		put("-", left, change.before, change.before + change.removed);
		put("+", right, change.after, change.after + change.added);
		at = change.before + change.removed;
	}
	put(" ", left, at, last.before + last.removed + CONTEXT);
	return {
		before: first.before - lead + 1,
		after: first.after - lead + 1,
		lines
	};
}
/** The changes in their order; what is alike at both ends is left out first. */
function changesOf(left, right) {
	let start = 0;
	const shorter = Math.min(left.length, right.length);
	while (start < shorter && left[start] === right[start]) start++;
	let tail = 0;
	while (tail < shorter - start && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
	const a = left.slice(start, left.length - tail);
	const b = right.slice(start, right.length - tail);
	if (a.length === 0 && b.length === 0) return [];
	return ((a.length === 0 || b.length === 0 ? void 0 : shortest(a, b)) ?? [{
		before: 0,
		after: 0,
		removed: a.length,
		added: b.length
	}]).map((one) => ({
		...one,
		before: one.before + start,
		after: one.after + start
	}));
}
/** Myers' greedy search; undefined if it takes too many steps. */
function shortest(a, b) {
	const stepsMax = Math.min(STEPS_MAX, a.length + b.length);
	const middle = stepsMax + 1;
	const reach = new Int32Array(2 * middle + 1);
	const history = [];
	for (let steps = 0; steps <= stepsMax; steps++) {
		history.push(reach.slice(middle - steps - 1, middle + steps + 2));
		for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
			const below = reach[middle + diagonal - 1] ?? 0;
			const above = reach[middle + diagonal + 1] ?? 0;
			let x = diagonal === -steps || diagonal !== steps && below < above ? above : below + 1;
			while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
			reach[middle + diagonal] = x;
			if (x >= a.length && x - diagonal >= b.length) return walkBack(history, a.length, b.length);
		}
	}
}
function walkBack(history, aLength, bLength) {
	const single = [];
	let x = aLength;
	let y = bLength;
	for (let steps = history.length - 1; steps > 0; steps--) {
		const reach = history[steps];
		const diagonal = x - y;
		const at = steps + 1 + diagonal;
		const below = reach[at - 1] ?? 0;
		const above = reach[at + 1] ?? 0;
		const isAdded = diagonal === -steps || diagonal !== steps && below < above;
		const before = isAdded ? diagonal + 1 : diagonal - 1;
		x = isAdded ? above : below;
		y = x - before;
		single.push({
			x,
			y,
			isRemoved: !isAdded
		});
	}
	const changes = [];
	for (const one of single.reverse()) {
		const last = changes[changes.length - 1];
		if (last && last.before + last.removed === one.x && last.after + last.added === one.y) changes[changes.length - 1] = {
			...last,
			removed: last.removed + (one.isRemoved ? 1 : 0),
			added: last.added + (one.isRemoved ? 0 : 1)
		};
		else changes.push({
			before: one.x,
			after: one.y,
			removed: one.isRemoved ? 1 : 0,
			added: one.isRemoved ? 0 : 1
		});
	}
	return changes;
}

export { diffLines };