import { databasePath, getJson } from "../../api/http.js";
import { pollMs } from "../../api/polling.js";
import { Link } from "../../app/link.js";
import { databasePlace, placeUrl, useDatabase, useGo, useSearchState, useSetSearch } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { Chip } from "../../ui/chip.js";
import { formatTime } from "../../ui/format.js";
import { Empty, ErrorBox, Loading } from "../../ui/states.js";
import { OperationBar } from "../operations/operationBar.js";
import { BackupMenu } from "./backupActions.js";
import { lastRun, nextText, taskState } from "./backupModel.js";
import { useQuery } from "../../vendor/query.js";
import { jsx, jsxs } from "../../vendor/react.js";

// src/pages/backups/backupsPage.tsx
/** The tasks that back a database up: how the last run went, and when the next one is. */
function BackupsPage() {
	const database = useDatabase();
	const { operation } = useSearchState();
	const setSearch = useSetSearch();
	const go = useGo();
	const tasks = useBackupTasks(database);
	if (tasks.isPending) return /* @__PURE__ */ jsx(Loading, { what: "the backups" });
	if (!tasks.data) return /* @__PURE__ */ jsx(ErrorBox, {
		title: "The backups cannot be listed",
		error: tasks.error,
		onRetry: () => void tasks.refetch()
	});
	const all = tasks.data;
	const again = () => void tasks.refetch();
	const place = (search) => placeUrl(databasePlace(database, "backup"), search);
	const create = /* @__PURE__ */ jsx(Button, {
		kind: "primary",
		icon: "plus",
		onClick: () => go(place({ new: "1" })),
		children: "New"
	});
	const running = operation ?? all.map((one) => one.OnGoingBackup?.RunningBackupTaskId).find((id) => id !== void 0);
	return /* @__PURE__ */ jsxs("div", {
		className: "page",
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					/* @__PURE__ */ jsx("h1", { children: "Backups" }),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Link, {
						className: "button quiet",
						href: placeUrl("/restore"),
						children: "Restore…"
					}),
					all.length > 0 && create
				]
			}),
			tasks.error && /* @__PURE__ */ jsx(ErrorBox, {
				error: tasks.error,
				onRetry: again
			}),
			running !== void 0 && /* @__PURE__ */ jsx(OperationBar, {
				database,
				id: String(running),
				title: "Backup",
				onClose: () => setSearch({ operation: void 0 }),
				onEnd: again
			}, running),
			all.length === 0 ? /* @__PURE__ */ jsx(Empty, {
				icon: "history",
				title: "Nothing backs this database up",
				action: create,
				children: "A task copies it to a folder or a bucket at set times: all of it now and then, and in between what has changed."
			}) : /* @__PURE__ */ jsx("section", {
				className: "scroll",
				"aria-label": "Backups",
				tabIndex: 0,
				children: /* @__PURE__ */ jsxs("table", {
					className: "plain-table",
					children: [/* @__PURE__ */ jsx("thead", { children: /* @__PURE__ */ jsxs("tr", { children: [
						/* @__PURE__ */ jsx("th", { children: "Task" }),
						/* @__PURE__ */ jsx("th", { children: "State" }),
						/* @__PURE__ */ jsx("th", { children: "Last backup" }),
						/* @__PURE__ */ jsx("th", { children: "Next" }),
						/* @__PURE__ */ jsx("th", { children: "To" }),
						/* @__PURE__ */ jsx("th", { children: /* @__PURE__ */ jsx("span", {
							className: "offscreen",
							children: "Actions"
						}) })
					] }) }), /* @__PURE__ */ jsx("tbody", { children: all.map((one) => {
						const state = taskState(one);
						return /* @__PURE__ */ jsxs("tr", { children: [
							/* @__PURE__ */ jsx("th", {
								scope: "row",
								className: "break",
								children: /* @__PURE__ */ jsx(Link, {
									href: place({ task: String(one.TaskId) }),
									children: one.TaskName
								})
							}),
							/* @__PURE__ */ jsxs("td", { children: [/* @__PURE__ */ jsx(Chip, {
								tone: state.tone,
								children: state.word
							}), one.Error && /* @__PURE__ */ jsx("p", {
								className: "bad break",
								children: one.Error
							})] }),
							/* @__PURE__ */ jsx("td", {
								className: "nowrap",
								children: lastRun(one) === null ? "never" : formatTime(lastRun(one)).slice(0, 16)
							}),
							/* @__PURE__ */ jsx("td", {
								className: "nowrap",
								children: nextText(one)
							}),
							/* @__PURE__ */ jsxs("td", { children: [one.BackupDestinations.join(", "), one.IsEncrypted ? " (encrypted)" : ""] }),
							/* @__PURE__ */ jsx("td", {
								className: "actions",
								children: /* @__PURE__ */ jsx(BackupMenu, {
									database,
									task: one,
									onStarted: (id) => setSearch({ operation: String(id) }),
									onDone: again
								})
							})
						] }, one.TaskId);
					}) })]
				})
			})
		]
	});
}
/** The tasks of a database that back it up. */
function useBackupTasks(database) {
	return useQuery({
		queryKey: ["backup-tasks", database],
		queryFn: async ({ signal }) => (await getJson(databasePath(database, "tasks"), { signal })).OngoingTasks.filter((one) => one.TaskType === "Backup"),
		refetchInterval: (query) => pollMs(query.state.error, query.state.data?.some((one) => one.OnGoingBackup) ? 2e3 : 1e4)
	});
}

export { BackupsPage, useBackupTasks };