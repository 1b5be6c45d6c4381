using System.Diagnostics;
using System.Text;
using Raven.Documents;
using Raven.Documents.Backups;
using Raven.Documents.Catalog;
using Raven.Documents.Operations;
using Raven.Server.Http.Security;
using Raven.Storage.Errors;

namespace Raven.Server.Http.Backups;

/// <summary>What a run does: the backup, its copy, what has become too old, and the check. Any thread.</summary>
/// <param name="server">The server.</param>
/// <param name="zone">The zone of the times in the names of files.</param>
internal sealed class BackupWork(ServerState server, TimeZoneInfo zone) : IDisposable
{
    private static readonly TimeSpan VerifiedEvery = TimeSpan.FromDays(7);

    private readonly ServerStateBackup _state = new(server);

    /// <summary>The folders that runs have begun.</summary>
    internal BegunFolders Begun { get; } = new(server.Databases.Records, server.Time);

    /// <inheritdoc/>
    public void Dispose() => _state.Dispose();

    /// <summary>Runs a task, and keeps how that went; what fails is thrown.</summary>
    internal async Task RunAsync(
        Database database, BackupConfiguration task, bool isFull, RunningOperation operation, BackupStatus status,
        DateTimeOffset began, BackupDetail detail, CancellationToken stop)
    {
        using Activity? span = server.Telemetry?.Activities.StartActivity("backup");
        span?.SetTag("db.namespace", database.Name).SetTag("raven.backup.task", task.Name)
            .SetTag("raven.backup.full", isFull);
        long started = server.Time.GetTimestamp();
        using BackupPlaces places = BackupPlace.Open(server, task);
        if (task.ArchivesJournal)
        {
            ArchivedJournal.TurnOn(database);
        }

        List<string> problems = [];
        BackupRequest request = RequestOf(database, task, operation, began) with
        {
            IsIncremental = !isFull,
            Folder = status.Folder,
        };
        BackupResult result = await MakeAsync(database, places.Main, request, problems, stop).ConfigureAwait(false);
        string directory = places.Main.Open(result.Folder).Description;
        detail.Made(result, directory);
        var made = new BackupRun
        {
            Task = task,
            Result = result,
            Directory = directory,
            Began = began,
            Took = server.Time.GetElapsedTime(started),
            OperationId = operation.Id,
        };
        made = made with { Upload = await UploadAsync(places, made, detail, problems, stop).ConfigureAwait(false) };
        if (made.Upload?.Problem is { } lost)
        {
            problems.Add(lost);
        }

        if (task.ServerWide is { } wide)
        {
            await WriteStateAsync(wide, request.Now, problems, stop).ConfigureAwait(false);
        }

        IReadOnlyList<string> removed = result.IsMade && result.Manifest.IsFull && task.Retention is { } kept
            ? await RetainAsync(places, made, database.Id.Text, began - kept, problems, stop).ConfigureAwait(false)
            : [];
        status.Succeeded(made with
        {
            Removed = removed,
            RetentionTook = server.Time.GetElapsedTime(started) - made.Took,
            Problem = problems.Count == 0 ? null : string.Join(" ", problems),
        });
        status.Verified(began, "Hashes", result.IsMade ? result.Manifest.LengthBytes : 0, null);
        if (server.Options.BackupsAreRestored
            && (status.LastRestoreCheck is not { } last || began - last >= VerifiedEvery || last > began))
        {
            await TryOutAsync(places.Main, result, request, status, stop).ConfigureAwait(false);
        }

        if (made.Upload?.Problem is { } problem)
        {
            // The status has it already; the operation fails, and the run is made again before its time.
            detail.IsKept = true;
            throw new BackupException(problem);
        }
    }

    /// <summary>Makes the backup, behind what a run that was killed has left there (BEGUN-1).</summary>
    private async Task<BackupResult> MakeAsync(
        Database database, IBackupDestination place, BackupRequest request, List<string> problems,
        CancellationToken stop)
    {
        await Begun.RemoveLeftAsync(place, problems, stop).ConfigureAwait(false);
        using BegunFolders.Run begun = Begun.Of(place);
        BackupResult result = await DatabaseBackup.RunAsync(
            database, place, request with { Begun = begun.BeginAsync }, stop).ConfigureAwait(false);
        begun.Complete();
        return result;
    }

    /// <summary>The state of the server goes beside the backups of its databases.</summary>
    private async Task WriteStateAsync(
        BackupConfiguration wide, DateTimeOffset now, List<string> problems, CancellationToken stop)
    {
        try
        {
            await _state.WriteAsync(wide, now, stop).ConfigureAwait(false);
        }
        catch (Exception e) when (e is BackupException or StorageIOException)
        {
            problems.Add($"The state of the server could not be backed up: {e.Message}");
        }
    }

    /// <summary>Copies what the bucket does not have yet. What is in the folder is a backup even if that fails.
    /// </summary>
    private async Task<BackupUpload?> UploadAsync(
        BackupPlaces places, BackupRun made, BackupDetail detail, List<string> problems, CancellationToken stop)
    {
        if (places.Second is not { } second)
        {
            return places.HasS3
                ? new BackupUpload(made.Result.IsMade ? made.Result.Manifest.LengthBytes : 0, made.Took, null)
                : null;
        }

        long started = server.Time.GetTimestamp();
        try
        {
            var folder = new BackupFolder(made.Result.Folder, places.Main.Open(made.Result.Folder));
            long bytes = await CopyAsync(folder, second, detail, problems, stop).ConfigureAwait(false);
            return new BackupUpload(bytes, server.Time.GetElapsedTime(started), null);
        }
        catch (BackupException e)
        {
            return new BackupUpload(0, server.Time.GetElapsedTime(started), $"The backup is not in S3: {e.Message}");
        }
    }

    /// <summary>Copies a folder to the bucket, behind what a run that was killed has left there (BEGUN-1).</summary>
    private async Task<long> CopyAsync(
        BackupFolder folder, IBackupDestination second, BackupDetail detail, List<string> problems,
        CancellationToken stop)
    {
        await Begun.RemoveLeftAsync(second, problems, stop).ConfigureAwait(false);
        using BegunFolders.Run begun = Begun.Of(second);
        await begun.BeginAsync(folder.Name, stop).ConfigureAwait(false);
        long bytes = await BackupMirror.CopyAsync(folder, second, detail.Uploaded, stop).ConfigureAwait(false);
        begun.Complete();
        return bytes;
    }

    private async Task<IReadOnlyList<string>> RetainAsync(
        BackupPlaces places, BackupRun made, string databaseId, DateTimeOffset keptSince, List<string> problems,
        CancellationToken stop)
    {
        var request = new RetentionRequest
        {
            TaskId = made.Task.TaskId,
            DatabaseId = databaseId,
            KeptSince = keptSince,
            KnownWhole = made.Result.Folder,
        };
        IReadOnlyList<string> removed = await RetainAsync(places.Main, request, problems, stop).ConfigureAwait(false);
        if (places.Second is { } second && made.Upload is { Problem: null })
        {
            try
            {
                await RetainAsync(second, request, problems, stop).ConfigureAwait(false);
            }
            catch (BackupException e)
            {
                problems.Add($"Old backups are still in S3: {e.Message}");
            }
        }

        return removed;
    }

    private async Task<IReadOnlyList<string>> RetainAsync(
        IBackupDestination place, RetentionRequest request, List<string> problems, CancellationToken stop)
    {
        int before = problems.Count;
        using BegunFolders.Run going = Begun.Of(place);
        IReadOnlyList<string> removed = await BackupRetention.RunAsync(
            place, request with { Removing = going.BeginAsync }, problems, stop).ConfigureAwait(false);
        if (problems.Count == before)
        {
            going.Complete();
        }

        return removed;
    }

    /// <summary>Restores the last backup out of sight, and checks it.</summary>
    private async Task TryOutAsync(
        IBackupDestination destination, BackupResult result, BackupRequest request, BackupStatus status,
        CancellationToken stop)
    {
        try
        {
            BackupFolder folder = await DatabaseRestore.OpenAsync(destination, result.Folder, stop)
                .ConfigureAwait(false);
            IReadOnlyList<BackupManifest> chain = await folder.ReadChainAsync(result.Manifest.File, stop)
                .ConfigureAwait(false);
            await DatabaseRestore.TryOutAsync(
                server.Databases, folder, new RestoreRequest { Chain = chain, Cipher = request.Cipher }, stop)
                .ConfigureAwait(false);
            status.Verified(request.Now, "Restore", chain.Sum(one => one.LengthBytes), null);
        }
        catch (BackupException e)
        {
            status.Verified(request.Now, "Restore", 0, e.Message);
            throw;
        }
    }

    /// <summary>Makes one backup of all, of which no status is kept.</summary>
    internal async Task RunOnceAsync(
        Database database, BackupConfiguration once, RunningOperation operation, BackupDetail detail,
        CancellationToken stop)
    {
        using BackupPlaces places = BackupPlace.Open(server, once);
        List<string> problems = [];
        BackupRequest request = RequestOf(database, once, operation, server.Time.GetUtcNow());
        BackupResult result = await MakeAsync(database, places.Main, request, problems, stop).ConfigureAwait(false);
        var folder = new BackupFolder(result.Folder, places.Main.Open(result.Folder));
        detail.Made(result, folder.Files.Description);
        try
        {
            if (places.Second is { } second)
            {
                await CopyAsync(folder, second, detail, problems, stop).ConfigureAwait(false);
            }
        }
        finally
        {
            problems.ForEach(detail.Say);
        }
    }

    /// <summary>What a run of a task is to make, or, without an operation, an archive beside it.</summary>
    internal BackupRequest RequestOf(
        Database database, BackupConfiguration task, RunningOperation? operation, DateTimeOffset now)
    {
        List<string> places = [];
        byte[] record = server.Databases.TryGetRecord(database.Name, out DatabaseRecord? found)
            ? RecordSecrets.Without(found.Json.ToArray(), places)
            : "{}"u8.ToArray();
        return new BackupRequest
        {
            TaskId = task.TaskId,
            PagesPerSecondMax = task.PagesPerSecondMax,
            IsSnapshot = task.IsSnapshot,
            Compression = task.Compression,
            Cipher = task.ToKey(),
            Record = Encoding.UTF8.GetString(record),
            Secrets = places,
            Now = TimeZoneInfo.ConvertTime(now, zone),
            Copied = bytes =>
            {
                if (operation != null)
                {
                    operation.Processed = bytes;
                }
            },
        };
    }
}
