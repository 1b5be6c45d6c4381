import { JsonError } from "./jsonError";
import { JSON_JOBS, type JsonJob } from "./jsonJobs";

/** What the page asks of the worker. */
export interface WorkerRequest {
  readonly id: number;
  readonly job: JsonJob;
  /** Undefined where the text came before, in pieces. */
  readonly values: readonly unknown[];
}

/** A piece of a long text that a request is going to have. */
export interface WorkerPiece {
  readonly id: number;
  /** Which of the values it is of. */
  readonly at: number;
  readonly piece: string;
}

/** What it says; an error of JSON with its place. */
export interface WorkerAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly message: string; readonly place?: JsonPlace };
}

/** What makes a {@link JsonError} on the other side. */
export interface JsonPlace {
  readonly reason: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

const pieces = new Map<number, string[][]>();

self.onmessage = ({ data }: MessageEvent<WorkerRequest | WorkerPiece>) => {
  if ("piece" in data) {
    const texts = pieces.get(data.id) ?? [];
    pieces.set(data.id, texts);
    texts[data.at] = [...(texts[data.at] ?? []), data.piece];
    return;
  }
  const texts = pieces.get(data.id) ?? [];
  pieces.delete(data.id);
  const values = data.values.map((value, at) => texts[at]?.join("") ?? value);
  const answer = (rest: Omit<WorkerAnswer, "id">) => self.postMessage({ id: data.id, ...rest });
  try {
    answer({ value: (JSON_JOBS[data.job] as (...values: readonly unknown[]) => unknown)(...values) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof JsonError) {
      const { reason, offset, line, column } = error;
      answer({ error: { message, place: { reason, offset, line, column } } });
    } else {
      answer({ error: { message } });
    }
  }
};
