// src/pages/storage/storageModel.ts
/** The key of a structure in the picture, the table and the URL. */
function structureKey(one) {
	return `${one.Name}#${one.Part}`;
}
/** Which part of a database a structure is of. */
function structureGroup(name) {
	if (name.startsWith("Collection.")) return name.split(".").slice(0, 2).join(".");
	return name.split(".")[0] ?? name;
}
/** The parts of a database, the largest first. */
function structureGroups(structures) {
	const groups = /* @__PURE__ */ new Map();
	for (const one of structures) {
		const name = structureGroup(one.Name);
		groups.set(name, [...groups.get(name) ?? [], one]);
	}
	return [...groups].map(([name, all]) => ({
		name,
		size: all.reduce((sum, one) => sum + one.SizeInBytes, 0),
		structures: [...all].sort((a, b) => b.SizeInBytes - a.SizeInBytes)
	})).sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
}
/** How many parts have a color of their own. */
const COLORS = 4;
/** The color of each part: the largest have one of their own, the others share the last. */
function groupColors(groups) {
	return new Map(groups.map((group, at) => [group.name, Math.min(at, COLORS)]));
}

export { groupColors, structureGroup, structureGroups, structureKey };