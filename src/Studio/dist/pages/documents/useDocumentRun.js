import { readPage } from "../../api/documents.js";
import { isAborted } from "../../api/http.js";
import { RowRun, keepView, readAbove } from "../../grid/rowRun.js";
import { useCallback, useEffect, useRef, useState } from "../../vendor/react.js";

// src/pages/documents/useDocumentRun.ts
/** Rows of a request. */
const PAGE_SIZE = 100;
/** A drag of the scrollbar asks for a page at most so often. */
const PAUSE_MS = 100;
/** The documents of a collection as rows, read as they are seen. */
function useDocumentRun(database, collection, fields, grid) {
	const [run, setRun] = useState();
	const [error, setError] = useState();
	const [turn, setTurn] = useState(0);
	const state = useRef({
		window: void 0,
		isBusy: false,
		run: void 0
	});
	const fieldKey = fields.join("\n");
	const read = useCallback(async (place, signal) => {
		const chosen = fieldKey === "" ? [] : fieldKey.split("\n");
		return runPage(await readPage(database, collection, place, PAGE_SIZE, chosen, signal));
	}, [
		database,
		collection,
		fieldKey
	]);
	useEffect(() => {
		const ending = new AbortController();
		const now = {
			window: void 0,
			isBusy: true,
			run: void 0
		};
		state.current = now;
		setError(void 0);
		const set = (next) => {
			now.run = next;
			setRun(next);
		};
		read(void 0, ending.signal).then((page) => {
			set(RowRun.first(page));
			grid.current?.show(0);
		}).catch((failure) => fail(failure, setError)).finally(() => {
			now.isBusy = false;
		});
		const timer = setInterval(() => {
			const step = now.run && now.window && !now.isBusy ? now.run.plan(now.window, PAGE_SIZE) : void 0;
			if (!step || !now.run) return;
			now.isBusy = true;
			const before = now.run;
			take(step, before, (place) => read(place, ending.signal)).then((next) => {
				const view = grid.current?.view();
				set(next);
				if (view) grid.current?.show(keepView(view.position, view.height, before, next));
				setError(void 0);
			}).catch((failure) => {
				now.window = void 0;
				fail(failure, setError);
			}).finally(() => {
				now.isBusy = false;
			});
		}, PAUSE_MS);
		return () => {
			clearInterval(timer);
			ending.abort();
		};
	}, [
		read,
		grid,
		turn
	]);
	return {
		run,
		error,
		want: useCallback((window) => {
			state.current.window = window;
		}, []),
		again: useCallback(() => setTurn((now) => now + 1), [])
	};
}
async function take(step, run, read) {
	switch (step.kind) {
		case "below": return run.append(await read({ before: step.before }));
		case "above": {
			const above = await readAbove(step, PAGE_SIZE, run.total, read);
			return run.prepend(above.rows, above.isTop, above.total);
		}
		default: return RowRun.jump(step, await read({ at: step.at }));
	}
}
function runPage(page) {
	return {
		rows: page.rows,
		total: page.total,
		isLast: page.nextBefore === void 0
	};
}
function fail(failure, setError) {
	if (!isAborted(failure)) setError(failure);
}

export { useDocumentRun };