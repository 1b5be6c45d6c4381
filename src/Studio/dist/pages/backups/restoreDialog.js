import { send } from "../../api/http.js";
import { FormDialog } from "../../ui/dialog.js";
import { formatTime } from "../../ui/format.js";
import { useTask } from "../../ui/useTask.js";
import { nameRefusal } from "../databases/databaseName.js";
import { restoreBody, restoreRefusal } from "./backupModel.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/backups/restoreDialog.tsx
/** Asks under which name a backup is restored, and how. */
function RestoreDialog({ point, s3, onClose, onStarted }) {
	const [choice, setChoice] = useState({
		name: `${point.DatabaseName}-restored`,
		key: "",
		to: "",
		disablesTasks: true,
		skipsIndexes: false
	});
	const task = useTask();
	const set = (change) => setChoice((now) => ({
		...now,
		...change
	}));
	const refusal = restoreRefusal(point, choice) ?? (choice.name === "" ? void 0 : nameRefusal(choice.name.trim())) ?? void 0;
	const restore = () => task.run(async () => {
		const answer = await send("POST", "/admin/restore/database", {
			body: restoreBody(point, choice, s3),
			isSecret: true
		});
		onStarted(JSON.parse(answer.text).OperationId, choice.name.trim());
	});
	return /* @__PURE__ */ jsxs(FormDialog, {
		title: `Restore ${point.DatabaseName}`,
		task,
		refusal,
		action: "Restore it",
		errorTitle: "It was not begun",
		onSubmit: restore,
		onClose,
		children: [
			/* @__PURE__ */ jsxs("p", { children: [
				"As it was ",
				formatTime(point.DateTime),
				"."
			] }),
			/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Name of the new database" }), /* @__PURE__ */ jsx("input", {
					value: choice.name,
					autoComplete: "off",
					spellCheck: false,
					onChange: (event) => set({ name: event.target.value })
				})]
			}),
			point.IsEncrypted && /* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "Key of the backup" }), /* @__PURE__ */ jsx("input", {
					type: "password",
					autoComplete: "off",
					value: choice.key,
					onChange: (event) => set({ key: event.target.value })
				})]
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "field",
				children: [/* @__PURE__ */ jsx("span", { children: "To a later time, if the journal was archived (UTC; may be empty)" }), /* @__PURE__ */ jsx("input", {
					value: choice.to,
					placeholder: "2030-01-31T08:30:00Z",
					spellCheck: false,
					onChange: (event) => set({ to: event.target.value })
				})]
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "check",
				children: [/* @__PURE__ */ jsx("input", {
					type: "checkbox",
					checked: choice.disablesTasks,
					onChange: (event) => set({ disablesTasks: event.target.checked })
				}), /* @__PURE__ */ jsx("span", { children: "Its backups do not run by themselves: the database may be one to look at only" })]
			}),
			/* @__PURE__ */ jsxs("label", {
				className: "check",
				children: [/* @__PURE__ */ jsx("input", {
					type: "checkbox",
					checked: choice.skipsIndexes,
					onChange: (event) => set({ skipsIndexes: event.target.checked })
				}), /* @__PURE__ */ jsx("span", { children: "Without its indexes" })]
			})
		]
	});
}

export { RestoreDialog };