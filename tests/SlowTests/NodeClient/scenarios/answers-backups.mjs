// Answers of backups, restores and forgotten deletions as they are, without the client.
import { strict as assert } from "node:assert";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scenario } from "../harness.mjs";
import { all, ended, send, sendOk, shape } from "../raw.mjs";

scenario("a task of backups, its runs, their files and a restore, in raw", async ({ url, database }) => {
    const base = `/databases/${database}`;
    const restored = `${database}-restored`;
    const FolderPath = await mkdtemp(join(tmpdir(), "raven-backups-"));
    const LocalSettings = { FolderPath };
    const finish = async ({ OperationId }, place = "") => {
        const state = await ended(url, `${place}/operations/state?id=${OperationId}`);
        assert.equal(state.Status, "Completed", JSON.stringify(state));
    };
    try {
        await sendOk(url, "PUT", `${base}/docs?id=users/1`, { "@metadata": { "@collection": "Users" } });
        const task = await sendOk(url, "POST", `${base}/admin/periodic-backup`, {
            Name: "nightly", BackupType: "Backup", FullBackupFrequency: "0 2 * * *", LocalSettings,
        });
        shape(task, all("number", "TaskId", "RaftCommandIndex"));
        const run = await sendOk(url, "POST", `${base}/admin/backup/database?taskId=${task.TaskId}&isFullBackup=true`);
        shape(run, { ResponsibleNode: "string", OperationId: "number" });
        await finish(run, base);
        const once = await sendOk(url, "POST", `${base}/admin/backup`, { BackupType: "Backup", LocalSettings });
        shape(once, { ResponsibleNode: "string", OperationId: "number" });
        await finish(once, base);
        const { Status } = await sendOk(url, "GET", `/periodic-backup/status?name=${database}&taskId=${task.TaskId}`);
        shape(Status, {
            ...all("string", "BackupType", "NodeTag", "LastFullBackup", "FolderName", "LastDatabaseChangeVector", "CreatedAt",
                "LocalBackup.BackupDirectory", "LocalBackup.FileName", "History[].At", "History[].FileName",
                "LastVerified.At", "LastVerified.Mode"),
            ...all("number", "TaskId", "DurationInMs", "LastOperationId", "LastEtag", "LastRaftIndex.LastEtag",
                "History[].SizeInBytes", "LastVerified.SizeInBytes"),
            ...all("boolean", "IsFull", "IsEncrypted", "LocalBackup.TempFolderUsed", "History[].IsFull"),
            ...all("null", "Error", "DelayUntil", "LocalBackup.Exception"),
        });
        shape(await sendOk(url, "GET", `${base}/admin/periodic-backup/config`), {
            LocalRootPath: "null", AllowedDestinations: "array", AllowedAwsRegions: "array",
        });
        shape(await sendOk(url, "GET", `${base}/admin/backup/running`), { OnGoingBackup: "null" });
        shape(await sendOk(url, "GET", `/periodic-backup?name=${database}&taskId=${task.TaskId}`), {
            TaskId: "number", ...all("string", "Name", "FullBackupFrequency", "LocalSettings.FolderPath"),
            LocalSettings: "object",
        });
        const directory = `${base}/admin/backup-data-directory?path=${encodeURIComponent(FolderPath)}`;
        shape(await sendOk(url, "GET", directory), {
            List: "array", ...all("string", "List[].NodeTag", "List[].FullPath"),
            ...all("number", "List[].FreeSpaceInBytes", "List[].TotalSpaceInBytes"), "List[].Error": "null",
        });
        const tested = await sendOk(url, "POST", "/studio-tasks/periodic-backup/test-credentials?type=S3", {
            BucketName: "backups", AwsRegionName: "eu-central-1", CustomServerUrl: "https://localhost:9", ForcePathStyle: true,
            AwsAccessKey: "a", AwsSecretKey: "b",
        });
        shape(tested, { Success: "boolean", Error: "string" });
        assert.match(tested.Error, /Backup\.AllowedHosts/);
        shape(await sendOk(url, "POST", "/admin/restore/points", LocalSettings), {
            List: "array", ...all("string", "List[].DateTime", "List[].Location", "List[].FileName", "List[].DatabaseName"),
            ...all("boolean", "List[].IsSnapshotRestore", "List[].IsEncrypted", "List[].IsIncremental"),
            ...all("number", "List[].FilesToRestore", "List[].SizeInBytes"),
        });
        const BackupLocation = join(FolderPath, (await readdir(FolderPath))[0]);
        const started = { OperationId: "number", OperationNodeTag: "string" };
        const verify = await sendOk(url, "POST", "/admin/backup/verify", { BackupLocation, Mode: "Restore" });
        shape(verify, started);
        await finish(verify);
        const restore = await sendOk(url, "POST", "/admin/restore/database", { DatabaseName: restored, BackupLocation });
        shape(restore, started);
        await finish(restore);
        const found = await sendOk(url, "GET", `/databases/${restored}/docs?id=users/1`);
        assert.equal(found.Results.length, 1);
        const delayed = await send(
            url, "POST", `/admin/backup-task/delay?database=${database}&taskId=${task.TaskId}&duration=00:10:00`);
        assert.equal(delayed.status, 404, delayed.text);
        assert.match(delayed.json.Message, /does not run now/);
        shape(await sendOk(url, "GET", "/studio-tasks/next-cron-expression-occurrence?expression=0%202%20*%20*%20*"), {
            IsValid: "boolean", ErrorMessage: "null", ...all("string", "Utc", "ServerTime"),
        });
        shape(await sendOk(url, "DELETE", `${base}/admin/tasks?id=${task.TaskId}&type=Backup&taskName=nightly`), {
            ...all("number", "TaskId", "RaftCommandIndex"), ResponsibleNode: "string",
        });
    } finally {
        await send(url, "DELETE", "/admin/databases", { DatabaseNames: [restored], HardDelete: true });
        await rm(FolderPath, { recursive: true });
    }
});

scenario("a task of all databases, in raw", async ({ url, database }) => {
    const FolderPath = await mkdtemp(join(tmpdir(), "raven-backups-"));
    const Name = `all but ${database}`;
    const at = `/admin/configuration/server-wide`;
    const which = `type=Backup&name=${encodeURIComponent(Name)}`;
    try {
        shape(await sendOk(url, "PUT", `${at}/backup`, {
            Name, FullBackupFrequency: "0 2 * * *", LocalSettings: { FolderPath }, ExcludedDatabases: [database],
        }), { Name: "string", RaftCommandIndex: "number" });
        shape(await sendOk(url, "GET", `${at}/tasks?${which}`), {
            ...all("array", "Results", "Results[].ExcludedDatabases"), "Results[].TaskId": "number",
            ...all("string", "Results[].Name", "Results[].FullBackupFrequency", "Results[].LocalSettings.FolderPath"),
            "Results[].LocalSettings": "object",
        });
        assert.equal((await send(url, "POST", `${at}/state?${which}&disable=true`)).status, 204);
        assert.equal((await send(url, "DELETE", `${at}/task?${which}`)).status, 204);
    } finally {
        await send(url, "DELETE", `${at}/task?${which}`);
        await rm(FolderPath, { recursive: true });
    }
});

scenario("deletions that nobody needs any more, in raw", async ({ url, database }) => {
    const base = `/databases/${database}`;
    await sendOk(url, "PUT", `${base}/docs?id=users/1`, { "@metadata": { "@collection": "Users" } });
    await sendOk(url, "DELETE", `${base}/docs?id=users/1`);
    shape(await sendOk(url, "GET", `${base}/admin/tombstones/state`), {
        ...all("number", "MinAllDocsEtag", "Tombstones", "Removed", "Results[].Tombstones", "Results[].ForgottenEtag",
            "Results[].Documents.Etag"),
        Results: "array", "Results[].Collection": "string", "Results[].Documents": "object",
        "Results[].Documents.Component": "null",
    });
    shape(await sendOk(url, "POST", `${base}/admin/tombstones/cleanup`), { Value: "number" });
});
