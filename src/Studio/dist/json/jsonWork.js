import { JsonError } from "./jsonError.js";
import { JSON_JOBS } from "./jsonJobs.js";
import { turn } from "./turn.js";

// src/json/jsonWork.ts
/** Texts of this length and more, together, are a matter of the worker. */
const WORKER_LENGTH = 1e6;
/** A text goes to the worker in pieces of this length: each is copied while the page waits. */
const PIECE = 2e6;
/** A worker that had nothing to do for so long goes, with what it holds. */
const IDLE_MS = 6e4;
let worker;
let lastId = 0;
let openMerges = 0;
let idle;
const waiting = /* @__PURE__ */ new Map();
/**
* Does something to documents, where it does not hold the page up.
* @throws JsonError A text is no JSON.
*/
async function runJob(job, ...values) {
	return isLong(values) ? inWorker(job, values) : onPage(job, values);
}
/** Merges three texts; where it was done it is gone on with. */
async function openMerge(base, theirs, mine) {
	const isFar = isLong([
		base,
		theirs,
		mine
	]);
	const key = ++lastId;
	const run = (job, ...values) => isFar ? inWorker(job, values) : Promise.resolve(onPage(job, values));
	openMerges++;
	let isOpen = true;
	const close = () => {
		if (isOpen) {
			isOpen = false;
			openMerges--;
			run("endMerge", key).catch(() => void 0);
		}
	};
	try {
		return {
			...await run("merge", key, base, theirs, mine),
			resolve: (choices) => run("resolve", key, choices),
			close
		};
	} catch (error) {
		close();
		throw error;
	}
}
function isLong(values) {
	return values.reduce((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0) >= 1e6 && typeof Worker !== "undefined";
}
function onPage(job, values) {
	return JSON_JOBS[job](...values);
}
async function inWorker(job, values) {
	clearTimeout(idle);
	worker ??= startWorker();
	const id = ++lastId;
	const answer = new Promise((resolve, reject) => waiting.set(id, {
		resolve,
		reject
	}));
	answer.catch(() => void 0);
	const short = [...values];
	for (const [at, value] of values.entries()) if (typeof value === "string" && value.length > PIECE) {
		short[at] = void 0;
		for (let from = 0; from < value.length; from += PIECE) {
			worker?.postMessage({
				id,
				at,
				piece: value.slice(from, from + PIECE)
			});
			await turn();
		}
	}
	worker?.postMessage({
		id,
		job,
		values: short
	});
	return answer;
}
function startWorker() {
	const made = new Worker(new URL("./jsonWorker.js", import.meta.url), { type: "module" });
	made.onmessage = ({ data }) => {
		const { id, value, error } = data;
		const one = waiting.get(id);
		waiting.delete(id);
		if (error?.place) one?.reject(new JsonError("", error.place.offset, error.place.reason, error.place));
		else if (error) one?.reject(new Error(error.message));
		else one?.resolve(value);
		if (waiting.size === 0) idle = setTimeout(letGo, IDLE_MS);
	};
	made.onerror = (event) => {
		const error = /* @__PURE__ */ new Error(`Long documents cannot be read on this page any more (${event.message || "its file is not there"}): load it again.`);
		for (const one of waiting.values()) one.reject(error);
		waiting.clear();
		made.terminate();
		worker = void 0;
	};
	return made;
}
function letGo() {
	if (waiting.size === 0 && openMerges === 0) {
		worker?.terminate();
		worker = void 0;
	}
}

export { WORKER_LENGTH, openMerge, runJob };