// src/grid/scrollMath.ts
/** The highest spacer, in pixels. */
const SPACER_MAX = 8e6;
/** How many rows fit, with fractions. */
function visibleRows(size) {
	return size.viewport / size.rowHeight;
}
/** The highest position: the last row then ends where the view ends. */
function positionMax(size) {
	return Math.max(0, size.rows - visibleRows(size));
}
/** A position within the grid; what is no number is its top. */
function clampPosition(position, size) {
	return Number.isNaN(position) ? 0 : Math.min(Math.max(position, 0), positionMax(size));
}
/** The height of the spacer, in pixels. */
function spacerHeight(size) {
	return Math.min(size.rows * size.rowHeight, SPACER_MAX);
}
/** The position, in rows, for what the browser says of its scrollbar. */
function positionOfScroll(scrollTop, size) {
	const scrollMax = spacerHeight(size) - size.viewport;
	if (scrollMax <= 0) return 0;
	if (scrollTop >= scrollMax - .5) return positionMax(size);
	return clampPosition(scrollTop / scrollMax * positionMax(size), size);
}
/** Where the scrollbar stands for a position. */
function scrollOfPosition(position, size) {
	const scrollMax = spacerHeight(size) - size.viewport;
	const most = positionMax(size);
	return scrollMax <= 0 || most === 0 ? 0 : clampPosition(position, size) / most * scrollMax;
}
/** The position after a move by pixels of rows, as the wheel does. */
function moveBy(position, pixels, size) {
	return clampPosition(position + pixels / size.rowHeight, size);
}
/** The nearest position at which a row is wholly seen. */
function positionFor(row, position, size) {
	const target = Math.min(Math.max(row, 0), Math.max(0, size.rows - 1));
	const last = target + 1 - visibleRows(size);
	return clampPosition(target < position ? target : last > position ? Math.min(last, target) : position, size);
}
/** The rows to draw at a position, with some more on both sides. */
function windowAt(position, size, overscan = 4) {
	const at = clampPosition(position, size);
	const first = Math.max(0, Math.floor(at) - overscan);
	const end = Math.min(size.rows, Math.ceil(at + visibleRows(size)) + overscan);
	return {
		first,
		end: Math.max(first, end),
		offset: (first - at) * size.rowHeight
	};
}
/** The row that a key moves to from a row; undefined if the key moves none. */
function rowOfKey(key, row, size) {
	const page = Math.max(1, Math.floor(visibleRows(size)) - 1);
	const moves = {
		ArrowDown: row + 1,
		ArrowUp: row - 1,
		PageDown: row + page,
		PageUp: row - page,
		Home: 0,
		End: size.rows - 1
	};
	const target = Object.hasOwn(moves, key) ? moves[key] : void 0;
	return target === void 0 ? void 0 : Math.min(Math.max(target, 0), Math.max(0, size.rows - 1));
}

export { SPACER_MAX, clampPosition, moveBy, positionFor, positionMax, positionOfScroll, rowOfKey, scrollOfPosition, spacerHeight, windowAt };