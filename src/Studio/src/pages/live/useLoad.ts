import { useEffect, useRef, useState } from "react";
import { isAborted, ServerError, send } from "../../api/http";
import { gapAt, type LoadPoint, type LoadSample, loadBetween, readMetrics } from "./metrics";

const EVERY_MS = 1_000;
/** How many points are kept: 15 minutes. */
export const KEPT_MAX = 900;

/** What the page knows of the load. */
export interface Load {
  /** The oldest first; another array after each second. */
  readonly points: readonly LoadPoint[];
  readonly running: number | undefined;
  /** Why nothing came at last; asking goes on unless the server refuses. */
  readonly error: unknown;
  /** Asks again after a refusal. */
  readonly retry: () => void;
}

/** The load of the server, second by second: while the page is hidden or paused nothing is asked, which is a gap. */
export function useLoad(isPaused: boolean): Load {
  const [points, setPoints] = useState<readonly LoadPoint[]>([]);
  const [running, setRunning] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [turn, setTurn] = useState(0);
  const last = useRef<LoadSample>(undefined);

  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const add = (point: LoadPoint) => setPoints((now) => [...now.slice(1 - KEPT_MAX), point]);
    /** Nothing is known from here on until the next sample but one. */
    const interrupt = () => {
      if (last.current) {
        add(gapAt(last.current.at + 1));
        last.current = undefined;
      }
    };
    const ask = async () => {
      const { text } = await send("GET", "/metrics", { signal: ending.signal, isRepeated: true });
      const now = readMetrics(text, Date.now());
      const point = last.current && loadBetween(last.current, now);
      if (last.current && !point) {
        interrupt();
      }
      last.current = now;
      setRunning(now.running);
      setError(undefined);
      if (point) {
        add(point);
      }
    };
    const next = () => {
      const startedAt = performance.now();
      ask()
        .then(() => true)
        .catch((failure: unknown) => {
          if (isAborted(failure)) {
            return false;
          }
          interrupt();
          setError(failure);
          return failure instanceof ServerError && (failure.status === 0 || failure.status >= 500);
        })
        .then((isGoingOn) => {
          if (isGoingOn && !ending.signal.aborted && !document.hidden) {
            timer = setTimeout(next, Math.max(0, EVERY_MS - (performance.now() - startedAt)));
          }
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
      if (!document.hidden) {
        next();
      }
    }
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      clearTimeout(timer);
      ending.abort();
      interrupt();
    };
  }, [isPaused, turn]);
  return { points, running, error, retry: () => setTurn((now) => now + 1) };
}
