import { getJson } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { Link } from "../../app/link.js";
import { placeUrl, useGo, useSearchState } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { ServerBackupMenu } from "./backupActions.js";
import { BackupEditor } from "./backupEditor.js";
import { WIDE_TASKS, destinationText, scheduleText } from "./backupModel.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/backups/serverBackupsPage.tsx
const LIST = placeUrl("/backups");
/** The tasks that back up all databases, those that are made later, too. */
function ServerBackupsPage() {
	const go = useGo();
	const tasks = useWideTasks();
	if (tasks.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the backups of all databases" });
	if (!tasks.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The backups cannot be listed",
		error: tasks.error,
		onRetry: () => void tasks.refetch()
	});
	const create = /* @__PURE__ */ jsx(Button, {
		kind: "primary",
		icon: "plus",
		onClick: () => go(placeUrl("/backup", { new: "1" })),
		children: "New"
	});
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Backups of all databases" }),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Link, {
						className: "button quiet",
						href: placeUrl("/restore"),
						children: "Restore…"
					}),
					tasks.data.length > 0 && create
				]
			}),
			tasks.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: tasks.error,
				onRetry: () => void tasks.refetch()
			}),
			tasks.data.length === 0 ? /* @__PURE__ */ jsx(Empty, {
				icon: "history",
				title: "No task backs up all databases",
				action: create,
				children: "A task of the server backs up each database into a folder of its own, those that are made later, too. Each database shows it among its own backups, with how its runs went."
			}) : /* @__PURE__ */ jsxs("section", {
				className: "scroll",
				"aria-label": "Backups of all databases",
				tabIndex: 0,
				children: [/* @__PURE__ */ jsxs("table", {
					className: "plain-table roomy",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", { children: "Task" }),
						/* @__PURE__ */ jsx("th", { children: "State" }),
						/* @__PURE__ */ jsx("th", { children: "When (cron)" }),
						/* @__PURE__ */ jsx("th", { children: "To" }),
						/* @__PURE__ */ jsx("th", { children: "Leaves out" }),
						/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
							className: "offscreen",
							children: "Actions"
						}) })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: tasks.data.map((task) => /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", {
							scope: "row",
							className: "break",
							children: /* @__PURE__ */ jsx(Link, {
								href: placeUrl("/backup", { name: task.Name }),
								children: task.Name
							})
						}),
						/* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(StateChip, { task }) }),
						/* @__PURE__ */ jsx("td", { children: scheduleText(task) }),
						/* @__PURE__ */ jsxs("td", {
							className: "break",
							children: [destinationText(task), task.BackupEncryptionSettings?.Key ? " (encrypted)" : ""]
						}),
						/* @__PURE__ */ jsx("td", {
							className: "break",
							children: (task.ExcludedDatabases ?? []).join(", ") || "none"
						}),
						/* @__PURE__ */ jsx("td", {
							className: "actions",
							children: /* @__PURE__ */ jsx(ServerBackupMenu, {
								task,
								onDone: () => void tasks.refetch()
							})
						})
					] }, task.Name)) })]
				}), /* @__PURE__ */ jsx("p", {
					className: "hint padded",
					children: "How its runs went, and when the next one is, stands on the page of backups of each database, where it can be run at once, too."
				})]
			})
		]
	});
}
/** One task of the server, or a new one. */
function ServerBackupPage() {
	const { name = "", new: isNew } = useSearchState();
	return isNew ? /* @__PURE__ */ jsx(BackupEditor, {
		database: void 0,
		before: void 0
	}) : /* @__PURE__ */ jsx(ExistingTask, { name }, name);
}
function ExistingTask({ name }) {
	const go = useGo();
	const tasks = useWideTasks();
	if (tasks.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the task" });
	if (!tasks.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The task cannot be read",
		error: tasks.error,
		onRetry: () => void tasks.refetch()
	});
	const task = tasks.data.find((one) => one.Name === name);
	if (!task) return /* @__PURE__ */ jsx(Empty, {
		icon: "history",
		title: `The server has no backup task ${name}`,
		action: /* @__PURE__ */ jsx(Link, {
			href: LIST,
			children: "All of them"
		}),
		children: "It may have been deleted."
	});
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "ellipsis",
						title: name,
						children: name
					}),
					/* @__PURE__ */ jsx(StateChip, { task }),
					/* @__PURE__ */ jsx("span", {
						className: "hint",
						children: "a task of all databases"
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(ServerBackupMenu, {
						task,
						onDone: () => void tasks.refetch(),
						onDeleted: () => go(LIST)
					})
				]
			}),
			tasks.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: tasks.error,
				onRetry: () => void tasks.refetch()
			}),
			/* @__PURE__ */ jsx(BackupEditor, {
				database: void 0,
				before: task
			}, JSON.stringify(task))
		]
	});
}
function StateChip({ task }) {
	return /* @__PURE__ */ jsx(Chip, {
		tone: task.Disabled ? "none" : "good",
		children: task.Disabled ? "disabled" : "enabled"
	});
}
function useWideTasks() {
	return useQuery({
		queryKey: WIDE_TASKS,
		queryFn: async ({ signal }) => (await getJson("/admin/configuration/server-wide/tasks", {
			query: { type: "Backup" },
			signal
		})).Results,
		refetchInterval: (query) => pollMs(query.state.error, 3e4)
	});
}

export { ServerBackupPage, ServerBackupsPage };