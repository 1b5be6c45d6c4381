import { useCallback, useEffect, useRef, useState } from "react";
import { databasePath, isAborted, send } from "../../api/http";
import { runJob, WORKER_LENGTH } from "../../json/jsonWork";
import { type QueryResult, queryBody, readResult } from "./queryModel";

/** How a query is run. */
export interface RunOptions {
  /** Takes what the index has now. */
  isStaleAllowed?: boolean;
  /** Makes no index. */
  isIndexRefused?: boolean;
}

/** Runs queries, one at a time: another run, Esc and leaving the page end the one before on the server, too. */
export function useQueryRun(database: string) {
  const [result, setResult] = useState<QueryResult>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const [tookMs, setTook] = useState(0);
  const ending = useRef<AbortController>(undefined);

  const cancel = useCallback(() => ending.current?.abort(), []);
  useEffect(() => cancel, [cancel]);

  const run = useCallback(
    async (query: string, parameters: Readonly<Record<string, string>>, start: number, options: RunOptions = {}) => {
      ending.current?.abort();
      const mine = new AbortController();
      ending.current = mine;
      setRunning(true);
      setError(undefined);
      const began = performance.now();
      try {
        const answer = await send("POST", databasePath(database, "queries"), {
          query: {
            allowStale: options.isStaleAllowed ? true : undefined,
            disableAutoIndexCreation: options.isIndexRefused ? true : undefined,
          },
          body: queryBody(query, parameters, start),
          signal: mine.signal,
        });
        const isLong = answer.text.length >= WORKER_LENGTH;
        const read = { ...readResult(isLong ? await runJob("shrink", answer.text) : answer.text), raw: answer.text };
        if (ending.current !== mine) {
          return;
        }
        setTook(performance.now() - began);
        setResult(read);
      } catch (failure) {
        if (!isAborted(failure)) {
          setError(failure);
        }
      } finally {
        if (ending.current === mine) {
          setRunning(false);
        }
      }
    },
    [database],
  );
  return { result, error, isRunning, tookMs, run, cancel, dismiss: () => setError(undefined) };
}
