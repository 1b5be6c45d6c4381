import { logRequest } from "./requestLog.js";
import { hearServerTime } from "./serverClock.js";
import { wantSignIn } from "./signInState.js";

// src/api/http.ts
/** An answer of the server that is no success, or no answer at all (status 0). */
var ServerError = class extends Error {
	status;
	/** The server's type, such as Voron.Exceptions.VoronConcurrencyErrorException. */
	type;
	/** All that the server said. */
	body;
	method;
	url;
	/** After how many seconds the server asks to try again. */
	retryAfterSec;
	constructor(method, url, status, body, retryAfterSec) {
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
	get isDatabaseMissing() {
		return this.type.includes("DatabaseDoesNotExist");
	}
	/** Whether no node of a cluster could do it now: then nothing was done. */
	get isWithoutNode() {
		return this.status === 503 && this.type.endsWith(".NoLeaderException");
	}
	/** Whether a node was asked to do it and its answer was lost: perhaps it is done. */
	get isPerhapsDone() {
		return this.status === 500 && this.type.endsWith(".RavenTimeoutException");
	}
	/** Whether the server may answer by and by: it is away, or not ready. */
	get isPassing() {
		return this.status === 0 || this.status === 503 && !this.isDatabaseMissing;
	}
	/** All of it as text, to be copied. */
	get report() {
		return [
			`${this.method} ${this.url}`,
			`${this.status} ${this.type}`,
			this.message,
			this.body
		].filter((line) => line !== "").join("\n");
	}
};
/** The path of a database. */
function databasePath(database, path) {
	return `/databases/${encodeURIComponent(database)}/${path}`;
}
/** The URL of a request. */
function urlOf(path, query = {}) {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) for (const one of Array.isArray(value) ? value : [value]) if (one !== void 0) parameters.append(name, String(one));
	const text = parameters.toString();
	return text === "" ? path : `${path}?${text}`;
}
/**
* Sends a request and reads the whole answer as text: documents are never read into JavaScript's numbers.
* @throws ServerError The answer is a 4xx or 5xx, or there is none.
* @throws DOMException The signal ended it.
*/
async function send(method, path, options = {}) {
	const { text, response } = await exchange(method, path, options, async (response) => {
		const text = await response.text();
		return {
			value: text,
			length: text.length,
			text
		};
	});
	return {
		status: response.status,
		text,
		headers: response.headers
	};
}
/** Sends a request and reads its answer as bytes; its errors are those of {@link send}. */
async function sendForFile(method, path, options = {}) {
	const { value } = await exchange(method, path, options, async (response) => {
		const blob = await response.blob();
		return {
			value: blob,
			length: blob.size,
			text: response.ok ? "" : await blob.text()
		};
	});
	return value;
}
async function exchange(method, path, options, read) {
	const url = urlOf(path, options.query);
	const { body, headers, signal } = options;
	const sent = body === void 0 || typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body);
	const kept = typeof sent === "string" && !options.isSecret ? sent : void 0;
	const done = logRequest(method, url, kept, options.isRepeated);
	let response;
	let answer;
	try {
		response = await fetch(url, {
			method,
			credentials: "same-origin",
			...sent === void 0 ? {} : { body: sent },
			headers: {
				...typeof sent === "string" ? { "Content-Type": "application/json" } : {},
				...headers
			},
			...signal ? { signal } : {}
		});
		answer = await read(response);
	} catch (error) {
		done(0, 0);
		if (signal?.aborted) throw error;
		for (const listener of silenceListeners) listener();
		throw new ServerError(method, url, 0, "");
	}
	done(response.status, answer.length);
	hearServerTime(response.headers.get("Date"));
	if (response.status === 401 && !options.isSecret) wantSignIn(true);
	if (!response.ok && response.status !== 304) throw refusalOf(method, url, response.status, answer.text, response.headers.get("Retry-After"));
	return {
		...answer,
		response
	};
}
/** The error that an answer is. */
function refusalOf(method, url, status, body, retryAfter) {
	const wait = Number(retryAfter ?? NaN);
	return new ServerError(method, url, status, body, Number.isFinite(wait) ? wait : void 0);
}
/** Sends a GET and reads its answer, which has no documents, as a value. */
async function getJson(path, options = {}) {
	return JSON.parse((await send("GET", path, options)).text);
}
const silenceListeners = /* @__PURE__ */ new Set();
/** Calls a function when a request gets no answer; gives what ends that. */
function watchSilence(listener) {
	silenceListeners.add(listener);
	return () => silenceListeners.delete(listener);
}
function readError(body) {
	try {
		const said = JSON.parse(body);
		return {
			...typeof said.Type === "string" ? { type: said.Type } : {},
			...typeof said.Message === "string" ? { message: said.Message } : {}
		};
	} catch {
		return body.length > 0 && body.length < 500 && !body.startsWith("<") ? { message: body } : {};
	}
}
/** Whether an error says that its request was ended on purpose. */
function isAborted(error) {
	return error instanceof DOMException && error.name === "AbortError";
}

export { ServerError, databasePath, getJson, isAborted, refusalOf, send, sendForFile, urlOf, watchSilence };