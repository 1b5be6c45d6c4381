import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { showError } from "../../app/toasts.js";
import { Confirm } from "../../ui/dialog.js";
import { Menu } from "../../ui/menu.js";
import { isServerWide } from "./backupModel.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/backups/backupActions.tsx
/** What can be done to a task. */
function BackupMenu({ database, task, onStarted, onDone, onDeleted }) {
	const [isAsked, setAsked] = useState(false);
	const id = task.TaskId;
	const run = (isFullBackup) => () => {
		send("POST", databasePath(database, "admin/backup/database"), { query: {
			isFullBackup,
			taskId: id
		} }).then((answer) => onStarted(JSON.parse(answer.text).OperationId)).catch((error) => showError(`${task.TaskName} was not run`, error)).finally(onDone);
	};
	const isDisabled = task.TaskState === "Disabled";
	const disable = () => {
		send("POST", databasePath(database, "admin/tasks/state"), { query: {
			key: id,
			type: "Backup",
			disable: !isDisabled
		} }).then(() => announce(`${task.TaskName} is ${isDisabled ? "enabled" : "disabled"}.`)).catch((error) => showError(`${task.TaskName} was not changed`, error)).finally(onDone);
	};
	const own = isServerWide(task) ? [] : [isDisabled ? {
		text: "Enable",
		icon: "play",
		onSelect: disable
	} : {
		text: "Disable (no run by itself)",
		icon: "pause",
		onSelect: disable
	}, {
		text: "Delete…",
		icon: "trash",
		isDanger: true,
		onSelect: () => setAsked(true)
	}];
	return /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx(Menu, {
		name: `Actions of ${task.TaskName}`,
		entries: [
			{
				text: "Back up all of it now",
				icon: "save",
				onSelect: run(true)
			},
			{
				text: "Back up what has changed now",
				icon: "save",
				onSelect: run(false)
			},
			...own
		]
	}), /* @__PURE__ */ jsx(Confirm, {
		title: `Delete ${task.TaskName}`,
		isOpen: isAsked,
		first: "The task is gone, and backs nothing up any more. The backups that it has made stay where they are.",
		action: "Delete it",
		onClose: () => setAsked(false),
		onConfirm: async () => {
			await send("DELETE", databasePath(database, "admin/tasks"), { query: {
				id,
				type: "Backup"
			} });
			announce(`${task.TaskName} is deleted.`);
			(onDeleted ?? onDone)();
		}
	})] });
}

export { BackupMenu };