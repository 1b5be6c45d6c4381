import { databasePath } from "./http";

/** Something that changed, as the server tells it. */
export interface ChangeEvent {
  /** DocumentChange, IndexChange and so on; Gap if something may have been missed. */
  readonly Type: string;
  readonly Value: Readonly<Record<string, string | null>>;
}

type Listener = (event: ChangeEvent) => void;

interface Watch {
  readonly command: string;
  readonly param: string | undefined;
  readonly listeners: Set<Listener>;
}

/** A hidden page lets its connection go after so long. */
const HIDDEN_MS = 300_000;
const RETRY_MAX_MS = 30_000;

/** The changes of one database over one WebSocket, which is there as long as somebody watches. */
class ChangesConnection {
  readonly #url: string;
  readonly #watches = new Map<string, Watch>();
  #socket: WebSocket | undefined;
  #lastCommand = 0;
  #retryMs = 500;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasOpen = false;

  constructor(database: string) {
    const origin = window.location.origin.replace(/^http/, "ws");
    this.#url = origin + databasePath(database, "changes");
    document.addEventListener("visibilitychange", this.#onVisibility);
  }

  watch(command: string, param: string | undefined, listener: Listener): () => void {
    const key = `${command} ${param ?? ""}`;
    const known = this.#watches.get(key);
    const watch = known ?? { command, param, listeners: new Set<Listener>() };
    watch.listeners.add(listener);
    if (!known) {
      this.#watches.set(key, watch);
      this.#send(command, param);
    }
    this.#open();
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size === 0 && this.#watches.delete(key)) {
        this.#send(`un${command}`, param);
      }
      if (this.#watches.size === 0) {
        this.#close();
      }
    };
  }

  #open(): void {
    if (this.#socket || this.#watches.size === 0) {
      return;
    }
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#retryMs = 500;
      for (const { command, param } of this.#watches.values()) {
        this.#send(command, param);
      }
      if (this.#wasOpen) {
        this.#tell({ Type: "Gap", Value: {} });
      }
      this.#wasOpen = true;
    };
    socket.onmessage = (message: MessageEvent<string>) => this.#read(message.data);
    socket.onclose = () => {
      if (this.#socket === socket) {
        this.#socket = undefined;
        this.#timer = setTimeout(() => this.#open(), this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
      }
    };
  }

  #close(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#wasOpen = false;
    socket?.close();
  }

  #send(command: string, param: string | undefined): void {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ CommandId: ++this.#lastCommand, Command: command, Param: param ?? null }));
    }
  }

  #read(text: string): void {
    for (const event of JSON.parse(text) as ChangeEvent[]) {
      if (event.Type !== undefined && event.Type !== "Confirm") {
        this.#tell(event);
      }
    }
  }

  #tell(event: ChangeEvent): void {
    for (const watch of this.#watches.values()) {
      if (isFor(watch, event)) {
        for (const listener of watch.listeners) {
          listener(event);
        }
      }
    }
  }

  readonly #onVisibility = () => {
    clearTimeout(this.#timer);
    if (document.hidden) {
      this.#timer = setTimeout(() => {
        const socket = this.#socket;
        this.#socket = undefined;
        socket?.close();
      }, HIDDEN_MS);
    } else {
      this.#open();
    }
  };
}

/** Whether a watch asked for an event. */
function isFor(watch: Watch, event: ChangeEvent): boolean {
  const { Id = "", CollectionName = "", Name = "", DocumentId = "" } = event.Value;
  switch (event.Type) {
    case "Gap":
      return true;
    case "DocumentChange":
      return (
        watch.command === "watch-docs" ||
        (watch.command === "watch-doc" && Id?.toLowerCase() === watch.param?.toLowerCase()) ||
        (watch.command === "watch-collection" && CollectionName === watch.param)
      );
    case "CounterChange":
      return (
        watch.command === "watch-counters" ||
        (watch.command === "watch-document-counters" && DocumentId?.toLowerCase() === watch.param?.toLowerCase())
      );
    case "TimeSeriesChange":
      return (
        watch.command === "watch-all-timeseries" ||
        (watch.command === "watch-all-document-timeseries" && DocumentId?.toLowerCase() === watch.param?.toLowerCase())
      );
    case "IndexChange":
      return watch.command === "watch-indexes" || (watch.command === "watch-index" && Name === watch.param);
    default:
      return false;
  }
}

const connections = new Map<string, ChangesConnection>();

/**
 * Watches changes of a database.
 * @param command Such as watch-doc or watch-indexes.
 * @param param What it watches, such as an id.
 * @returns Ends the watch.
 */
export function watchChanges(
  database: string,
  command: string,
  param: string | undefined,
  listener: Listener,
): () => void {
  const connection = connections.get(database) ?? new ChangesConnection(database);
  connections.set(database, connection);
  return connection.watch(command, param, listener);
}
