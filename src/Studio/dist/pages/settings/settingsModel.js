// src/pages/settings/settingsModel.ts
/** What stands for a secret that the server has and shows to nobody. Sent back, it keeps the secret. */
const MASK = "*****";
/** Settings that a database may have, with what they do: the server lists only those that are set. */
const DATABASE_SETTINGS = [
	["Indexing.MapBatchSize", "How many documents a batch of an index has at most."],
	["Indexing.IndexMissingFieldsAsNull", "Whether a field that a document lacks is indexed as null."],
	["Indexing.Analyzers.Default", "The analyzer of fields that name none."],
	["Indexing.Analyzers.FullText.Search.Default", "The analyzer of fields for full-text search."],
	["Indexing.Disable", "Whether indexes follow the documents no more."]
];
/** The settings of a report by name: those of the database first. */
function settingRows(report) {
	const known = new Map(DATABASE_SETTINGS);
	return report.Settings.map((one) => {
		const name = one.Metadata.Keys[0] ?? "";
		const own = one.DatabaseValues[name];
		const server = one.ServerValues[name];
		const usual = one.Metadata.DefaultValue ?? "";
		const found = own ?? server;
		const value = found?.HasAccess === false || found?.Value === null ? MASK : found?.Value ?? "";
		return {
			name,
			value,
			source: own ? "database" : value === usual ? "default" : "server",
			usual,
			description: one.Metadata.Description || (known.get(name) ?? ""),
			isSecret: one.Metadata.IsSecured,
			isOfDatabase: own !== void 0
		};
	}).sort((a, b) => Number(b.isOfDatabase) - Number(a.isOfDatabase) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
/** The settings of a database as they are sent: secrets as asterisks, which keep them. */
function databaseSettings(report) {
	return Object.fromEntries(settingRows(report).filter((row) => row.isOfDatabase).map((row) => [row.name, row.value]));
}
/** The settings with a change: undefined takes one out. */
function withSetting(settings, name, value) {
	const next = { ...settings };
	if (value === void 0) delete next[name];
	else next[name] = value;
	return next;
}
/** Whether the settings of a database are the same, by name and value. */
function areSame(a, b) {
	const names = Object.keys(a);
	return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
/** Whether a setting is of a filter. */
function isOfSettingsFilter(row, show, text) {
	const wanted = text.toLowerCase();
	return (row.name.toLowerCase().includes(wanted) || row.description.toLowerCase().includes(wanted)) && (show === "all" || (show === "set" ? row.source !== "default" : row.source === show));
}

export { DATABASE_SETTINGS, MASK, areSame, databaseSettings, isOfSettingsFilter, settingRows, withSetting };