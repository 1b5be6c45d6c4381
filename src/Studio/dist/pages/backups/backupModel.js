import { formatTime } from "../../ui/format.js";

// src/pages/backups/backupModel.ts
/** The form of a task, or of a new one. */
function draftOf(configuration) {
	const s3 = configuration?.S3Settings;
	const retention = configuration?.RetentionPolicy;
	return {
		name: configuration?.Name ?? "",
		isDisabled: configuration?.Disabled ?? false,
		full: configuration ? configuration.FullBackupFrequency ?? "" : "0 1 * * 0",
		incremental: configuration ? configuration.IncrementalBackupFrequency ?? "" : "0 1 * * 1-6",
		isSnapshot: configuration?.BackupType === "Snapshot",
		folder: configuration?.LocalSettings?.FolderPath ?? "",
		hasS3: s3 !== void 0 && s3 !== null && !s3.Disabled,
		s3: s3 ?? {},
		keepDays: retention?.MinimumBackupAgeToKeep && !retention.Disabled ? retentionDays(retention.MinimumBackupAgeToKeep) : "",
		key: configuration?.BackupEncryptionSettings?.Key ?? "",
		archivesJournal: configuration?.ArchiveJournal ?? false,
		excluded: (configuration?.ExcludedDatabases ?? []).join(", ")
	};
}
/** Why a form cannot be stored, if the page can tell. */
function draftRefusal(draft) {
	if (draft.full.trim() === "" && draft.incremental.trim() === "") return "Say when the task runs.";
	if (draft.folder.trim() === "" && !draft.hasS3) return "Name a folder or a bucket first.";
	if (draft.hasS3 && (draft.s3.BucketName ?? "").trim() === "") return "Name the bucket first.";
	return draft.keepDays.trim() === "" || /^[1-9]\d{0,5}$/.test(draft.keepDays.trim()) || isTimeSpan(draft.keepDays) ? void 0 : "How long backups are kept is a number of days.";
}
/** The body of a form: members that it does not show stay as they are. */
function configurationOf(draft, before) {
	const keep = draft.keepDays.trim();
	const { LocalSettings: local, ...rest } = before ?? {};
	return {
		...rest,
		Name: draft.name.trim(),
		Disabled: draft.isDisabled,
		FullBackupFrequency: textOrNull(draft.full),
		IncrementalBackupFrequency: textOrNull(draft.incremental),
		BackupType: draft.isSnapshot ? "Snapshot" : "Backup",
		...draft.folder.trim() === "" ? {} : { LocalSettings: {
			...local,
			FolderPath: draft.folder.trim()
		} },
		S3Settings: draft.hasS3 ? s3Of(draft.s3) : null,
		RetentionPolicy: keep === "" ? null : { MinimumBackupAgeToKeep: isTimeSpan(keep) ? keep : `${keep}.00:00:00` },
		BackupEncryptionSettings: draft.key.trim() === "" ? null : {
			EncryptionMode: "UseProvidedKey",
			Key: draft.key.trim()
		},
		ArchiveJournal: draft.archivesJournal
	};
}
/** The body of the form of a task of the server. */
function wideConfigurationOf(draft, before) {
	const names = draft.excluded.split(",").map((name) => name.trim());
	return {
		...configurationOf(draft, before),
		ExcludedDatabases: [...new Set(names.filter((name) => name !== ""))]
	};
}
/** When a task of the server runs, in the words of its schedules. */
function scheduleText(task) {
	return [task.FullBackupFrequency ? `all: ${task.FullBackupFrequency}` : "", task.IncrementalBackupFrequency ? `changes: ${task.IncrementalBackupFrequency}` : ""].filter((part) => part !== "").join(" · ") || "–";
}
/** Where a task of the server writes to. */
function destinationText(task) {
	const bucket = task.S3Settings && !task.S3Settings.Disabled ? `S3: ${task.S3Settings.BucketName ?? ""}` : "";
	return [task.LocalSettings?.FolderPath ?? "", bucket].filter((part) => part !== "").join(", ");
}
/** The settings of a bucket without what is empty. */
function s3Of(settings) {
	return Object.fromEntries(Object.entries({
		...settings,
		Disabled: false
	}).filter(([, value]) => value !== "" && value !== void 0));
}
function textOrNull(text) {
	return text.trim() === "" ? null : text.trim();
}
function isTimeSpan(text) {
	return /^(\d+\.)?\d\d:\d\d:\d\d/.test(text.trim());
}
/** A time span in days, or as it is if it is no number of them. */
function retentionDays(span) {
	return /^(\d+)\.00:00:00(\.0+)?$/.exec(span)?.[1] ?? span;
}
/** How the last run of a task went. */
function taskState(task) {
	if (task.OnGoingBackup) return {
		tone: "info",
		word: "runs now"
	};
	if (task.Error) return {
		tone: "bad",
		word: "failed"
	};
	if (task.TaskState === "Disabled") return {
		tone: "none",
		word: "disabled"
	};
	return task.LastFullBackup === null ? {
		tone: "stale",
		word: "no backup yet"
	} : {
		tone: "good",
		word: "well"
	};
}
/** When a task has run last. */
function lastRun(task) {
	return [task.LastFullBackup, task.LastIncrementalBackup].filter((one) => one !== null).sort().at(-1) ?? null;
}
/** When a task runs next, and what it makes then. */
function nextText(task) {
	if (task.TaskState === "Disabled") return "not by itself";
	return task.NextBackup === null ? "–" : `${formatTime(task.NextBackup.DateTime).slice(0, 16)}, ${task.NextBackup.IsFull ? "full" : "incremental"}`;
}
/** The key of the list of tasks of the server. */
const WIDE_TASKS = ["server-backup-tasks"];
const WIDE_PREFIX = "Server Wide Backup, ";
/** Whether a task is one of the server, which a database only shows and runs. */
function isServerWide(task) {
	return task.TaskName.startsWith(WIDE_PREFIX);
}
/** The name that a task of the server has there, by its name in a database. */
function wideName(task) {
	return task.TaskName.slice(20);
}
/** What a status says went wrong. */
function statusError(status) {
	const error = status?.Error;
	return error === null || error === void 0 ? void 0 : typeof error === "string" ? error : error.Exception ?? JSON.stringify(error);
}
/** The body of a restore: of a folder, or of a bucket if its settings are given. */
function restoreBody(point, choice, s3) {
	return {
		DatabaseName: choice.name.trim(),
		...s3 ? {
			Type: "S3",
			Settings: {
				...s3Of(s3),
				RemoteFolderName: point.Location
			}
		} : { BackupLocation: point.Location },
		...choice.to.trim() === "" ? { LastFileNameToRestore: point.FileName } : { RestoreTo: choice.to.trim() },
		...choice.key.trim() === "" ? {} : { EncryptionKey: choice.key.trim() },
		DisableOngoingTasks: choice.disablesTasks,
		SkipIndexes: choice.skipsIndexes
	};
}
/** Why a restore cannot begin. */
function restoreRefusal(point, choice) {
	if (choice.name.trim() === "") return "Give the database a name first.";
	if (point.IsEncrypted && choice.key.trim() === "") return "It is encrypted: enter its key first.";
	return choice.to.trim() === "" || /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?$/.test(choice.to.trim()) ? void 0 : "Write the time as 2030-01-31T08:30:00Z.";
}

export { WIDE_TASKS, configurationOf, destinationText, draftOf, draftRefusal, isServerWide, lastRun, nextText, restoreBody, restoreRefusal, retentionDays, s3Of, scheduleText, statusError, taskState, wideConfigurationOf, wideName };