import { ServerError, isAborted, send } from "../../api/http.js";
import { gapAt, loadBetween, readMetrics } from "./metrics.js";
import { useEffect, useRef, useState } from "../../vendor/react.js";

// src/pages/live/useLoad.ts
const EVERY_MS = 1e3;
/** The load of the server, second by second: while the page is hidden or paused nothing is asked, which is a gap. */
function useLoad(isPaused) {
	const [points, setPoints] = useState([]);
	const [running, setRunning] = useState();
	const [error, setError] = useState();
	const [turn, setTurn] = useState(0);
	const last = useRef(void 0);
	useEffect(() => {
		const ending = new AbortController();
		let timer;
		const add = (point) => setPoints((now) => [...now.slice(-899), point]);
		/** Nothing is known from here on until the next sample but one. */
		const interrupt = () => {
			if (last.current) {
				add(gapAt(last.current.at + 1));
				last.current = void 0;
			}
		};
		const ask = async () => {
			const { text } = await send("GET", "/metrics", {
				signal: ending.signal,
				isRepeated: true
			});
			const now = readMetrics(text, Date.now());
			const point = last.current && loadBetween(last.current, now);
			if (last.current && !point) interrupt();
			last.current = now;
			setRunning(now.running);
			setError(void 0);
			if (point) add(point);
		};
		const next = () => {
			const startedAt = performance.now();
			ask().then(() => true).catch((failure) => {
				if (isAborted(failure)) return false;
				interrupt();
				setError(failure);
				return failure instanceof ServerError && (failure.status === 0 || failure.status >= 500);
			}).then((isGoingOn) => {
				if (isGoingOn && !ending.signal.aborted && !document.hidden) timer = setTimeout(next, Math.max(0, EVERY_MS - (performance.now() - startedAt)));
			});
		};
		const onVisibility = () => {
			clearTimeout(timer);
			if (!document.hidden) {
				interrupt();
				next();
			}
		};
		if (!isPaused) {
			document.addEventListener("visibilitychange", onVisibility);
			if (!document.hidden) next();
		}
		return () => {
			document.removeEventListener("visibilitychange", onVisibility);
			clearTimeout(timer);
			ending.abort();
			interrupt();
		};
	}, [isPaused, turn]);
	return {
		points,
		running,
		error,
		retry: () => setTurn((now) => now + 1)
	};
}

export { useLoad };