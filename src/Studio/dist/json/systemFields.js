// src/json/systemFields.ts
/** Members of @metadata that the server writes: no person edits or merges them. */
const SYSTEM_FIELDS = /* @__PURE__ */ new Set([
	"@id",
	"@change-vector",
	"@last-modified",
	"@flags",
	"@etag",
	"@index-score",
	"@attachments",
	"@counters",
	"@timeseries"
]);
/** A document as a person edits it: without what the server writes. */
function withoutSystemFields(node) {
	if (node.kind !== "object") return node;
	const members = new Map(node.members);
	const metadata = members.get("@metadata");
	if (metadata?.kind === "object") {
		const kept = [...metadata.members].filter(([name]) => !SYSTEM_FIELDS.has(name));
		members.set("@metadata", {
			kind: "object",
			members: new Map(kept)
		});
	}
	return {
		kind: "object",
		members
	};
}

export { SYSTEM_FIELDS, withoutSystemFields };