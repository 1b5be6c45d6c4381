import { JsonError } from "./jsonError";
import { JSON_JOBS, type JsonJob, type MergeText } from "./jsonJobs";
import type { MergeChoice } from "./jsonMerge";
import type { WorkerAnswer } from "./jsonWorker";
import { turn } from "./turn";

// Long documents are read, laid out, checked, compared and merged in a worker, so that the page answers meanwhile.

/** Texts of this length and more, together, are a matter of the worker. */
export const WORKER_LENGTH = 1_000_000;
/** A text goes to the worker in pieces of this length: each is copied while the page waits. */
const PIECE = 2_000_000;
/** A worker that had nothing to do for so long goes, with what it holds. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Values<J extends JsonJob> = Parameters<(typeof JSON_JOBS)[J]>;
type Result<J extends JsonJob> = ReturnType<(typeof JSON_JOBS)[J]>;

let worker: Worker | undefined;
let lastId = 0;
let openMerges = 0;
let idle: ReturnType<typeof setTimeout> | undefined;
const waiting = new Map<number, Waiting>();

/**
 * Does something to documents, where it does not hold the page up.
 * @throws JsonError A text is no JSON.
 */
export async function runJob<J extends JsonJob>(job: J, ...values: Values<J>): Promise<Result<J>> {
  return isLong(values) ? inWorker(job, values) : onPage(job, values);
}

/** A merge that waits for choices. */
export interface OpenMerge extends MergeText {
  /** The merged text; a conflict without a choice takes mine. */
  resolve(choices: readonly (MergeChoice | undefined)[]): Promise<string>;
  /** Lets go of what it holds. */
  close(): void;
}

/** Merges three texts; where it was done it is gone on with. */
export async function openMerge(base: string, theirs: string, mine: string): Promise<OpenMerge> {
  const isFar = isLong([base, theirs, mine]);
  const key = ++lastId;
  const run = <J extends JsonJob>(job: J, ...values: Values<J>) =>
    isFar ? inWorker(job, values) : Promise.resolve(onPage(job, values));
  openMerges++;
  let isOpen = true;
  const close = () => {
    if (isOpen) {
      isOpen = false;
      openMerges--;
      run("endMerge", key).catch(() => undefined);
    }
  };
  try {
    const merge = await run("merge", key, base, theirs, mine);
    return { ...merge, resolve: (choices) => run("resolve", key, choices), close };
  } catch (error) {
    close();
    throw error;
  }
}

function isLong(values: readonly unknown[]): boolean {
  const length = values.reduce((sum: number, value) => sum + (typeof value === "string" ? value.length : 0), 0);
  return length >= WORKER_LENGTH && typeof Worker !== "undefined";
}

function onPage<J extends JsonJob>(job: J, values: Values<J>): Result<J> {
  return (JSON_JOBS[job] as (...values: Values<J>) => Result<J>)(...values);
}

async function inWorker<J extends JsonJob>(job: J, values: Values<J>): Promise<Result<J>> {
  clearTimeout(idle);
  worker ??= startWorker();
  const id = ++lastId;
  const answer = new Promise<Result<J>>((resolve, reject) => waiting.set(id, { resolve, reject }));
  // Who waits below hears of it; until then a failure is nobody's.
  answer.catch(() => undefined);
  const short: unknown[] = [...values];
  for (const [at, value] of values.entries()) {
    if (typeof value === "string" && value.length > PIECE) {
      short[at] = undefined;
      for (let from = 0; from < value.length; from += PIECE) {
        worker?.postMessage({ id, at, piece: value.slice(from, from + PIECE) });
        await turn();
      }
    }
  }
  worker?.postMessage({ id, job, values: short });
  return answer;
}

function startWorker(): Worker {
  const made = new Worker(new URL("./jsonWorker.ts", import.meta.url), { type: "module" });
  made.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
    const { id, value, error } = data;
    const one = waiting.get(id);
    waiting.delete(id);
    if (error?.place) {
      one?.reject(new JsonError("", error.place.offset, error.place.reason, error.place));
    } else if (error) {
      one?.reject(new Error(error.message));
    } else {
      one?.resolve(value as never);
    }
    if (waiting.size === 0) {
      idle = setTimeout(letGo, IDLE_MS);
    }
  };
  // Its file is gone when the server was replaced under an open page; or it had no memory left.
  made.onerror = (event) => {
    const error = new Error(
      `Long documents cannot be read on this page any more (${event.message || "its file is not there"}): load it again.`,
    );
    for (const one of waiting.values()) {
      one.reject(error);
    }
    waiting.clear();
    made.terminate();
    worker = undefined;
  };
  return made;
}

function letGo(): void {
  if (waiting.size === 0 && openMerges === 0) {
    worker?.terminate();
    worker = undefined;
  }
}
