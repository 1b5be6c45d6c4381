// src/pages/document/documentTime.ts
/** A time that a person wrote, as the server reads it; undefined if it is none. Without a zone it is UTC. */
function readTime(text) {
	const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,7})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text.trim());
	if (!found) return;
	const [, day, minute = "00:00", second = ":00", zone = "Z"] = found;
	if (Number.isNaN(Date.parse(`${day}T${minute}${second.slice(0, 7)}${zone}`))) return;
	return zone === "Z" ? `${day}T${minute}${second}Z` : (/* @__PURE__ */ new Date(`${day}T${minute}${second.slice(0, 7)}${zone}`)).toISOString();
}

export { readTime };