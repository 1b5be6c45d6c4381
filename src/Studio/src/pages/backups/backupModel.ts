import type { Tone } from "../../ui/chip";
import { formatTime } from "../../ui/format";

/** A task of GET tasks with the type Backup. */
export interface BackupTask {
  readonly TaskId: number;
  readonly TaskType: string;
  readonly TaskName: string;
  readonly TaskState: "Enabled" | "Disabled" | string;
  readonly BackupType: string;
  readonly BackupDestinations: readonly string[];
  readonly LastFullBackup: string | null;
  readonly LastIncrementalBackup: string | null;
  readonly IsEncrypted: boolean;
  readonly OnGoingBackup: {
    readonly StartTime: string;
    readonly IsFull: boolean;
    readonly RunningBackupTaskId: number;
  } | null;
  readonly NextBackup: { readonly DateTime: string; readonly IsFull: boolean } | null;
  readonly Error: string | null;
}

/** One run of a task. */
export interface BackupRun {
  readonly At: string;
  readonly IsFull: boolean;
  readonly FileName: string | null;
  readonly SizeInBytes: number;
  readonly DurationInMs: number;
  readonly WhyFull: string | null;
  readonly Error: string | null;
  readonly Removed: readonly string[];
}

/** GET /periodic-backup/status */
export interface BackupStatus {
  readonly LastFullBackup: string | null;
  readonly LastIncrementalBackup: string | null;
  readonly DurationInMs: number | null;
  readonly DelayUntil: string | null;
  readonly FolderName: string | null;
  readonly LocalBackup: { readonly BackupDirectory: string | null } | null;
  readonly Error: { readonly Exception?: string; readonly At?: string } | string | null;
  readonly History: readonly BackupRun[] | null;
  readonly LastVerified: { readonly At: string; readonly Mode: string; readonly Error: string | null } | null;
  readonly JournalArchive?: {
    readonly LastCommittedAt: string | null;
    readonly Error: string | null;
  } | null;
}

/** Where a bucket is, and who may use it. */
export interface S3Settings {
  readonly BucketName?: string;
  readonly RemoteFolderName?: string;
  readonly AwsAccessKey?: string;
  readonly AwsSecretKey?: string;
  readonly AwsRegionName?: string;
  readonly CustomServerUrl?: string;
  readonly ForcePathStyle?: boolean;
  readonly Disabled?: boolean;
  readonly [name: string]: unknown;
}

/** GET /periodic-backup: secrets are asterisks, and sent back so they stay as they are. */
export interface BackupConfiguration {
  readonly TaskId?: number;
  readonly Name?: string;
  readonly Disabled?: boolean;
  readonly FullBackupFrequency?: string | null;
  readonly IncrementalBackupFrequency?: string | null;
  readonly BackupType?: string;
  readonly LocalSettings?: { readonly FolderPath?: string; readonly [name: string]: unknown } | null;
  readonly S3Settings?: S3Settings | null;
  readonly RetentionPolicy?: { readonly Disabled?: boolean; readonly MinimumBackupAgeToKeep?: string | null } | null;
  readonly BackupEncryptionSettings?: { readonly EncryptionMode?: string; readonly Key?: string | null } | null;
  readonly ArchiveJournal?: boolean;
  /** Of a task of the server: the databases that it leaves out. */
  readonly ExcludedDatabases?: readonly string[] | null;
  readonly [name: string]: unknown;
}

/** What stands in the form of a task. */
export interface BackupDraft {
  readonly name: string;
  readonly isDisabled: boolean;
  readonly full: string;
  readonly incremental: string;
  readonly isSnapshot: boolean;
  readonly folder: string;
  readonly hasS3: boolean;
  readonly s3: S3Settings;
  readonly keepDays: string;
  readonly key: string;
  readonly archivesJournal: boolean;
  /** Names of databases with commas between them. */
  readonly excluded: string;
}

/** The form of a task, or of a new one. */
export function draftOf(configuration: BackupConfiguration | undefined): BackupDraft {
  const s3 = configuration?.S3Settings;
  const retention = configuration?.RetentionPolicy;
  return {
    name: configuration?.Name ?? "",
    isDisabled: configuration?.Disabled ?? false,
    full: configuration ? (configuration.FullBackupFrequency ?? "") : "0 1 * * 0",
    incremental: configuration ? (configuration.IncrementalBackupFrequency ?? "") : "0 1 * * 1-6",
    isSnapshot: configuration?.BackupType === "Snapshot",
    folder: configuration?.LocalSettings?.FolderPath ?? "",
    hasS3: s3 !== undefined && s3 !== null && !s3.Disabled,
    s3: s3 ?? {},
    keepDays:
      retention?.MinimumBackupAgeToKeep && !retention.Disabled ? retentionDays(retention.MinimumBackupAgeToKeep) : "",
    key: configuration?.BackupEncryptionSettings?.Key ?? "",
    archivesJournal: configuration?.ArchiveJournal ?? false,
    excluded: (configuration?.ExcludedDatabases ?? []).join(", "),
  };
}

/** Why a form cannot be stored, if the page can tell. */
export function draftRefusal(draft: BackupDraft): string | undefined {
  if (draft.full.trim() === "" && draft.incremental.trim() === "") {
    return "Say when the task runs.";
  }
  if (draft.folder.trim() === "" && !draft.hasS3) {
    return "Name a folder or a bucket first.";
  }
  if (draft.hasS3 && (draft.s3.BucketName ?? "").trim() === "") {
    return "Name the bucket first.";
  }
  return draft.keepDays.trim() === "" || /^[1-9]\d{0,5}$/.test(draft.keepDays.trim()) || isTimeSpan(draft.keepDays)
    ? undefined
    : "How long backups are kept is a number of days.";
}

/** The body of a form: members that it does not show stay as they are. */
export function configurationOf(draft: BackupDraft, before: BackupConfiguration | undefined): BackupConfiguration {
  const keep = draft.keepDays.trim();
  const { LocalSettings: local, ...rest } = before ?? {};
  return {
    ...rest,
    Name: draft.name.trim(),
    Disabled: draft.isDisabled,
    FullBackupFrequency: textOrNull(draft.full),
    IncrementalBackupFrequency: textOrNull(draft.incremental),
    BackupType: draft.isSnapshot ? "Snapshot" : "Backup",
    ...(draft.folder.trim() === "" ? {} : { LocalSettings: { ...local, FolderPath: draft.folder.trim() } }),
    S3Settings: draft.hasS3 ? s3Of(draft.s3) : null,
    RetentionPolicy: keep === "" ? null : { MinimumBackupAgeToKeep: isTimeSpan(keep) ? keep : `${keep}.00:00:00` },
    BackupEncryptionSettings:
      draft.key.trim() === "" ? null : { EncryptionMode: "UseProvidedKey", Key: draft.key.trim() },
    ArchiveJournal: draft.archivesJournal,
  };
}

/** The body of the form of a task of the server. */
export function wideConfigurationOf(draft: BackupDraft, before: BackupConfiguration | undefined): BackupConfiguration {
  const names = draft.excluded.split(",").map((name) => name.trim());
  return { ...configurationOf(draft, before), ExcludedDatabases: [...new Set(names.filter((name) => name !== ""))] };
}

/** When a task of the server runs, in the words of its schedules. */
export function scheduleText(task: BackupConfiguration): string {
  const parts = [
    task.FullBackupFrequency ? `all: ${task.FullBackupFrequency}` : "",
    task.IncrementalBackupFrequency ? `changes: ${task.IncrementalBackupFrequency}` : "",
  ];
  return parts.filter((part) => part !== "").join(" · ") || "–";
}

/** Where a task of the server writes to. */
export function destinationText(task: BackupConfiguration): string {
  const bucket = task.S3Settings && !task.S3Settings.Disabled ? `S3: ${task.S3Settings.BucketName ?? ""}` : "";
  return [task.LocalSettings?.FolderPath ?? "", bucket].filter((part) => part !== "").join(", ");
}

/** The settings of a bucket without what is empty. */
export function s3Of(settings: S3Settings): S3Settings {
  return Object.fromEntries(
    Object.entries({ ...settings, Disabled: false }).filter(([, value]) => value !== "" && value !== undefined),
  );
}

function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

function isTimeSpan(text: string): boolean {
  return /^(\d+\.)?\d\d:\d\d:\d\d/.test(text.trim());
}

/** A time span in days, or as it is if it is no number of them. */
export function retentionDays(span: string): string {
  return /^(\d+)\.00:00:00(\.0+)?$/.exec(span)?.[1] ?? span;
}

/** How the last run of a task went. */
export function taskState(task: BackupTask): { tone: Tone; word: string } {
  if (task.OnGoingBackup) {
    return { tone: "info", word: "runs now" };
  }
  if (task.Error) {
    return { tone: "bad", word: "failed" };
  }
  if (task.TaskState === "Disabled") {
    return { tone: "none", word: "disabled" };
  }
  return task.LastFullBackup === null ? { tone: "stale", word: "no backup yet" } : { tone: "good", word: "well" };
}

/** When a task has run last. */
export function lastRun(task: BackupTask): string | null {
  const times = [task.LastFullBackup, task.LastIncrementalBackup].filter((one): one is string => one !== null);
  return times.sort().at(-1) ?? null;
}

/** When a task runs next, and what it makes then. */
export function nextText(task: BackupTask): string {
  if (task.TaskState === "Disabled") {
    return "not by itself";
  }
  return task.NextBackup === null
    ? "–"
    : `${formatTime(task.NextBackup.DateTime).slice(0, 16)}, ${task.NextBackup.IsFull ? "full" : "incremental"}`;
}

/** The key of the list of tasks of the server. */
export const WIDE_TASKS = ["server-backup-tasks"];

const WIDE_PREFIX = "Server Wide Backup, ";

/** Whether a task is one of the server, which a database only shows and runs. */
export function isServerWide(task: { readonly TaskName: string }): boolean {
  return task.TaskName.startsWith(WIDE_PREFIX);
}

/** The name that a task of the server has there, by its name in a database. */
export function wideName(task: { readonly TaskName: string }): string {
  return task.TaskName.slice(WIDE_PREFIX.length);
}

/** What a status says went wrong. */
export function statusError(status: BackupStatus | null | undefined): string | undefined {
  const error = status?.Error;
  return error === null || error === undefined
    ? undefined
    : typeof error === "string"
      ? error
      : (error.Exception ?? JSON.stringify(error));
}

/** A file that a backup can be restored up to. */
export interface RestorePoint {
  readonly DateTime: string;
  readonly Location: string;
  readonly FileName: string;
  readonly IsEncrypted: boolean;
  readonly IsIncremental: boolean;
  readonly FilesToRestore: number;
  readonly DatabaseName: string;
  readonly SizeInBytes: number;
}

/** What is restored, and how. */
export interface RestoreChoice {
  readonly name: string;
  readonly key: string;
  /** A time within the journal that was archived; empty for the point itself. */
  readonly to: string;
  readonly disablesTasks: boolean;
  readonly skipsIndexes: boolean;
}

/** The body of a restore: of a folder, or of a bucket if its settings are given. */
export function restoreBody(point: RestorePoint, choice: RestoreChoice, s3: S3Settings | undefined): object {
  return {
    DatabaseName: choice.name.trim(),
    ...(s3
      ? { Type: "S3", Settings: { ...s3Of(s3), RemoteFolderName: point.Location } }
      : { BackupLocation: point.Location }),
    ...(choice.to.trim() === "" ? { LastFileNameToRestore: point.FileName } : { RestoreTo: choice.to.trim() }),
    ...(choice.key.trim() === "" ? {} : { EncryptionKey: choice.key.trim() }),
    DisableOngoingTasks: choice.disablesTasks,
    SkipIndexes: choice.skipsIndexes,
  };
}

/** Why a restore cannot begin. */
export function restoreRefusal(point: RestorePoint, choice: RestoreChoice): string | undefined {
  if (choice.name.trim() === "") {
    return "Give the database a name first.";
  }
  if (point.IsEncrypted && choice.key.trim() === "") {
    return "It is encrypted: enter its key first.";
  }
  return choice.to.trim() === "" || /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?$/.test(choice.to.trim())
    ? undefined
    : "Write the time as 2030-01-31T08:30:00Z.";
}
