import { logRequest } from "./requestLog";
import { hearServerTime } from "./serverClock";
import { wantSignIn } from "./signInState";

/** An answer of the server that is no success, or no answer at all (status 0). */
export class ServerError extends Error {
  readonly status: number;
  /** The server's type, such as Voron.Exceptions.VoronConcurrencyErrorException. */
  readonly type: string;
  /** All that the server said. */
  readonly body: string;
  readonly method: string;
  readonly url: string;
  /** After how many seconds the server asks to try again. */
  readonly retryAfterSec: number | undefined;

  constructor(method: string, url: string, status: number, body: string, retryAfterSec?: number) {
    const said = readError(body);
    super(said.message ?? (status === 0 ? "The server does not answer." : `The server answered ${status}.`));
    this.name = "ServerError";
    this.status = status;
    this.type = said.type ?? (status === 0 ? "NoAnswer" : `HTTP ${status}`);
    this.body = body;
    this.method = method;
    this.url = url;
    this.retryAfterSec = retryAfterSec;
  }

  /** Whether there is no such database. The server says 503, as its clients ask. */
  get isDatabaseMissing(): boolean {
    return this.type.includes("DatabaseDoesNotExist");
  }

  /** Whether no node of a cluster could do it now: then nothing was done. */
  get isWithoutNode(): boolean {
    return this.status === 503 && this.type.endsWith(".NoLeaderException");
  }

  /** Whether a node was asked to do it and its answer was lost: perhaps it is done. */
  get isPerhapsDone(): boolean {
    return this.status === 500 && this.type.endsWith(".RavenTimeoutException");
  }

  /** Whether the server may answer by and by: it is away, or not ready. */
  get isPassing(): boolean {
    return this.status === 0 || (this.status === 503 && !this.isDatabaseMissing);
  }

  /** All of it as text, to be copied. */
  get report(): string {
    return [`${this.method} ${this.url}`, `${this.status} ${this.type}`, this.message, this.body]
      .filter((line) => line !== "")
      .join("\n");
  }
}

/** What a request has besides its method and path. */
export interface RequestOptions {
  /** Parameters of the URL; undefined ones are left out, lists are repeated. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  /** A JSON text as it is to be sent, a blob, or a value to be written as JSON. */
  body?: string | Blob | object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whether the body is a secret, which the log of requests does not keep. */
  isSecret?: boolean;
  /** Whether a page asks this again and again: the log keeps the last one only. */
  isRepeated?: boolean;
}

/** A success of the server. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** The path of a database. */
export function databasePath(database: string, path: string): string {
  return `/databases/${encodeURIComponent(database)}/${path}`;
}

/** The URL of a request. */
export function urlOf(path: string, query: RequestOptions["query"] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) {
        parameters.append(name, String(one));
      }
    }
  }
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}

/**
 * Sends a request and reads the whole answer as text: documents are never read into JavaScript's numbers.
 * @throws ServerError The answer is a 4xx or 5xx, or there is none.
 * @throws DOMException The signal ended it.
 */
export async function send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { text, response } = await exchange(method, path, options, async (response) => {
    const text = await response.text();
    return { value: text, length: text.length, text };
  });
  return { status: response.status, text, headers: response.headers };
}

/** Sends a request and reads its answer as bytes; its errors are those of {@link send}. */
export async function sendForFile(method: string, path: string, options: RequestOptions = {}): Promise<Blob> {
  const { value } = await exchange(method, path, options, async (response) => {
    const blob = await response.blob();
    return { value: blob, length: blob.size, text: response.ok ? "" : await blob.text() };
  });
  return value;
}

/** An answer as it was read; the text is what an error says. */
interface ReadAnswer<T> {
  readonly value: T;
  readonly length: number;
  readonly text: string;
}

async function exchange<T>(
  method: string,
  path: string,
  options: RequestOptions,
  read: (response: Response) => Promise<ReadAnswer<T>>,
): Promise<ReadAnswer<T> & { readonly response: Response }> {
  const url = urlOf(path, options.query);
  const { body, headers, signal } = options;
  const sent = body === undefined || typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body);
  const kept = typeof sent === "string" && !options.isSecret ? sent : undefined;
  const done = logRequest(method, url, kept, options.isRepeated);
  let response: Response;
  let answer: ReadAnswer<T>;
  try {
    response = await fetch(url, {
      method,
      credentials: "same-origin",
      ...(sent === undefined ? {} : { body: sent }),
      headers: { ...(typeof sent === "string" ? { "Content-Type": "application/json" } : {}), ...headers },
      ...(signal ? { signal } : {}),
    });
    answer = await read(response);
  } catch (error) {
    done(0, 0);
    if (signal?.aborted) {
      throw error;
    }
    for (const listener of silenceListeners) {
      listener();
    }
    throw new ServerError(method, url, 0, "");
  }
  done(response.status, answer.length);
  hearServerTime(response.headers.get("Date"));
  if (response.status === 401 && !options.isSecret) {
    wantSignIn(true);
  }
  if (!response.ok && response.status !== 304) {
    throw refusalOf(method, url, response.status, answer.text, response.headers.get("Retry-After"));
  }
  return { ...answer, response };
}

/** The error that an answer is. */
export function refusalOf(
  method: string,
  url: string,
  status: number,
  body: string,
  retryAfter: string | null,
): ServerError {
  const wait = Number(retryAfter ?? Number.NaN);
  return new ServerError(method, url, status, body, Number.isFinite(wait) ? wait : undefined);
}

/** Sends a GET and reads its answer, which has no documents, as a value. */
export async function getJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return JSON.parse((await send("GET", path, options)).text) as T;
}

const silenceListeners = new Set<() => void>();

/** Calls a function when a request gets no answer; gives what ends that. */
export function watchSilence(listener: () => void): () => void {
  silenceListeners.add(listener);
  return () => silenceListeners.delete(listener);
}

function readError(body: string): { type?: string; message?: string } {
  try {
    const said = JSON.parse(body) as { Type?: unknown; Message?: unknown };
    return {
      ...(typeof said.Type === "string" ? { type: said.Type } : {}),
      ...(typeof said.Message === "string" ? { message: said.Message } : {}),
    };
  } catch {
    return body.length > 0 && body.length < 500 && !body.startsWith("<") ? { message: body } : {};
  }
}

/** Whether an error says that its request was ended on purpose. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
