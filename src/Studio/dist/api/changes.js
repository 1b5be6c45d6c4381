import { databasePath } from "./http.js";

// src/api/changes.ts
/** A hidden page lets its connection go after so long. */
const HIDDEN_MS = 3e5;
const RETRY_MAX_MS = 3e4;
/** The changes of one database over one WebSocket, which is there as long as somebody watches. */
var ChangesConnection = class {
	#url;
	#watches = /* @__PURE__ */ new Map();
	#socket;
	#lastCommand = 0;
	#retryMs = 500;
	#timer;
	#wasOpen = false;
	constructor(database) {
		const origin = window.location.origin.replace(/^http/, "ws");
		this.#url = origin + databasePath(database, "changes");
		document.addEventListener("visibilitychange", this.#onVisibility);
	}
	watch(command, param, listener) {
		const key = `${command} ${param ?? ""}`;
		const known = this.#watches.get(key);
		const watch = known ?? {
			command,
			param,
			listeners: /* @__PURE__ */ new Set()
		};
		watch.listeners.add(listener);
		if (!known) {
			this.#watches.set(key, watch);
			this.#send(command, param);
		}
		this.#open();
		return () => {
			watch.listeners.delete(listener);
			if (watch.listeners.size === 0 && this.#watches.delete(key)) this.#send(`un${command}`, param);
			if (this.#watches.size === 0) this.#close();
		};
	}
	#open() {
		if (this.#socket || this.#watches.size === 0) return;
		clearTimeout(this.#timer);
		const socket = new WebSocket(this.#url);
		this.#socket = socket;
		socket.onopen = () => {
			this.#retryMs = 500;
			for (const { command, param } of this.#watches.values()) this.#send(command, param);
			if (this.#wasOpen) this.#tell({
				Type: "Gap",
				Value: {}
			});
			this.#wasOpen = true;
		};
		socket.onmessage = (message) => this.#read(message.data);
		socket.onclose = () => {
			if (this.#socket === socket) {
				this.#socket = void 0;
				this.#timer = setTimeout(() => this.#open(), this.#retryMs);
				this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
			}
		};
	}
	#close() {
		clearTimeout(this.#timer);
		const socket = this.#socket;
		this.#socket = void 0;
		this.#wasOpen = false;
		socket?.close();
	}
	#send(command, param) {
		if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({
			CommandId: ++this.#lastCommand,
			Command: command,
			Param: param ?? null
		}));
	}
	#read(text) {
		for (const event of JSON.parse(text)) if (event.Type !== void 0 && event.Type !== "Confirm") this.#tell(event);
	}
	#tell(event) {
		for (const watch of this.#watches.values()) if (isFor(watch, event)) for (const listener of watch.listeners) listener(event);
	}
	#onVisibility = () => {
		clearTimeout(this.#timer);
		if (document.hidden) this.#timer = setTimeout(() => {
			const socket = this.#socket;
			this.#socket = void 0;
			socket?.close();
		}, HIDDEN_MS);
		else this.#open();
	};
};
/** Whether a watch asked for an event. */
function isFor(watch, event) {
	const { Id = "", CollectionName = "", Name = "", DocumentId = "" } = event.Value;
	switch (event.Type) {
		case "Gap": return true;
		case "DocumentChange": return watch.command === "watch-docs" || watch.command === "watch-doc" && Id?.toLowerCase() === watch.param?.toLowerCase() || watch.command === "watch-collection" && CollectionName === watch.param;
		case "CounterChange": return watch.command === "watch-counters" || watch.command === "watch-document-counters" && DocumentId?.toLowerCase() === watch.param?.toLowerCase();
		case "TimeSeriesChange": return watch.command === "watch-all-timeseries" || watch.command === "watch-all-document-timeseries" && DocumentId?.toLowerCase() === watch.param?.toLowerCase();
		case "IndexChange": return watch.command === "watch-indexes" || watch.command === "watch-index" && Name === watch.param;
		default: return false;
	}
}
const connections = /* @__PURE__ */ new Map();
/**
* Watches changes of a database.
* @param command Such as watch-doc or watch-indexes.
* @param param What it watches, such as an id.
* @returns Ends the watch.
*/
function watchChanges(database, command, param, listener) {
	const connection = connections.get(database) ?? new ChangesConnection(database);
	connections.set(database, connection);
	return connection.watch(command, param, listener);
}

export { watchChanges };