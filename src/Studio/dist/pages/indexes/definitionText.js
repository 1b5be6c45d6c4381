// src/pages/indexes/definitionText.ts
/** The name under which the server lists what is built beside an index. */
const REPLACEMENT = "ReplacementOf/";
/** The name of what is built beside an index. */
function replacementName(name) {
	return REPLACEMENT + name;
}
/** The index that is to be replaced by another one; undefined for one that replaces none. */
function replacedName(name) {
	return name.startsWith(REPLACEMENT) ? name.slice(14) : void 0;
}
/** What the editor changes of a definition, and what counts besides, as one text that can be compared. */
function definitionText(definition) {
	const maps = definition.Maps ?? [];
	const parts = maps.map((map, at) => `// Map${maps.length === 1 ? "" : ` ${at + 1}`}\n${normal(map)}`);
	if (definition.Reduce) parts.push(`// Reduce\n${normal(definition.Reduce)}`);
	const fields = Object.entries(definition.Fields ?? {});
	if (fields.length > 0) parts.push(`// Fields\n${fields.map(([name, options]) => `${name}: ${JSON.stringify(options)}`).join("\n")}`);
	return `${parts.join("\n\n")}\n`;
}
/** Ends of lines and blanks at them change nothing of what an index does. */
function normal(script) {
	return script.replace(/\r\n?/g, "\n").split("\n").map((line) => line.trimEnd()).join("\n").trim();
}

export { definitionText, replacedName, replacementName };