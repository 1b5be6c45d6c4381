using System.Globalization;
using Raven.Documents.Operations;
using Raven.Documents.Rows;
using Raven.Storage.Backup;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Raven.Documents.Backups;

//   BKP-3  A backup that follows another one has its base: if the last file is not there, is damaged, or is not of this
//          history of this environment, all of the database is copied instead.
//   BKP-4  A run that fails leaves neither a file nor a folder of its own. The name of a folder is told before anything
//          of it is there, so that what a killed run leaves can be found.

/// <summary>Makes backups of a database in a folder of folders, while it is used. Any thread, one run a task.</summary>
public static class DatabaseBackup
{
    private static readonly TimeSpan CleanUpMax = TimeSpan.FromSeconds(20);

    /// <summary>Makes one.</summary>
    /// <param name="database">The database, which goes on.</param>
    /// <param name="destination">Where the folders of backups are.</param>
    /// <param name="request">What is wanted.</param>
    /// <param name="cancellation">Ends it: nothing of it is left.</param>
    /// <exception cref="BackupException">What was written could not be read again as it was.</exception>
    /// <exception cref="StorageIOException">The destination refused.</exception>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public static async Task<BackupResult> RunAsync(
        Database database, IBackupDestination destination, BackupRequest request, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(request);
        Action<long> copied = request.Copied;
        request = request with
        {
            Copied = bytes =>
            {
                if (database.IsDeleted)
                {
                    throw new DatabaseDeletedException(database.Name);
                }

                copied(bytes);
            },
        };
        DatabaseStorage storage = database.Enter();
        try
        {
            (BackupFolder? last, BackupManifest? before, string? whyFull) = request.IsIncremental
                ? await FindBaseAsync(storage, destination, request, cancellation).ConfigureAwait(false)
                : (null, null, null);
            if (before is not null)
            {
                if (storage.Environment.LastTransactionId == before.TransactionId)
                {
                    return new BackupResult(last!.Name, before, IsMade: false, null);
                }

                await last!.RemoveUnfinishedAsync(cancellation).ConfigureAwait(false);
                BackupManifest made = await WriteAsync(database, storage, last, request, before, cancellation)
                    .ConfigureAwait(false);
                return new BackupResult(last.Name, made, IsMade: true, null);
            }

            return await RunFullAsync(database, storage, destination, request, whyFull, cancellation)
                .ConfigureAwait(false);
        }
        finally
        {
            storage.Release();
        }
    }

    private static async Task<BackupResult> RunFullAsync(
        Database database, DatabaseStorage storage, IBackupDestination destination, BackupRequest request,
        string? whyFull, CancellationToken cancellation)
    {
        string name = await FreeNameAsync(
            $"{Stamp(request)}.ravendb-{database.Name}-A-{(request.IsSnapshot ? "snapshot" : "backup")}",
            one => destination.ExistsAsync(one, cancellation)).ConfigureAwait(false);
        await request.Begun(name, cancellation).ConfigureAwait(false);
        try
        {
            var folder = new BackupFolder(name, destination.Open(name));
            BackupManifest made = await WriteAsync(database, storage, folder, request, null, cancellation)
                .ConfigureAwait(false);
            return new BackupResult(name, made, IsMade: true, whyFull);
        }
        catch
        {
            await TryAsync(stop => destination.DeleteAsync(name, stop)).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Finds the file that the next one follows (BKP-3).</summary>
    private static async Task<(BackupFolder? Folder, BackupManifest? Last, string? WhyFull)> FindBaseAsync(
        DatabaseStorage storage, IBackupDestination destination, BackupRequest request, CancellationToken cancellation)
    {
        if (request.Folder is not { Length: > 0 } name)
        {
            return (null, null, "There is no full backup yet.");
        }

        if (!await destination.ExistsAsync(name, cancellation).ConfigureAwait(false))
        {
            return (null, null, $"The folder '{name}' with the last full backup is missing.");
        }

        try
        {
            var folder = new BackupFolder(name, destination.Open(name));
            BackupManifest last = (await folder.ReadChainAsync(null, cancellation).ConfigureAwait(false))[^1];
            long? length = await folder.Files.FindLengthAsync(last.File, cancellation).ConfigureAwait(false);
            string? problem = FindBreak(storage, last, length, request);
            return problem is null ? (folder, last, null) : (null, null, problem);
        }
        catch (BackupException e) when (e is not BackupPlaceException)
        {
            return (null, null, e.Message);
        }
    }

    private static string? FindBreak(
        DatabaseStorage storage, BackupManifest last, long? length, BackupRequest request)
    {
        if (last.DatabaseId != storage.Id.Text || last.EnvironmentId != storage.Environment.EnvironmentId)
        {
            return "The database has another storage than at the last backup, as after a compaction.";
        }

        if (last.KeyCheck != request.Cipher?.KeyCheck)
        {
            return "The last backup is encrypted by another key, or one of the two is not encrypted.";
        }

        if (length != last.LengthBytes)
        {
            return length is null
                ? $"The file '{last.File}' is missing."
                : $"The file '{last.File}' has {length} bytes, and not {last.LengthBytes}.";
        }

        using ReadTransaction reader = storage.Environment.BeginRead();
        return last.TransactionId > reader.Id
            ? $"The database is at transaction {reader.Id}, before that of the last backup, {last.TransactionId}."
            : OpeningHistory.FindDivergence(reader, last.Opening, last.LastEtag);
    }

    private static async Task<BackupManifest> WriteAsync(
        Database database, DatabaseStorage storage, BackupFolder folder, BackupRequest request, BackupManifest? before,
        CancellationToken cancellation)
    {
        BackupKind kind = before is not null ? BackupKind.Incremental
            : request.IsSnapshot ? BackupKind.Snapshot
            : BackupKind.Full;
        string name = await FreeNameAsync(
            $"{Stamp(request)}{EndOf(kind, request.Cipher is not null)}",
            async one => await folder.Files.FindLengthAsync(one, cancellation).ConfigureAwait(false) is not null)
            .ConfigureAwait(false);
        BackupManifest manifest = new()
        {
            File = name,
            Kind = kind,
            Database = database.Name,
            DatabaseId = storage.Id.Text,
            TaskId = request.TaskId,
            CreatedAt = request.Now,
            Parent = before?.File,
            BaseTransactionId = before?.TransactionId ?? 0,
            TransactionId = 0,
            EnvironmentId = storage.Environment.EnvironmentId,
            Opening = 0,
            LastEtag = 0,
            Documents = 0,
            Compression = request.Compression,
            KeyCheck = request.Cipher?.KeyCheck,
            LengthBytes = 0,
            Sha256 = "",
            Record = request.Record,
            Secrets = request.Secrets,
        };
        try
        {
            manifest = await CopyAsync(storage, folder, request, manifest, cancellation).ConfigureAwait(false);
            if (request.IsVerified)
            {
                await BackupVerification.CheckFileAsync(folder, manifest, cancellation).ConfigureAwait(false);
            }

            await folder.WriteAsync(manifest, request.IsVerified, cancellation).ConfigureAwait(false);
            return manifest;
        }
        catch
        {
            await RemoveAsync(folder, name).ConfigureAwait(false);
            throw;
        }
    }

    private static async Task<BackupManifest> CopyAsync(
        DatabaseStorage storage, BackupFolder folder, BackupRequest request, BackupManifest manifest,
        CancellationToken cancellation)
    {
        BackupFileStream writer = await folder.Files.CreateAsync(manifest.File, LengthOf(storage), cancellation)
            .ConfigureAwait(false);
        await using (writer.ConfigureAwait(false))
        {
            using var target = new BackupStreams.Hashed(writer);
            var backup = new PageBackup(storage.Environment, manifest.BaseTransactionId)
            {
                PagesPerSecondMax = request.PagesPerSecondMax,
                Copied = request.Copied,
                Ending = reader => manifest = manifest with
                {
                    Opening = OpeningHistory.Last(reader),
                    CommittedAt = reader.CommittedAt,
                    LastEtag = RestoredDatabase.LastEtagOf(reader),
                    Documents = RestoredDatabase.DocumentsOf(reader),
                },
            };
            await CopyAsync(backup, request.Cipher, manifest.Compression, target, cancellation).ConfigureAwait(false);
            string hash = target.End();
            await writer.CompleteAsync(cancellation).ConfigureAwait(false);
            return manifest with
            {
                TransactionId = backup.TransactionId,
                StorageBytes = LengthOf(storage),
                LengthBytes = target.Position,
                Sha256 = hash,
            };
        }
    }

    private static async Task CopyAsync(
        PageBackup backup, IBackupCipher? cipher, BackupCompression compression, Stream target,
        CancellationToken cancellation)
    {
        // Three threads: one reads and checks pages, one compresses, one encrypts, hashes and writes.
        await StreamPipe.RunAsync(
            (packed, stop) => StreamPipe.RunAsync(
                backup.RunAsync,
                pages => BackupStreams.PackAsync(
                    compression, packed, packing => StreamPipe.CopyAsync(pages, packing, stop)),
                stop),
            packed => BackupStreams.SealAsync(
                cipher, target, sealing => StreamPipe.CopyAsync(packed, sealing, cancellation)),
            cancellation).ConfigureAwait(false);
    }

    /// <summary>The bytes that a database takes when it is restored.</summary>
    internal static long LengthOf(DatabaseStorage storage) =>
        storage.Environment.GetStatistics().Pages * PageHeader.PageSizeInBytes;

    private static string Stamp(BackupRequest request) =>
        request.Now.ToString("yyyy-MM-dd-HH-mm-ss", CultureInfo.InvariantCulture);

    private static string EndOf(BackupKind kind, bool isEncrypted) => (kind, isEncrypted) switch
    {
        (BackupKind.Full, false) => ".ravendb-full-backup",
        (BackupKind.Full, true) => ".ravendb-encrypted-full-backup",
        (BackupKind.Incremental, false) => ".ravendb-incremental-backup",
        (BackupKind.Incremental, true) => ".ravendb-encrypted-incremental-backup",
        (_, false) => ".ravendb-snapshot",
        (_, true) => ".ravendb-encrypted-snapshot",
    };

    /// <summary>A name that nothing has: a second backup in one second gets a number.</summary>
    private static async Task<string> FreeNameAsync(string wanted, Func<string, ValueTask<bool>> exists)
    {
        int dot = wanted.IndexOf('.', StringComparison.Ordinal);
        string name = wanted;
        for (int number = 1; await exists(name).ConfigureAwait(false); number++)
        {
            name = $"{wanted[..dot]}-{number}{wanted[dot..]}";
        }

        return name;
    }

    /// <summary>Removes what a run that failed has made of a file.</summary>
    internal static async Task RemoveAsync(BackupFolder folder, string name)
    {
        await TryAsync(stop => folder.Files.DeleteAsync(name + BackupManifest.Suffix, stop)).ConfigureAwait(false);
        await TryAsync(stop => folder.Files.DeleteAsync(name, stop)).ConfigureAwait(false);
    }

    /// <summary>Cleans up after a failure, which is the one to report: what stays has no manifest, and is removed by
    /// the next run (BKP-2).</summary>
    private static async Task TryAsync(Func<CancellationToken, ValueTask> action)
    {
        using var stop = new CancellationTokenSource(CleanUpMax);
        try
        {
            await action(stop.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (LoadFailures.IsKnown(e) || e is BackupException or OperationCanceledException)
        {
            // The failure before is reported.
        }
    }
}
