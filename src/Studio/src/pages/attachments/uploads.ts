import { ServerError } from "../../api/http";

/** A file on its way. */
export interface Upload {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** How many bytes have gone. */
  readonly sent: number;
  /** `taken`: an attachment has the name already. What is stored is in the list no more. */
  readonly state: "waits" | "runs" | "taken" | "failed";
  readonly error?: unknown;
}

/** Stores one file over a version of the attachment; "" if there must be none. */
export type StoreFile = (
  name: string,
  file: Blob,
  version: string,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
) => Promise<void>;

interface Entry {
  shown: Upload;
  readonly file: Blob;
  version: string;
  ending: AbortController | undefined;
}

/** The files that go to one document, one after the other; they go on while the person looks at another page. */
export class UploadQueue {
  readonly #store: StoreFile;
  readonly #onStored: (name: string) => void;
  readonly #listeners = new Set<() => void>();
  #entries: Entry[] = [];
  #shown: readonly Upload[] = [];
  #lastKey = 0;

  constructor(store: StoreFile, onStored: (name: string) => void) {
    this.#store = store;
    this.#onStored = onStored;
  }

  /** What is on its way, or asks for something; another array after each change. */
  readonly list = (): readonly Upload[] => this.#shown;

  readonly watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether closing the page would lose something. */
  get isBusy(): boolean {
    return this.#entries.some(({ shown }) => shown.state === "waits" || shown.state === "runs");
  }

  add(files: readonly (Blob & { readonly name: string })[]): void {
    for (const file of files) {
      const shown: Upload = { key: ++this.#lastKey, name: file.name, size: file.size, sent: 0, state: "waits" };
      this.#entries.push({ shown, file, version: "", ending: undefined });
    }
    this.#changed();
    this.#next();
  }

  /** Ends one, or takes it out of the list. */
  remove(key: number): void {
    const entry = this.#find(key);
    this.#entries = this.#entries.filter((one) => one !== entry);
    entry?.ending?.abort();
    this.#changed();
    this.#next();
  }

  /** Sends one again that failed; or, if its name was taken, over what the name has. */
  again(key: number): void {
    const entry = this.#find(key);
    if (!entry || entry.ending) {
      return;
    }
    if (entry.shown.state === "taken") {
      entry.version = takenBy(entry.shown.error) ?? "";
    }
    const { error: _, ...rest } = entry.shown;
    entry.shown = { ...rest, state: "waits", sent: 0 };
    this.#changed();
    this.#next();
  }

  #find(key: number): Entry | undefined {
    return this.#entries.find((one) => one.shown.key === key);
  }

  #next(): void {
    const entry = this.#entries.find((one) => one.shown.state === "waits");
    if (entry && !this.#entries.some((one) => one.shown.state === "runs")) {
      void this.#run(entry);
    }
  }

  async #run(entry: Entry): Promise<void> {
    const ending = new AbortController();
    entry.ending = ending;
    this.#show(entry, { state: "runs" });
    try {
      await this.#store(entry.shown.name, entry.file, entry.version, ending.signal, (sent) =>
        this.#show(entry, { sent: Math.min(sent, entry.shown.size) }),
      );
      this.#entries = this.#entries.filter((one) => one !== entry);
      this.#changed();
      this.#onStored(entry.shown.name);
    } catch (error) {
      entry.ending = undefined;
      // One that was removed is in the list no more, and what comes of it is nobody's.
      this.#show(entry, { state: takenBy(error) === undefined ? "failed" : "taken", error });
    }
    this.#next();
  }

  #show(entry: Entry, change: Partial<Upload>): void {
    entry.shown = { ...entry.shown, ...change };
    this.#changed();
  }

  #changed(): void {
    this.#shown = this.#entries.map((one) => one.shown);
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** The version of the attachment that has the name, if that is why a file was refused. */
function takenBy(error: unknown): string | undefined {
  if (!(error instanceof ServerError) || error.status !== 409) {
    return undefined;
  }
  try {
    const { ActualChangeVector: version } = JSON.parse(error.body) as { ActualChangeVector?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
