import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { showError } from "../../app/toasts.js";
import { Confirm } from "../../ui/dialog.js";
import { Menu } from "../../ui/menu.js";
import { isServerWide } from "./backupModel.js";
import { Fragment, jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/backups/backupActions.tsx
/** What can be done to a task of a database. Those of the server are changed where they are. */
function BackupMenu({ database, task, onStarted, onDone, onDeleted }) {
	const id = task.TaskId;
	const run = (isFullBackup) => () => {
		send("POST", databasePath(database, "admin/backup/database"), { query: {
			isFullBackup,
			taskId: id
		} }).then((answer) => onStarted(JSON.parse(answer.text).OperationId)).catch((error) => showError(`${task.TaskName} was not run`, error)).finally(onDone);
	};
	const runs = [{
		text: "Back up all of it now",
		icon: "save",
		onSelect: run(true)
	}, {
		text: "Back up what has changed now",
		icon: "save",
		onSelect: run(false)
	}];
	if (isServerWide(task)) return /* @__PURE__ */ jsx(Menu, {
		name: `Actions of ${task.TaskName}`,
		entries: runs
	});
	return /* @__PURE__ */ jsx(TaskMenu, {
		name: task.TaskName,
		isDisabled: task.TaskState === "Disabled",
		first: "The task is gone, and backs nothing up any more. The backups that it has made stay where they are.",
		entries: runs,
		setDisabled: (disable) => send("POST", databasePath(database, "admin/tasks/state"), { query: {
			key: id,
			type: "Backup",
			disable
		} }),
		remove: () => send("DELETE", databasePath(database, "admin/tasks"), { query: {
			id,
			type: "Backup"
		} }),
		onDone,
		onDeleted
	});
}
/** What can be done to a task of the server. */
function ServerBackupMenu({ task, onDone, onDeleted }) {
	const name = task.Name ?? "";
	const query = {
		type: "Backup",
		name
	};
	return /* @__PURE__ */ jsx(TaskMenu, {
		name,
		isDisabled: task.Disabled === true,
		first: "The task is gone from all databases. The backups that it has made stay where they are.",
		isTyped: true,
		setDisabled: (disable) => send("POST", "/admin/configuration/server-wide/state", { query: {
			...query,
			disable
		} }),
		remove: () => send("DELETE", "/admin/configuration/server-wide/task", { query }),
		onDone,
		onDeleted
	});
}
function TaskMenu({ name, isDisabled, first, isTyped, entries = [], setDisabled, remove, onDone, onDeleted }) {
	const [isAsked, setAsked] = useState(false);
	const change = () => {
		setDisabled(!isDisabled).then(() => announce(`${name} is ${isDisabled ? "enabled" : "disabled"}.`)).catch((error) => showError(`${name} was not changed`, error)).finally(onDone);
	};
	return /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx(Menu, {
		name: `Actions of ${name}`,
		entries: [
			...entries,
			isDisabled ? {
				text: "Enable",
				icon: "play",
				onSelect: change
			} : {
				text: "Disable (no run by itself)",
				icon: "pause",
				onSelect: change
			},
			{
				text: "Delete…",
				icon: "trash",
				isDanger: true,
				onSelect: () => setAsked(true)
			}
		]
	}), /* @__PURE__ */ jsx(Confirm, {
		title: `Delete ${name}`,
		isOpen: isAsked,
		first,
		action: "Delete it",
		...isTyped ? { typed: name } : {},
		onClose: () => setAsked(false),
		onConfirm: async () => {
			await remove();
			announce(`${name} is deleted.`);
			(onDeleted ?? onDone)();
		}
	})] });
}

export { BackupMenu, ServerBackupMenu };