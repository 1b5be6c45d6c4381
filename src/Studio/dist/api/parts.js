import { member, parseJson, textMember } from "../json/jsonTree.js";
import { documentsOf, numberMember } from "./documents.js";
import { ServerError, databasePath, send } from "./http.js";
import { upload } from "./upload.js";

// src/api/parts.ts
/** Reads what belongs to a document; null if there is no such document. */
async function readParts(database, id, signal) {
	try {
		const answer = await send("GET", databasePath(database, "docs"), {
			query: {
				id,
				metadataOnly: true
			},
			...signal ? { signal } : {}
		});
		const [document] = documentsOf(member(parseJson(answer.text, 512), "Results"));
		return document ? partsOf(document.id, document.node) : null;
	} catch (error) {
		if (error instanceof ServerError && error.status === 404 && !error.type.includes("DatabaseDoesNotExist")) return null;
		throw error;
	}
}
/** What the metadata of a document says of its parts. */
function partsOf(id, document) {
	const metadata = member(document, "@metadata");
	return {
		id,
		attachments: items(member(metadata, "@attachments")).map((one) => ({
			name: textMember(one, "Name") ?? "",
			contentType: textMember(one, "ContentType") ?? "",
			size: numberMember(one, "Size") ?? 0,
			hash: textMember(one, "Hash") ?? ""
		})),
		counters: texts(member(metadata, "@counters")),
		timeSeries: texts(member(metadata, "@timeseries"))
	};
}
function items(node) {
	return node?.kind === "array" ? node.items : [];
}
function texts(node) {
	return items(node).map((one) => one.kind === "text" ? JSON.parse(one.raw) : "");
}
/** Where an attachment is. */
function attachmentPath(database) {
	return databasePath(database, "attachments");
}
/**
* Stores an attachment.
* @param version The version that it takes the place of; "" if there must be none.
*/
async function putAttachment(database, id, name, file, version, signal, onProgress) {
	const query = {
		id,
		name,
		contentType: file.type || "application/octet-stream"
	};
	const headers = {
		"If-Match": `"${version}"`,
		"Content-Type": "application/octet-stream"
	};
	await upload("PUT", attachmentPath(database), file, {
		query,
		headers,
		signal
	}, onProgress);
}
/** Copies an attachment, or moves it, which is how it gets another name. */
async function carryAttachment(database, how, from, to) {
	const command = {
		Type: `Attachment${how}`,
		Id: from.id,
		Name: from.name,
		DestinationId: to.id,
		DestinationName: to.name
	};
	await send("POST", databasePath(database, "bulk_docs"), { body: { Commands: [command] } });
}
/** Deletes an attachment. */
async function deleteAttachment(database, id, name) {
	await send("DELETE", attachmentPath(database), { query: {
		id,
		name
	} });
}

export { attachmentPath, carryAttachment, deleteAttachment, partsOf, putAttachment, readParts };