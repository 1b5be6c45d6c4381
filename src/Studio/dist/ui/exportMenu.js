import { databasePath, urlOf } from "../api/http.js";
import { Menu } from "./menu.js";
import { saveUrl } from "./saveFile.js";
import { jsx } from "../vendor/react.js";

// src/ui/exportMenu.tsx
/** Has the browser write what a query finds to the disk as it comes. */
function saveRows(database, query, format, name, parameters = {}) {
	const values = Object.entries(parameters).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
	const url = urlOf(databasePath(database, "streams/queries"), {
		query,
		format,
		parameters: values.length === 0 ? void 0 : `{${values.join(",")}}`,
		escapeFormulas: format === "csv" ? true : void 0
	});
	saveUrl(url, `${name}.${format}`);
}
/** Lets the browser stream a query to the disk: nothing of it is kept in the page, however long it is. */
function ExportMenu({ database, query, parameters, name }) {
	const save = (format) => saveRows(database, query, format, name, parameters);
	return /* @__PURE__ */ jsx(Menu, {
		name: "Export",
		icon: "download",
		text: "Export",
		entries: [{
			text: "JSON lines",
			onSelect: () => save("jsonl")
		}, {
			text: "CSV",
			onSelect: () => save("csv")
		}]
	});
}

export { ExportMenu, saveRows };