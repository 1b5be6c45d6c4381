using System.Collections.Concurrent;
using Raven.Documents;
using Raven.Documents.Backups;
using Raven.Storage.Backup;
using Raven.Storage.Errors;

namespace Raven.Server.Http.Backups;

//   ARCHIVE-1  The runs of a task and the copies of the journal beside them take turns: each writes into the folder and
//              the status of the task.
//   ARCHIVE-2  A copy that fails is tried again each minute, and said once. The journal waits for it, up to a bound of
//              the storage: no writer waits.

/// <summary>Archives the journals of databases beside the backups of the task that wants it. Any thread.</summary>
internal sealed class BackupArchiver(ServerState server, BackupService backups)
{
    /// <summary>How often a journal is looked at: what a lost machine loses at most.</summary>
    internal static readonly TimeSpan Every = TimeSpan.FromMinutes(1);

    private readonly ConcurrentDictionary<(string Database, long Task), Place> _places = new();

    /// <summary>The copies that are under way.</summary>
    internal IEnumerable<Task> Work => _places.Values.Select(place => place.Work);

    /// <summary>Waits for the folder of a task (ARCHIVE-1).</summary>
    internal async Task<IDisposable> EnterAsync(string database, long taskId)
    {
        Place place = PlaceOf(database, taskId);
        await place.Turn.WaitAsync(server.Stopping).ConfigureAwait(false);
        place.NextAt = default;
        return place;
    }

    /// <summary>Begins what is due. One thread at a time.</summary>
    internal void Look(Database database, BackupConfiguration[] tasks, DateTimeOffset now)
    {
        if (Array.Find(tasks, one => one.ArchivesJournal && !one.IsDisabled) is not { } task)
        {
            if (database.OpenStorage is { } open && new JournalArchive(open.Environment).IsOn)
            {
                ArchivedJournal.TurnOff(database);
            }

            return;
        }

        Place place = PlaceOf(database.Name, task.TaskId);
        if (!place.Work.IsCompleted || (now < place.NextAt && place.NextAt - now <= Every))
        {
            return;
        }

        // What is whole in the folder may still have to go to the bucket: only a copy makes it whole.
        if (database.OpenStorage is { } storage && storage.Environment.LastTransactionId != place.LastTransaction)
        {
            place.IsWhole = false;
        }

        if (!place.IsWhole)
        {
            place.NextAt = now + Every;
            place.Work = Task.Run(() => CopyAsync(database, task, place, now));
        }
    }

    private async Task CopyAsync(Database database, BackupConfiguration task, Place place, DateTimeOffset now)
    {
        try
        {
            using IDisposable turn = await EnterAsync(database.Name, task.TaskId).ConfigureAwait(false);
            place.NextAt = now + Every;
            BackupStatus status = backups.StatusOf(database.Name, task.TaskId);
            if (status.Folder != null)
            {
                await CopyAsync(database, task, place, status, now).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // The server stops; the next start goes on.
        }
#pragma warning disable CA1031 // Nobody awaits it: what its status could not be told is in the log.
        catch (Exception e)
#pragma warning restore CA1031
        {
            BackupLog.CannotKeep(server.Log, e, task.Name, database.Name);
        }
    }

    private async Task CopyAsync(
        Database database, BackupConfiguration task, Place place, BackupStatus status, DateTimeOffset now)
    {
        string? problem;
        BackupManifest? last = null;
        try
        {
            using BackupPlaces places = BackupPlace.Open(server, task);
            BackupRequest request = backups.Work.RequestOf(database, task, null, now) with { Folder = status.Folder };
            BackupManifest? known = place.Folder == status.Folder ? place.Last : null;
            place.Last = null;
            last = await ArchivedJournal.CopyAsync(database, places.Main, request, known, server.Stopping)
                .ConfigureAwait(false);
            (place.Folder, place.Last) = (status.Folder, last ?? known);
            place.LastTransaction = last?.TransactionId
                ?? database.OpenStorage?.Environment.LastTransactionId ?? place.LastTransaction;
            problem = await UploadAsync(places, status.Folder!).ConfigureAwait(false);
            place.IsWhole = problem == null;
            if (last != null || (place.Problem != null && place.IsWhole))
            {
                status.Archived(last, now);
            }
        }
        catch (Exception e) when (e is BackupException or ArchiveGapException or StorageIOException)
        {
            problem = e.Message;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            problem = FailureMapping.Describe(server, e).Message;
        }

        if (problem != null && problem != place.Problem)
        {
            BackupLog.CannotArchive(server.Log, task.Name, database.Name, problem);
        }

        if (problem != null && (problem != place.Problem || last != null))
        {
            status.ArchiveFailed(problem, now);
        }

        place.Problem = problem;
    }

    /// <summary>Copies what the bucket does not have yet (BKP-9). What is in the folder is archived even if that fails.
    /// </summary>
    private async Task<string?> UploadAsync(BackupPlaces places, string name)
    {
        if (places.Second is { } second)
        {
            try
            {
                var folder = new BackupFolder(name, places.Main.Open(name));
                await BackupMirror.CopyAsync(folder, second, static _ => { }, server.Stopping).ConfigureAwait(false);
            }
            catch (BackupException e)
            {
                return $"The journal is not in S3: {e.Message}";
            }
        }

        return null;
    }

    private Place PlaceOf(string database, long taskId) =>
        _places.GetOrAdd((database.ToUpperInvariant(), taskId), static _ => new Place());

    /// <summary>Where a task is. Its disposal ends a turn.</summary>
    private sealed class Place : IDisposable
    {
        internal SemaphoreSlim Turn { get; } = new(1, 1);

        internal Task Work { get; set; } = Task.CompletedTask;

        internal DateTimeOffset NextAt { get; set; }

        /// <summary>The folder of the last piece.</summary>
        internal string? Folder { get; set; }

        /// <summary>The last piece; null if it is not known.</summary>
        internal BackupManifest? Last { get; set; }

        internal long LastTransaction { get; set; }

        internal bool IsWhole { get; set; }

        internal string? Problem { get; set; }

        public void Dispose() => Turn.Release();
    }
}
