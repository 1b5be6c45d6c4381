// src/grid/rowRun.ts
/** How many rows a run keeps. */
const RUN_MAX = 3e3;
/** A stretch of rows; it never changes: each step gives another one. */
var RowRun = class RowRun {
	rows;
	start;
	total;
	hasTop;
	hasBottom;
	shift;
	constructor(rows, start, total, hasTop, hasBottom, shift) {
		this.rows = rows;
		this.start = start;
		this.total = total;
		this.hasTop = hasTop;
		this.hasBottom = hasBottom;
		this.shift = shift;
	}
	/** The first page: the newest rows. */
	static first(page) {
		return new RowRun(page.rows, 0, page.isLast ? page.rows.length : page.total, true, page.isLast, 0);
	}
	/** The place after the last row. */
	get end() {
		return this.start + this.rows.length;
	}
	/** The row at a place, if it is known. */
	at(place) {
		return place < this.start ? void 0 : this.rows[place - this.start];
	}
	/** What is to be read so that all rows of a window are known; undefined if they are. */
	plan(window, pageSize) {
		if (window.end <= window.first || window.first >= this.start && window.end <= this.end) return;
		const first = this.rows[0];
		const last = this.rows[this.rows.length - 1];
		const isNear = window.first <= this.end + pageSize && window.end >= this.start - pageSize;
		if (first && last && isNear) {
			if (window.end > this.end && !this.hasBottom) return {
				kind: "below",
				before: last.etag
			};
			if (window.first < this.start && !this.hasTop) return {
				kind: "above",
				after: first.etag,
				at: fraction(this.start - pageSize - (pageSize >> 1), this.total)
			};
			return;
		}
		const start = Math.max(0, window.first - (pageSize >> 2));
		return {
			kind: "jump",
			at: fraction(start, this.total),
			start
		};
	}
	/** With the page behind the last row. */
	append(page) {
		const dropped = Math.max(0, this.rows.length + page.rows.length - RUN_MAX);
		const rows = [...this.rows, ...page.rows].slice(dropped);
		return RowRun.placed(rows, this.start + dropped, page.total, this.hasTop && dropped === 0, page.isLast);
	}
	/** With the rows before the first one; without any, the run has the top of the list. */
	prepend(above, isTop, total) {
		const all = [...above, ...this.rows];
		const rows = all.slice(0, RUN_MAX);
		const start = Math.max(this.start - above.length, isTop ? 0 : 1);
		const hasBottom = this.hasBottom && rows.length === all.length;
		return RowRun.placed(rows, start, total, isTop, hasBottom, start - (this.start - above.length));
	}
	/** Another run at a place. */
	static jump(step, page) {
		return step.start === 0 ? RowRun.first(page) : RowRun.placed(page.rows, step.start, page.total, false, page.isLast);
	}
	static placed(rows, start, total, hasTop, hasBottom, shift = 0) {
		if (hasTop) {
			const exact = hasBottom ? rows.length : Math.max(total, rows.length);
			return new RowRun(rows, 0, exact, true, hasBottom, shift - start);
		}
		if (hasBottom) {
			const place = Math.max(1, total - rows.length);
			return new RowRun(rows, place, place + rows.length, false, true, shift + place - start);
		}
		return new RowRun(rows, start, Math.max(total, start + rows.length + 1), false, false, shift);
	}
};
/** Where a view of some rows stands after a step: at the end or the top it stays there, else it shows the same rows. */
function keepView(top, height, before, after) {
	const most = Math.max(0, after.total - height);
	return top > 0 && top + height >= before.total ? most : Math.min(Math.max(0, top + after.shift), most);
}
/**
* Reads the rows just above an etag: begins at a fraction that should lie above them and goes down until the etag is
* met; if it began below the etag it begins again farther up.
*/
async function readAbove(step, pageSize, total, read) {
	let at = Math.max(0, step.at);
	let back = 2 * pageSize / Math.max(1, total);
	for (;;) {
		const rows = [];
		let page = await read({ at });
		for (;;) {
			rows.push(...page.rows.filter((row) => row.etag > step.after));
			const last = page.rows[page.rows.length - 1];
			if (!last || last.etag <= step.after || page.isLast) break;
			page = await read({ before: last.etag });
		}
		if (rows.length > 0 || at === 0) {
			const kept = rows.slice(-2 * pageSize);
			return {
				rows: kept,
				isTop: at === 0 && kept.length === rows.length,
				total: page.total
			};
		}
		at = Math.max(0, at - back);
		back *= 4;
	}
}
function fraction(place, total) {
	return total <= 0 ? 0 : Math.min(Math.max(place / total, 0), 1);
}

export { RUN_MAX, RowRun, keepView, readAbove };