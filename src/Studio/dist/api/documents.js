import { member, parseJson, textMember } from "../json/jsonTree.js";
import { databasePath, send } from "./http.js";

// src/api/documents.ts
/** Reads documents of a list of results; what is null is left out. */
function documentsOf(results) {
	if (results?.kind !== "array") return [];
	return results.items.filter((item) => item.kind === "object").map(documentOf);
}
/** A document with its metadata. */
function documentOf(node) {
	const metadata = member(node, "@metadata");
	return {
		id: textMember(metadata, "@id") ?? "",
		collection: textMember(metadata, "@collection"),
		changeVector: textMember(metadata, "@change-vector") ?? "",
		lastModified: textMember(metadata, "@last-modified"),
		node
	};
}
/** Answers nest documents two levels deeper. */
const ANSWER_DEPTH = 512;
/** Stores a document over the version that was read. A conflict is a {@link ServerError} with the status 409. */
async function writeDocument(database, id, text, changeVector) {
	const answer = await send("PUT", databasePath(database, "docs"), {
		query: { id },
		body: text,
		headers: { "If-Match": `"${changeVector}"` }
	});
	return written(parseJson(answer.text));
}
/** Stores a new document; one that is there already is a conflict. */
async function createDocument(database, id, text) {
	const before = `{"Commands":[{"Type":"PUT","Id":${JSON.stringify(id)},"ChangeVector":"","Document":`;
	const after = "}]}";
	const body = typeof text === "string" ? before + text + after : new Blob([
		before,
		text,
		after
	], { type: "application/json" });
	const answer = await send("POST", databasePath(database, "bulk_docs"), { body });
	const results = member(parseJson(answer.text, 512), "Results");
	const first = results?.kind === "array" ? results.items[0] : void 0;
	return {
		id: textMember(first, "@id") ?? id,
		changeVector: textMember(first, "@change-vector") ?? ""
	};
}
function written(node) {
	return {
		id: textMember(node, "Id") ?? "",
		changeVector: textMember(node, "ChangeVector") ?? ""
	};
}
/** Deletes a document, if it has a version or whatever version it has. */
async function deleteDocument(database, id, changeVector) {
	await send("DELETE", databasePath(database, "docs"), {
		query: { id },
		...changeVector === void 0 ? {} : { headers: { "If-Match": `"${changeVector}"` } }
	});
}
/** The ids that begin with a prefix. */
async function idsByPrefix(database, startsWith, signal) {
	const answer = await send("GET", databasePath(database, "docs"), {
		query: {
			startsWith,
			pageSize: 8,
			metadataOnly: true
		},
		...signal ? { signal } : {}
	});
	return documentsOf(member(parseJson(answer.text, 512), "Results")).map((one) => one.id);
}
/** Reads a page of documents, the newest first. */
async function readPage(database, collection, place, pageSize, fields, signal) {
	const answer = await send("GET", databasePath(database, "studio/documents"), {
		query: {
			collection,
			pageSize,
			field: plainFields(fields),
			...place
		},
		...signal ? { signal } : {}
	});
	const root = parseJson(answer.text, 512);
	const results = member(root, "Results");
	return {
		total: numberMember(root, "Total") ?? 0,
		nextBefore: numberMember(root, "NextBefore"),
		rows: (results?.kind === "array" ? results.items : []).map((row) => ({
			id: textMember(row, "Id") ?? "",
			etag: numberMember(row, "Etag") ?? 0,
			collection: textMember(row, "Collection") ?? "",
			lastModified: textMember(row, "LastModified") ?? "",
			sizeBytes: numberMember(row, "SizeBytes") ?? 0,
			values: member(row, "Values") ?? {
				kind: "object",
				members: /* @__PURE__ */ new Map()
			}
		}))
	};
}
/** The most fields that the route takes. */
const FIELDS_MAX = 50;
/** The fields as the route takes them; without them it gives the first members, as for names that are no plain words. */
function plainFields(fields) {
	return fields.length > 0 && fields.length <= FIELDS_MAX && fields.every((name) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) ? fields : void 0;
}
/** A number of the server's own, such as a count. */
function numberMember(node, name) {
	const value = member(node, name);
	return value?.kind === "number" ? Number(value.raw) : void 0;
}

export { createDocument, deleteDocument, documentOf, documentsOf, idsByPrefix, numberMember, plainFields, readPage, writeDocument };