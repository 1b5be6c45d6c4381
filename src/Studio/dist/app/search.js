// src/app/search.ts
/** Reads the part of a URL behind its question mark. */
function parseSearch(text) {
	const search = {};
	for (const [name, value] of new URLSearchParams(text)) search[name] = value;
	return search;
}
/** Writes it; what is empty or undefined is left out. */
function writeSearch(search) {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(search)) if (value !== void 0 && value !== "") parameters.append(name, String(value));
	const text = parameters.toString();
	return text === "" ? "" : `?${text}`;
}

export { parseSearch, writeSearch };