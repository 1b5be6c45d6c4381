import { databasePath, isAborted, send } from "../../api/http.js";
import { WORKER_LENGTH, runJob } from "../../json/jsonWork.js";
import { queryBody, readResult } from "./queryModel.js";
import { useCallback, useEffect, useRef, useState } from "../../vendor/react.js";

// src/pages/query/useQueryRun.ts
/** Runs queries, one at a time: another run, Esc and leaving the page end the one before on the server, too. */
function useQueryRun(database) {
	const [result, setResult] = useState();
	const [error, setError] = useState();
	const [isRunning, setRunning] = useState(false);
	const [tookMs, setTook] = useState(0);
	const ending = useRef(void 0);
	const cancel = useCallback(() => ending.current?.abort(), []);
	useEffect(() => cancel, [cancel]);
	return {
		result,
		error,
		isRunning,
		tookMs,
		run: useCallback(async (query, parameters, start, options = {}) => {
			ending.current?.abort();
			const mine = new AbortController();
			ending.current = mine;
			setRunning(true);
			setError(void 0);
			const began = performance.now();
			try {
				const answer = await send("POST", databasePath(database, "queries"), {
					query: {
						allowStale: options.isStaleAllowed ? true : void 0,
						disableAutoIndexCreation: options.isIndexRefused ? true : void 0
					},
					body: queryBody(query, parameters, start),
					signal: mine.signal
				});
				const isLong = answer.text.length >= WORKER_LENGTH;
				const read = {
					...readResult(isLong ? await runJob("shrink", answer.text) : answer.text),
					raw: answer.text
				};
				if (ending.current !== mine) return;
				setTook(performance.now() - began);
				setResult(read);
			} catch (failure) {
				if (!isAborted(failure)) setError(failure);
			} finally {
				if (ending.current === mine) setRunning(false);
			}
		}, [database]),
		cancel,
		dismiss: () => setError(void 0)
	};
}

export { useQueryRun };