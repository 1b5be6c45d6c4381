using System.Globalization;
using System.Text.Json.Nodes;
using Raven.Documents.Backups;
using Raven.Documents.Catalog;

namespace Raven.Server.Http.Backups;

#pragma warning disable CA1507 // Names of what is stored and answered: they stay if a member is renamed.

//   STATUS-1  The status of a task says that a backup is there only after it is, durably: it is written behind the
//             manifest, and before the operation ends. A run that failed changes none of the times of the last backups.

/// <summary>How the runs of a task went: the JSON that clients read, kept among the records of the server.</summary>
internal sealed class BackupStatus
{
    private const int HistoryMax = 50;

    private readonly ServerRecords _records;
    private readonly string _key;
    private readonly JsonObject _json;

    private BackupStatus(ServerRecords records, string key, JsonObject json)
    {
        _records = records;
        _key = key;
        _json = json;
    }

    /// <summary>When all was backed up last.</summary>
    internal DateTimeOffset? LastFull => TimeOf("LastFullBackup");

    /// <summary>When changes were backed up last.</summary>
    internal DateTimeOffset? LastIncremental => TimeOf("LastIncrementalBackup");

    /// <summary>When the task was first seen.</summary>
    internal DateTimeOffset? CreatedAt => TimeOf("CreatedAt");

    /// <summary>Until when it is put off.</summary>
    internal DateTimeOffset? DelayUntil => TimeOf("DelayUntil");

    /// <summary>When its last backup was restored and checked.</summary>
    internal DateTimeOffset? LastRestoreCheck => TimeOf("LastRestoreCheck");

    /// <summary>The folder of the last full backup.</summary>
    internal string? Folder => _json["FolderName"]?.GetValue<string>();

    /// <summary>Whether it has run: before that, clients get null.</summary>
    internal bool HasRun => _json["Version"]?.GetValue<long>() > 0;

    /// <summary>Why the last run failed; null if it did not.</summary>
    internal string? Error => _json["Error"]?["Exception"]?.GetValue<string>();

    internal static BackupStatus Read(ServerRecords records, string database, long taskId)
    {
        string key = KeyOf(database, taskId);
        byte[]? stored = records.Read(key).FirstOrDefault(one => one.Key == key).Value;
        JsonObject json = stored == null
            ? new JsonObject { ["TaskId"] = taskId }
            : (JsonObject)JsonNode.Parse(stored)!;
        return new BackupStatus(records, key, json);
    }

    /// <summary>Forgets a task.</summary>
    internal static void Delete(ServerRecords records, string database, long taskId) =>
        records.Write([new(KeyOf(database, taskId), null)]);

    /// <summary>Forgets all tasks of a database.</summary>
    internal static void DeleteAll(ServerRecords records, string database)
    {
        string prefix = $"backups/{database.ToLowerInvariant()}/";
        KeyValuePair<string, byte[]?>[] gone =
            [.. records.Read(prefix).Select(one => new KeyValuePair<string, byte[]?>(one.Key, null))];
        if (gone.Length > 0)
        {
            records.Write(gone);
        }
    }

    /// <summary>The JSON for clients.</summary>
    internal JsonObject ToJson() => (JsonObject)_json.DeepClone();

    internal void Create(DateTimeOffset now)
    {
        _json["CreatedAt"] = Text(now);
        Store();
    }

    internal void Delay(DateTimeOffset until)
    {
        _json["DelayUntil"] = Text(until);
        Store();
    }

    /// <summary>A run has ended well, at its first destination at least.</summary>
    internal void Succeeded(BackupRun run)
    {
        BackupManifest manifest = run.Result.Manifest;
        bool isFull = run.Result.IsMade && manifest.IsFull;
        string which = isFull ? "Full" : "Incremental";
        Begin(run.Task, isFull, run.Began, run.Took, run.OperationId);
        _json[$"Last{which}Backup"] = Text(run.Began);
        _json[$"Last{which}BackupInternal"] = Text(run.Began);
        JsonObject local = PlaceOf("LocalBackup", which, run, null);
        local["BackupDirectory"] = run.Directory;
        local["FileName"] = manifest.File;
        local["TempFolderUsed"] = false;
        if (run.Upload is { } upload)
        {
            JsonObject s3 = PlaceOf("UploadToS3", which, run, upload.Problem);
            s3["Skipped"] = false;
            s3["UploadProgress"] = new JsonObject
            {
                ["UploadType"] = "Chunked", ["UploadState"] = upload.Problem == null ? "Done" : "PendingUpload",
                ["UploadedInBytes"] = upload.Bytes, ["TotalInBytes"] = upload.Bytes,
                ["BytesPutsPerSec"] = upload.Bytes / Math.Max(upload.Took.TotalSeconds, 0.001),
                ["UploadTimeInMs"] = (long)upload.Took.TotalMilliseconds,
            };
        }

        _json["LastEtag"] = manifest.LastEtag;
        _json["LastRaftIndex"] = new JsonObject { ["LastEtag"] = manifest.LastEtag };
        _json["LastDatabaseChangeVector"] = $"A:{manifest.LastEtag}-{manifest.DatabaseId}";
        _json["FolderName"] = run.Result.Folder;
        _json["IsEncrypted"] = manifest.KeyCheck != null;
        _json["LocalRetentionDurationInMs"] = (long)run.RetentionTook.TotalMilliseconds;
        _json["DelayUntil"] = null;
        _json["Error"] = run.Problem == null ? null : ErrorOf(run.Problem, run.Began + run.Took);
        AddHistory(run.Began, run.Took, manifest.IsFull, run.Result.IsMade ? manifest.File : null,
            run.Result.IsMade ? manifest.LengthBytes : 0, run.Result.WhyFull, run.Problem, run.Removed);
        Store();
    }

    /// <summary>A run has failed: what was there before is still the last backup.</summary>
    internal void Failed(
        BackupConfiguration task, bool isFull, DateTimeOffset began, TimeSpan took, long operationId, string problem)
    {
        Begin(task, isFull, began, took, operationId);
        _json["IsEncrypted"] ??= task.Key != null;
        _json["Error"] = ErrorOf(problem, began + took);
        AddHistory(began, took, isFull, null, 0, null, problem, []);
        Store();
    }

    /// <summary>A verification has ended.</summary>
    internal void Verified(DateTimeOffset at, string mode, long bytes, string? problem)
    {
        _json["LastVerified"] = new JsonObject
        {
            ["At"] = Text(at), ["Mode"] = mode, ["SizeInBytes"] = bytes, ["Error"] = problem,
        };
        if (mode == "Restore")
        {
            _json["LastRestoreCheck"] = Text(at);
        }

        Store();
    }

    /// <summary>The journal was archived, up to a transaction if something had changed.</summary>
    internal void Archived(BackupManifest? last, DateTimeOffset at)
    {
        JsonObject archive = _json["JournalArchive"] as JsonObject ?? [];
        _json["JournalArchive"] = archive;
        archive["At"] = Text(at);
        archive["Error"] = null;
        if (last != null)
        {
            archive["LastTransaction"] = last.TransactionId;
            archive["LastCommittedAt"] = last.CommittedAt is { } time ? Text(time) : null;
        }

        Store();
    }

    /// <summary>The journal could not be archived: what is there stays.</summary>
    internal void ArchiveFailed(string problem, DateTimeOffset at)
    {
        JsonObject archive = _json["JournalArchive"] as JsonObject ?? [];
        _json["JournalArchive"] = archive;
        archive["Error"] = ErrorOf(problem, at);
        Store();
    }

    private JsonObject PlaceOf(string name, string which, BackupRun run, string? problem)
    {
        var place = _json[name] as JsonObject ?? [];
        _json[name] = place;
        place["Exception"] = problem;
        if (problem == null)
        {
            place[$"Last{which}Backup"] = Text(run.Began);
            place[$"{which}BackupDurationInMs"] = (long)run.Took.TotalMilliseconds;
        }

        return place;
    }

    private void Begin(
        BackupConfiguration task, bool isFull, DateTimeOffset began, TimeSpan took, long operationId)
    {
        _json["TaskId"] = task.TaskId;
        _json["BackupType"] = task.IsSnapshot ? "Snapshot" : "Backup";
        _json["IsFull"] = isFull;
        _json["NodeTag"] = ServerState.NodeTag;
        _json["OriginalBackupTime"] = Text(began);
        _json["DurationInMs"] = (long)took.TotalMilliseconds;
        _json["LastOperationId"] = operationId;
        _json["Version"] = (_json["Version"]?.GetValue<long>() ?? 0) + 1;
    }

    private void AddHistory(
        DateTimeOffset began, TimeSpan took, bool isFull, string? file, long bytes, string? whyFull, string? problem,
        IReadOnlyList<string> removed)
    {
        var history = _json["History"] as JsonArray ?? [];
        _json["History"] = history;
        history.Insert(0, new JsonObject
        {
            ["At"] = Text(began), ["IsFull"] = isFull, ["FileName"] = file, ["SizeInBytes"] = bytes,
            ["DurationInMs"] = (long)took.TotalMilliseconds, ["WhyFull"] = whyFull, ["Error"] = problem,
            ["Removed"] = new JsonArray([.. removed.Select(name => (JsonNode)name)]),
        });
        while (history.Count > HistoryMax)
        {
            history.RemoveAt(HistoryMax);
        }
    }

    private void Store() =>
        _records.Write([new(_key, System.Text.Encoding.UTF8.GetBytes(_json.ToJsonString()))]);

    private DateTimeOffset? TimeOf(string name) =>
        _json[name]?.GetValue<string>() is { Length: > 0 } text ? Time(text) : null;

    private static JsonObject ErrorOf(string problem, DateTimeOffset at) =>
        new() { ["Exception"] = problem, ["At"] = Text(at) };

    internal static string Text(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffffff", CultureInfo.InvariantCulture) + "Z";

    private static DateTimeOffset Time(string text) =>
        DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);

    private static string KeyOf(string database, long taskId) =>
        string.Create(CultureInfo.InvariantCulture, $"backups/{database.ToLowerInvariant()}/{taskId}");
}
