// src/pages/io/ioModel.ts
/** The kinds of data of a dump, with their words. */
const DUMP_TYPES = [
	["Documents", "documents"],
	["Attachments", "attachments"],
	["RevisionDocuments", "revisions"],
	["CounterGroups", "counters"],
	["TimeSeries", "time series"],
	["Indexes", "indexes"],
	["Identities", "identities"],
	["CompareExchange", "compare-exchange values"],
	["Subscriptions", "subscriptions"],
	["DatabaseRecord", "settings of the database"]
];
/** All that a dump has. */
const WHOLE_DUMP = {
	types: new Set(DUMP_TYPES.map(([name]) => name)),
	collections: "",
	includesExpired: true,
	includesArchived: true,
	script: ""
};
/** The options of an import or export. */
function dumpOptions(choice) {
	const collections = choice.collections.split(/[,\n]/).map((one) => one.trim()).filter((one) => one !== "");
	return {
		OperateOnTypes: [...choice.types].join(","),
		...collections.length === 0 ? {} : { Collections: collections },
		IncludeExpired: choice.includesExpired,
		IncludeArchived: choice.includesArchived,
		...choice.script.trim() === "" ? {} : { TransformScript: choice.script }
	};
}
/** The longest options that the address of a link holds; the server takes a line of 32 KiB. */
const OPTIONS_LENGTH_MAX = 24576;
/** Why an export cannot begin. */
function exportRefusal(choice, options) {
	if (choice.types.size === 0) return "Choose what is exported.";
	return encodeURIComponent(options).length > OPTIONS_LENGTH_MAX ? "The script is too long for the address of a download: use “raven export”." : void 0;
}
/** Whether a file is CSV, by its name. */
function isCsvName(name) {
	return /\.(csv|tsv|txt)(\.gz|\.zst)?$/i.test(name);
}
/** A collection by the name of a file: orders-2026.csv is Orders-2026. */
function collectionOfFile(name) {
	const stem = name.replace(/\.(csv|tsv|txt|ndjson|jsonl|jsonlines)(\.gz|\.zst)?$/i, "");
	return stem === "" ? "" : (stem[0] ?? "").toUpperCase() + stem.slice(1);
}
/** The line at which the row begins that a refusal of CSV names: an import goes on there. */
function brokenRow(error) {
	const found = error instanceof Error ? /\bin the row of line (\d+):/.exec(error.message) : null;
	return found ? Number(found[1]) : void 0;
}
/** The delimiter that a first line has most often outside of quotes. */
function guessDelimiter(line) {
	const bare = line.replace(/"(?:[^"]|"")*"?/g, "");
	return [
		",",
		";",
		"	"
	].map((one) => [bare.split(one).length, one]).reduce((best, one) => one[0] > best[0] ? one : best)[1];
}
/** The first rows of a text of CSV; the last one may be cut, and is left out unless the text is whole. */
function csvRows(text, delimiter, quote, rowsMax, isWhole) {
	const rows = [];
	let row = [];
	let cell = "";
	let isQuoted = false;
	for (let at = 0; at < text.length && rows.length < rowsMax; at++) {
		const one = text[at];
		if (isQuoted) {
			if (one === quote && text[at + 1] === quote) {
				cell += quote;
				at++;
			} else if (one === quote) isQuoted = false;
			else cell += one;
		} else if (one === quote && cell === "") isQuoted = true;
		else if (one === delimiter) {
			row.push(cell);
			cell = "";
		} else if (one === "\n") {
			row.push(cell.endsWith("\r") ? cell.slice(0, -1) : cell);
			rows.push(row);
			row = [];
			cell = "";
		} else cell += one;
	}
	if (isWhole && rows.length < rowsMax && (cell !== "" || row.length > 0)) rows.push([...row, cell]);
	return rows.map((cells, at) => at === 0 ? cells.map((one) => one.replace(/^\uFEFF/, "")) : cells);
}
/** The counts of an import or export, of the kinds that had something. */
function sectionsOf(result) {
	const sections = [];
	const add = (name, value) => {
		const counts = value;
		if (typeof counts !== "object" || counts === null || !("ReadCount" in counts)) return;
		const number = (member) => typeof counts[member] === "number" ? counts[member] : 0;
		const one = {
			name,
			read: number("ReadCount"),
			failed: number("ErroredCount"),
			skipped: number("SkippedCount"),
			bytes: number("SizeInBytes")
		};
		if (one.read + one.failed + one.skipped > 0) sections.push(one);
		add(`${name}: attachments`, counts.Attachments);
	};
	for (const [name, value] of Object.entries(result ?? {})) add(name, value);
	return sections;
}
/** What an import could not take, and what it passed over, in words. */
function messagesOf(result) {
	const skipped = Object.entries(result?.Skipped ?? {}).map(([name, count]) => `${name}: ${String(count)} passed over, as this server has no such feature`);
	return [...(Array.isArray(result?.Messages) ? result.Messages : []).map(String), ...skipped];
}

export { DUMP_TYPES, WHOLE_DUMP, brokenRow, collectionOfFile, csvRows, dumpOptions, exportRefusal, guessDelimiter, isCsvName, messagesOf, sectionsOf };