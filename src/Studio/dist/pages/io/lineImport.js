import { ServerError } from "../../api/http.js";
import { JsonError } from "../../json/jsonError.js";
import { member, parseDocument, printJson, textMember, textOf } from "../../json/jsonTree.js";
import { SYSTEM_FIELDS } from "../../json/systemFields.js";

// src/pages/io/lineImport.ts
/** A batch has so many lines or characters, whichever comes first: reading them holds the page up for no more than a moment. */
const BATCH_LINES = 500;
const BATCH_LENGTH = 5e5;
/** No document is longer than that. */
const LINE_LENGTH_MAX = 67108864;
/** The import does not go on behind a line: what is wrong, and where to go on. */
var LineError = class extends Error {
	/** The first line that is not in. */
	line;
	/** Whether it is the line itself that is wrong, so that it can be left out. */
	isOfLine;
	constructor(line, isOfLine, cause) {
		super(`Line ${line}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
		this.name = "LineError";
		this.line = line;
		this.isOfLine = isOfLine;
	}
};
/** Whether a file has a document a line, by its name. */
function isLinesName(name) {
	return /\.(ndjson|jsonl|jsonlines)(\.gz|\.zst)?$/i.test(name);
}
/**
* The lines of a file, unpacked if its name says so, in portions of what has come of it.
* @param onBytes Hears how many bytes of the file have been read.
*/
async function* readLines(file, onBytes) {
	if (/\.zst$/i.test(file.name)) throw new Error("The browser unpacks gzip alone: unpack the file first, or use “raven import”.");
	let read = 0;
	const counted = file.stream().pipeThrough(new TransformStream({ transform(piece, controller) {
		read += piece.byteLength;
		onBytes(read);
		controller.enqueue(piece);
	} }));
	const plain = /\.gz$/i.test(file.name) ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
	const decoder = new TextDecoder("utf-8", { fatal: true });
	const reader = plain.getReader();
	let rest = "";
	let number = 0;
	const take = (text) => {
		number++;
		const line = text.endsWith("\r") ? text.slice(0, -1) : text;
		return line.trim() === "" ? void 0 : {
			number,
			text: line
		};
	};
	try {
		for (;;) {
			const { done, value } = await reader.read();
			const texts = (rest + decoder.decode(value, { stream: !done })).split("\n");
			rest = done ? "" : texts.pop() ?? "";
			if (rest.length > LINE_LENGTH_MAX) throw new LineError(number + texts.length + 1, false, "the line is too long to be a document.");
			yield texts.map(take).filter((line) => line !== void 0);
			if (done) return;
		}
	} catch (error) {
		throw error instanceof LineError ? error : new LineError(number + 1, false, error);
	} finally {
		await reader.cancel().catch(() => void 0);
	}
}
/**
* The document of a line; undefined if the line has none, as that of the statistics of an export.
* @throws Error The line is no document, or does not say its id.
*/
function documentOf(line, choice) {
	const root = parseLine(line.text);
	if (root.kind !== "object") throw new Error("It is no object.");
	if (line.number === 1 && root.members.size === 1 && member(root, "Stats")?.kind === "object") return;
	const item = root.members.size === 1 ? member(root, "Item") : void 0;
	const node = item?.kind === "object" ? item : root;
	const metadata = member(node, "@metadata");
	const collection = choice.collection || (textMember(metadata, "@collection") ?? "");
	const id = choice.idMember === "" ? textMember(metadata, "@id") : idOf(member(node, choice.idMember));
	if (choice.idMember !== "" && !id) throw new Error(`Its ${choice.idMember} is neither a text nor a whole number.`);
	const named = id || `${collection || "documents"}/`;
	const kept = new Map(metadata?.kind === "object" ? [...metadata.members].filter(([name]) => !SYSTEM_FIELDS.has(name) && name !== "@collection") : []);
	if (collection !== "") kept.set("@collection", {
		kind: "text",
		raw: JSON.stringify(collection)
	});
	const members = new Map(node.kind === "object" ? node.members : []);
	members.set("@metadata", {
		kind: "object",
		members: kept
	});
	const text = printJson({
		kind: "object",
		members
	}, 0);
	return {
		id: named,
		collection,
		command: `{"Type":"PUT","Id":${JSON.stringify(named)},"Document":${text}}`
	};
}
/** The line of the file is said already: only the column is left. */
function parseLine(text) {
	try {
		return parseDocument(text);
	} catch (error) {
		throw error instanceof JsonError ? /* @__PURE__ */ new Error(`${error.reason} (column ${error.column})`) : error;
	}
}
function idOf(node) {
	if (node?.kind === "text") return textOf(node.raw);
	return node?.kind === "number" && /^-?\d+$/.test(node.raw) ? node.raw : void 0;
}
/** What the first line says of how documents are named, for the fields of the form. */
function guessChoice(line, collection) {
	try {
		const root = line && parseDocument(line.text);
		const isOfExport = root?.kind === "object" && root.members.size === 1 && (root.members.has("Stats") || root.members.has("Item"));
		const metadata = member(root, "@metadata");
		const id = [
			"@id",
			"Id",
			"id",
			"_id"
		].find((name) => idOf(member(root, name)) !== void 0);
		return {
			collection: isOfExport || textMember(metadata, "@collection") !== void 0 ? "" : collection,
			idMember: isOfExport || textMember(metadata, "@id") !== void 0 ? "" : id ?? ""
		};
	} catch {
		return {
			collection,
			idMember: ""
		};
	}
}
/**
* Stores the documents of a file from a line on.
* @returns Whether it has come to the end; if not, it was stopped.
* @throws LineError A line is wrong, or the server does not take it. All lines before it are in.
*/
async function importLines(job) {
	let lines = [];
	let commands = [];
	let length = 0;
	let bytes = 0;
	const store = async (next) => {
		if (commands.length > 0) await sendBatch(job, lines, commands);
		job.onStored(next, 0, bytes);
		[lines, commands, length] = [
			[],
			[],
			0
		];
	};
	let last = job.from - 1;
	for await (const portion of readLines(job.file, (read) => {
		bytes = read;
	})) for (const line of portion) {
		if (line.number < job.from) continue;
		let found;
		try {
			found = documentOf(line, job.choice);
		} catch (error) {
			await store(line.number);
			throw new LineError(line.number, true, error);
		}
		last = line.number;
		if (found) {
			lines.push(line.number);
			commands.push(found.command);
			length += found.command.length;
		}
		if (commands.length >= BATCH_LINES || length >= BATCH_LENGTH) {
			await store(last + 1);
			if (job.isStopped()) return false;
		}
	}
	await store(last + 1);
	return true;
}
/** What the server answers when it is a document that it does not take; halves of a batch may be short enough. */
const OF_DATA = [
	400,
	409,
	413,
	422
];
/** Stores a batch. If the server refuses one of its documents, those before it are stored. */
async function sendBatch(job, lines, commands) {
	const [first = job.from] = lines;
	try {
		await job.send(`{"Commands":[${commands.join(",")}]}`);
		job.onStored((lines[lines.length - 1] ?? first) + 1, commands.length, 0);
	} catch (error) {
		if (!(error instanceof ServerError) || !OF_DATA.includes(error.status)) throw new LineError(first, false, error);
		if (commands.length === 1) throw new LineError(first, true, error);
		const said = /\bCommand (\d+)\b/.exec(error.message);
		const at = said ? Number(said[1]) : commands.length >> 1;
		const line = lines[at];
		if (line === void 0) throw new LineError(first, false, error);
		if (at > 0) await sendBatch(job, lines.slice(0, at), commands.slice(0, at));
		if (said) throw new LineError(line, true, error);
		await sendBatch(job, lines.slice(at), commands.slice(at));
	}
}

export { LineError, documentOf, guessChoice, importLines, isLinesName, readLines };