import { getJson } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { Chip } from "../../ui/chip.js";
import { formatBytes, formatDuration, formatTime } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { Tabs } from "../../ui/tabs.js";
import { OperationBar } from "../operations/operationBar.js";
import { BackupMenu } from "./backupActions.js";
import { BackupEditor } from "./backupEditor.js";
import { isServerWide, nextText, statusError, taskState, wideName } from "./backupModel.js";
import { useBackupTasks } from "./backupsPage.js";
import { useQuery } from "../../vendor/query.js";
import { Fragment, jsx, jsxs } from "../../vendor/react.js";

// src/pages/backups/backupPage.tsx
/** One task that backs a database up, or a new one. */
function BackupPage() {
	const database = useDatabase();
	const { task = "", new: isNew } = useSearchState();
	return isNew ? /* @__PURE__ */ jsx(BackupEditor, {
		database,
		before: void 0
	}) : /* @__PURE__ */ jsx(ExistingTask, {
		database,
		id: task
	}, task);
}
function ExistingTask({ database, id }) {
	const { tab = "status", operation } = useSearchState();
	const setSearch = useSetSearch();
	const go = useGo();
	const tasks = useBackupTasks(database);
	const status = useQuery({
		queryKey: [
			"backup-status",
			database,
			id
		],
		queryFn: ({ signal }) => getJson("/periodic-backup/status", {
			query: {
				name: database,
				taskId: id
			},
			signal
		}),
		refetchInterval: (query) => pollMs(query.state.error, 1e4)
	});
	const configuration = useQuery({
		queryKey: [
			"backup-configuration",
			database,
			id
		],
		queryFn: ({ signal }) => getJson("/periodic-backup", {
			query: {
				name: database,
				taskId: id
			},
			signal
		})
	});
	const list = placeUrl(databasePlace(database, "backups"));
	const task = tasks.data?.find((one) => String(one.TaskId) === id);
	if (tasks.error) return /* @__PURE__ */ jsx(ErrorBox, {
		error: tasks.error,
		onRetry: () => void tasks.refetch()
	});
	if (!tasks.data) return /* @__PURE__ */ jsx(Loading, { what: "the task" });
	if (!task) return /* @__PURE__ */ jsx(Empty, {
		icon: "history",
		title: `There is no task ${id} that backs up`,
		action: /* @__PURE__ */ jsx(Link, {
			href: list,
			children: "All backups"
		})
	});
	const again = () => {
		tasks.refetch();
		status.refetch();
	};
	const { tone, word } = taskState(task);
	const running = operation ?? task.OnGoingBackup?.RunningBackupTaskId;
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", {
						className: "ellipsis",
						title: task.TaskName,
						children: task.TaskName
					}),
					/* @__PURE__ */ jsx(Chip, {
						tone,
						children: word
					}),
					isServerWide(task) && /* @__PURE__ */ jsx(Link, {
						href: placeUrl("/backup", { name: wideName(task) }),
						children: "a task of all databases"
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(BackupMenu, {
						database,
						task,
						onStarted: (started) => setSearch({ operation: String(started) }),
						onDone: again,
						onDeleted: () => go(list)
					})
				]
			}),
			running !== void 0 && /* @__PURE__ */ jsx(OperationBar, {
				database,
				id: String(running),
				title: "Backup",
				onClose: () => setSearch({ operation: void 0 }),
				onEnd: again
			}, running),
			/* @__PURE__ */ jsx(Tabs, {
				name: `Parts of ${task.TaskName}`,
				value: tab,
				onChange: (key) => setSearch({ tab: key === "status" ? void 0 : key }),
				entries: [{
					key: "status",
					title: "How it went",
					content: () => status.error ? /* @__PURE__ */ jsx(ErrorBox, {
						error: status.error,
						onRetry: () => void status.refetch()
					}) : status.data ? /* @__PURE__ */ jsx(Status, {
						task,
						status: status.data.Status,
						folder: configuration.data?.LocalSettings?.FolderPath
					}) : /* @__PURE__ */ jsx(Loading, { what: "how it went" })
				}, {
					key: "configuration",
					title: "Configuration",
					content: () => configuration.error ? /* @__PURE__ */ jsx(ErrorBox, {
						error: configuration.error,
						onRetry: () => void configuration.refetch()
					}) : configuration.data ? /* @__PURE__ */ jsx(BackupEditor, {
						database,
						before: configuration.data,
						onStored: () => {
							configuration.refetch();
							again();
						},
						...isServerWide(task) ? { refusal: "It is a task of all databases: it is changed for the server as a whole." } : {}
					}) : /* @__PURE__ */ jsx(Loading, { what: "the configuration" })
				}]
			})
		]
	});
}
function Status({ task, status, folder }) {
	const error = statusError(status);
	const history = status?.History ?? [];
	const archive = status?.JournalArchive;
	return /* @__PURE__ */ jsxs("section", {
		className: "scroll",
		"aria-label": "How it went",
		tabIndex: 0,
		children: [
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "The last run failed",
				error: new Error(error)
			}),
			/* @__PURE__ */ jsxs("dl", {
				className: "facts",
				children: [
					/* @__PURE__ */ jsx("dt", { children: "Next run" }),
					/* @__PURE__ */ jsx("dd", { children: nextText(task) }),
					/* @__PURE__ */ jsx("dt", { children: "Last full backup" }),
					/* @__PURE__ */ jsx("dd", { children: status?.LastFullBackup ? formatTime(status.LastFullBackup) : "never" }),
					/* @__PURE__ */ jsx("dt", { children: "Last incremental one" }),
					/* @__PURE__ */ jsx("dd", { children: status?.LastIncrementalBackup ? formatTime(status.LastIncrementalBackup) : "never" }),
					status?.DelayUntil && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx("dt", { children: "Put off until" }), /* @__PURE__ */ jsx("dd", { children: formatTime(status.DelayUntil) })] }),
					/* @__PURE__ */ jsx("dt", { children: "Last folder" }),
					/* @__PURE__ */ jsx("dd", { children: /* @__PURE__ */ jsx("code", { children: status?.LocalBackup?.BackupDirectory ?? status?.FolderName ?? "none" }) }),
					/* @__PURE__ */ jsx("dt", { children: "Files compared" }),
					/* @__PURE__ */ jsx("dd", {
						className: status?.LastVerified?.Error ? "bad" : "",
						children: status?.LastVerified ? `${formatTime(status.LastVerified.At)}: ${status.LastVerified.Error ?? "all as they were written"}` : "never"
					}),
					archive && /* @__PURE__ */ jsxs(Fragment, { children: [/* @__PURE__ */ jsx("dt", { children: "Journal archived up to" }), /* @__PURE__ */ jsx("dd", {
						className: archive.Error ? "bad" : "",
						children: archive.Error ?? formatTime(archive.LastCommittedAt)
					})] })
				]
			}),
			/* @__PURE__ */ jsx("div", {
				className: "row padded",
				children: folder && /* @__PURE__ */ jsx(Link, {
					className: "button",
					href: placeUrl("/restore", { folder }),
					children: "Restore from its folder…"
				})
			}),
			/* @__PURE__ */ jsx("h2", {
				className: "padded",
				children: "Runs"
			}),
			history.length === 0 ? /* @__PURE__ */ jsx("p", {
				className: "muted padded",
				children: "It has not run yet."
			}) : /* @__PURE__ */ jsxs("table", {
				className: "plain-table",
				children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsx("th", { children: "When" }),
					/* @__PURE__ */ jsx("th", { children: "What" }),
					/* @__PURE__ */ jsx("th", { children: "Result" }),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Size"
					}),
					/* @__PURE__ */ jsx("th", {
						className: "number",
						children: "Took"
					})
				] }) }), /* @__PURE__ */ jsx("tbody", { children: [...history].sort((a, b) => a.At < b.At ? 1 : -1).map((run) => /* @__PURE__ */ jsxs("tr", { children: [
					/* @__PURE__ */ jsx("td", {
						className: "nowrap",
						children: formatTime(run.At)
					}),
					/* @__PURE__ */ jsxs("td", { children: [run.IsFull ? "full" : "incremental", run.WhyFull && /* @__PURE__ */ jsx("span", {
						className: "muted",
						children: `: ${run.WhyFull}`
					})] }),
					/* @__PURE__ */ jsxs("td", {
						className: run.Error ? "bad break" : "break",
						children: [run.Error ?? run.FileName ?? "nothing had changed", run.Removed.length > 0 && /* @__PURE__ */ jsx("span", {
							className: "muted",
							children: `, ${run.Removed.length} old removed`
						})]
					}),
					/* @__PURE__ */ jsx("td", {
						className: "number",
						children: formatBytes(run.SizeInBytes)
					}),
					/* @__PURE__ */ jsx("td", {
						className: "number",
						children: formatDuration(run.DurationInMs)
					})
				] }, `${run.At} ${run.FileName}`)) })]
			})
		]
	});
}

export { BackupPage };