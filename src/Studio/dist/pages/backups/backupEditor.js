import { databasePath, send } from "../../api/http.js";
import { announce } from "../../app/announcer.js";
import { databasePlace, placeUrl, useGo } from "../../app/places.js";
import { Button } from "../../ui/button.js";
import { CopyButton } from "../../ui/copy.js";
import { ErrorBox } from "../../ui/states.js";
import { useTask } from "../../ui/useTask.js";
import { WIDE_TASKS, configurationOf, draftOf, draftRefusal, wideConfigurationOf } from "./backupModel.js";
import { CronField } from "./cronField.js";
import { FolderField } from "./folderField.js";
import { S3Fields } from "./s3Fields.js";
import { useQueryClient } from "../../vendor/query.js";
import { jsx, jsxs, useState } from "../../vendor/react.js";

// src/pages/backups/backupEditor.tsx
/** Makes a task of a database or of the server, or changes one. */
function BackupEditor({ database, before, refusal: ownRefusal, onStored }) {
	const client = useQueryClient();
	const go = useGo();
	const [draft, setDraft] = useState(() => draftOf(before));
	const { isBusy, error, run, dismiss } = useTask();
	const set = (change) => setDraft((now) => ({
		...now,
		...change
	}));
	const isChanged = !before || JSON.stringify(draft) !== JSON.stringify(draftOf(before));
	const refusal = ownRefusal ?? draftRefusal(draft) ?? (isChanged ? void 0 : "Nothing is changed.");
	const isMasked = /^\*+$/.test(draft.key);
	const store = async (of) => {
		const body = configurationOf(draft, before);
		const answer = await send("POST", databasePath(of, "admin/periodic-backup"), {
			body,
			isSecret: true
		});
		const { TaskId } = JSON.parse(answer.text);
		return placeUrl(databasePlace(of, "backup"), { task: String(TaskId) });
	};
	const storeWide = async () => {
		const body = wideConfigurationOf(draft, before);
		const answer = await send("PUT", "/admin/configuration/server-wide/backup", {
			body,
			isSecret: true
		});
		return placeUrl("/backup", { name: JSON.parse(answer.text).Name });
	};
	const save = () => run(async () => {
		const place = database === void 0 ? await storeWide() : await store(database);
		announce("The task is stored.");
		await client.invalidateQueries({ queryKey: database === void 0 ? WIDE_TASKS : ["backup-tasks", database] });
		onStored?.();
		if (!before) go(place);
	});
	return /* @__PURE__ */ jsxs("form", {
		className: "page",
		onSubmit: (event) => {
			event.preventDefault();
			if (refusal === void 0 && !isBusy) save();
		},
		children: [
			/* @__PURE__ */ jsxs("div", {
				className: "page-head",
				children: [
					!before && /* @__PURE__ */ jsx("h1", { children: database === void 0 ? "New backup of all databases" : "New backup" }),
					ownRefusal && /* @__PURE__ */ jsx("span", {
						className: "hint",
						children: ownRefusal
					}),
					/* @__PURE__ */ jsx("span", { className: "grow" }),
					/* @__PURE__ */ jsx(Button, {
						kind: "primary",
						icon: "save",
						type: "submit",
						isBusy,
						refusal,
						children: before ? "Save" : "Create"
					})
				]
			}),
			error !== void 0 && /* @__PURE__ */ jsx(ErrorBox, {
				title: "It was not stored",
				error,
				onDismiss: dismiss
			}),
			/* @__PURE__ */ jsx("section", {
				className: "scroll",
				"aria-label": "Configuration",
				tabIndex: 0,
				children: /* @__PURE__ */ jsxs("div", {
					className: "form",
					children: [
						database === void 0 && before ? null : /* @__PURE__ */ jsxs("label", {
							className: "field",
							children: [/* @__PURE__ */ jsx("span", { children: "Name (empty: the server chooses one)" }), /* @__PURE__ */ jsx("input", {
								value: draft.name,
								autoComplete: "off",
								onChange: (event) => set({ name: event.target.value })
							})]
						}),
						database === void 0 && /* @__PURE__ */ jsxs("label", {
							className: "field",
							children: [/* @__PURE__ */ jsx("span", { children: "Databases that it leaves out (with commas between them; empty: none)" }), /* @__PURE__ */ jsx("input", {
								value: draft.excluded,
								autoComplete: "off",
								spellCheck: false,
								onChange: (event) => set({ excluded: event.target.value })
							})]
						}),
						/* @__PURE__ */ jsxs("fieldset", { children: [
							/* @__PURE__ */ jsx("legend", { children: "When" }),
							/* @__PURE__ */ jsxs("div", {
								className: "fields",
								children: [/* @__PURE__ */ jsx(CronField, {
									title: "All of it (cron)",
									value: draft.full,
									onChange: (full) => set({ full })
								}), /* @__PURE__ */ jsx(CronField, {
									title: "What has changed (cron)",
									value: draft.incremental,
									onChange: (incremental) => set({ incremental })
								})]
							}),
							/* @__PURE__ */ jsxs("label", {
								className: "check",
								children: [/* @__PURE__ */ jsx("input", {
									type: "checkbox",
									checked: draft.isDisabled,
									onChange: (event) => set({ isDisabled: event.target.checked })
								}), /* @__PURE__ */ jsx("span", { children: "Disabled: it runs only when it is started by hand" })]
							})
						] }),
						/* @__PURE__ */ jsxs("fieldset", { children: [
							/* @__PURE__ */ jsx("legend", { children: "Where to" }),
							/* @__PURE__ */ jsx(FolderField, {
								database,
								value: draft.folder,
								onChange: (folder) => set({ folder })
							}),
							/* @__PURE__ */ jsxs("label", {
								className: "check",
								children: [/* @__PURE__ */ jsx("input", {
									type: "checkbox",
									checked: draft.hasS3,
									onChange: (event) => set({ hasS3: event.target.checked })
								}), /* @__PURE__ */ jsx("span", { children: "A bucket that speaks S3" })]
							}),
							draft.hasS3 && /* @__PURE__ */ jsx(S3Fields, {
								value: draft.s3,
								onChange: (s3) => set({ s3 })
							})
						] }),
						/* @__PURE__ */ jsxs("fieldset", { children: [
							/* @__PURE__ */ jsx("legend", { children: "How" }),
							/* @__PURE__ */ jsxs("div", {
								className: "fields",
								children: [/* @__PURE__ */ jsxs("label", {
									className: "field",
									children: [/* @__PURE__ */ jsx("span", { children: "Full backups are kept for (days; empty: for ever)" }), /* @__PURE__ */ jsx("input", {
										value: draft.keepDays,
										inputMode: "numeric",
										placeholder: "30",
										onChange: (event) => set({ keepDays: event.target.value })
									})]
								}), /* @__PURE__ */ jsxs("label", {
									className: "field",
									children: [/* @__PURE__ */ jsx("span", { children: "Files are called" }), /* @__PURE__ */ jsxs("select", {
										value: draft.isSnapshot ? "Snapshot" : "Backup",
										onChange: (event) => set({ isSnapshot: event.target.value === "Snapshot" }),
										children: [/* @__PURE__ */ jsx("option", {
											value: "Backup",
											children: "backups"
										}), /* @__PURE__ */ jsx("option", {
											value: "Snapshot",
											children: "snapshots (the same is in them)"
										})]
									})]
								})]
							}),
							/* @__PURE__ */ jsxs("label", {
								className: "field",
								children: [/* @__PURE__ */ jsx("span", { children: "Key that encrypts them: 32 bytes in base64 (empty: not encrypted)" }), /* @__PURE__ */ jsx("input", {
									className: "mono",
									value: draft.key,
									autoComplete: "off",
									spellCheck: false,
									onChange: (event) => set({ key: event.target.value })
								})]
							}),
							/* @__PURE__ */ jsxs("div", {
								className: "row",
								children: [
									/* @__PURE__ */ jsx(Button, {
										icon: "key",
										onClick: () => set({ key: newKey() }),
										children: "Make a key"
									}),
									draft.key !== "" && !isMasked && /* @__PURE__ */ jsx(CopyButton, {
										text: draft.key,
										children: "Copy the key"
									}),
									/* @__PURE__ */ jsx("span", {
										className: draft.key !== "" && !isMasked ? "hint bad" : "hint",
										children: isMasked ? "The server has the key, and shows it to nobody." : "Keep it apart: without it an encrypted backup cannot be read, and it is shown here alone."
									})
								]
							}),
							/* @__PURE__ */ jsxs("label", {
								className: "check",
								children: [/* @__PURE__ */ jsx("input", {
									type: "checkbox",
									checked: draft.archivesJournal,
									onChange: (event) => set({ archivesJournal: event.target.checked })
								}), /* @__PURE__ */ jsx("span", { children: "Archive the journal each minute, to restore to a time" })]
							})
						] })
					]
				})
			})
		]
	});
}
/** 32 random bytes in base64. */
function newKey() {
	return btoa(String.fromCharCode(...crypto.getRandomValues(/* @__PURE__ */ new Uint8Array(32))));
}

export { BackupEditor };