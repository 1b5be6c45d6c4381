import { FormDialog } from "../../ui/dialog.js";
import { useTask } from "../../ui/useTask.js";
import { DATABASE_SETTINGS } from "./settingsModel.js";
import { jsx, jsxs, useId, useState } from "../../vendor/react.js";

// src/pages/settings/settingDialog.tsx
/** Sets a setting of a database. */
function SettingDialog({ row, names, onClose, onSave }) {
	const list = useId();
	const [name, setName] = useState(row?.name ?? "");
	const [value, setValue] = useState(row && !row.isSecret ? row.value : "");
	const task = useTask();
	const taken = row ? void 0 : names.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
	const refusal = name.trim() === "" ? "Name the setting first." : taken ? taken.isOfDatabase ? "It is set already: change it in the list." : "It is a setting of the server, and set in its configuration." : row?.isSecret && value === "" ? "Enter the new secret first." : void 0;
	const save = () => task.run(async () => {
		await onSave(name.trim(), value);
		onClose();
	});
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: row ? `Change ${row.name}` : "Set a setting of the database",
		task,
		refusal,
		action: "Save",
		errorTitle: "It was not set",
		onSubmit: save,
		onClose,
		children: [!row && /* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [
				/* @__PURE__ */ jsx("span", { children: "Name" }),
				/* @__PURE__ */ jsx("input", {
					className: "mono",
					list,
					value: name,
					autoComplete: "off",
					spellCheck: false,
					onChange: (event) => setName(event.target.value)
				}),
				/* @__PURE__ */ jsx("datalist", {
					id: list,
					children: DATABASE_SETTINGS.map(([one, does]) => /* @__PURE__ */ jsx("option", {
						value: one,
						children: does
					}, one))
				})
			]
		}), /* @__PURE__ */ jsxs("label", {
			className: "field",
			children: [/* @__PURE__ */ jsx("span", { children: row?.isSecret ? "New secret" : "Value" }), /* @__PURE__ */ jsx("input", {
				className: "mono",
				type: row?.isSecret ? "password" : "text",
				value,
				autoComplete: "off",
				spellCheck: false,
				onChange: (event) => setValue(event.target.value)
			})]
		})]
	});
}

export { SettingDialog };