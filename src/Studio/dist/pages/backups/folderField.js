import { databasePath, getJson } from "../../api/http.js";
import { formatBytes } from "../../ui/format.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs, useId } from "../../vendor/react.js";

// src/pages/backups/folderField.tsx
/** A folder of the server's machine, and how much room there is. */
function FolderField({ database, value, onChange }) {
	const hint = useId();
	const path = value.trim();
	const room = useQuery({
		queryKey: [
			"backup-folder",
			database ?? "",
			path
		],
		queryFn: ({ signal }) => getJson(databasePath(database ?? "", "admin/backup-data-directory"), {
			query: { path },
			signal
		}),
		enabled: database !== void 0 && /^(\/|[A-Za-z]:[\\/])./.test(path),
		retry: false
	});
	const found = room.data?.List[0];
	return /* @__PURE__ */ jsxs("label", {
		className: "field",
		children: [
			/* @__PURE__ */ jsx("span", { children: "Folder on the server's machine (a full path)" }),
			/* @__PURE__ */ jsx("input", {
				className: "mono",
				value,
				placeholder: "/var/backups/raven",
				autoComplete: "off",
				spellCheck: false,
				"aria-describedby": hint,
				onChange: (event) => onChange(event.target.value)
			}),
			/* @__PURE__ */ jsx("span", {
				id: hint,
				className: room.error ? "hint bad break" : "hint",
				children: room.error ? room.error.message : found ? `${formatBytes(found.FreeSpaceInBytes)} are free there.` : database === void 0 ? "Below it each database has a folder of its own." : "Its own folder below this one is made for each full backup."
			})
		]
	});
}

export { FolderField };