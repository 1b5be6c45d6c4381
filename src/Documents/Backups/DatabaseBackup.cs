using System.Globalization;
using Raven.Documents.Rows;
using Raven.Storage.Backup;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Transactions;

namespace Raven.Documents.Backups;

//   BKP-3  A backup that follows another one has its base: if the last file is not there, is damaged, or is not of this
//          history of this environment, all of the database is copied instead.
//   BKP-4  A run that fails leaves neither a file nor a folder of its own.

/// <summary>Makes backups of a database in a folder of folders, while it is used. Any thread, one run a task.</summary>
public static class DatabaseBackup
{
    /// <summary>Makes one.</summary>
    /// <param name="database">The database, which goes on.</param>
    /// <param name="destination">Where the folders of backups are.</param>
    /// <param name="request">What is wanted.</param>
    /// <param name="cancellation">Ends it: nothing of it is left.</param>
    /// <exception cref="BackupException">What was written could not be read again as it was.</exception>
    /// <exception cref="StorageIOException">The destination refused.</exception>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public static async Task<BackupResult> RunAsync(
        Database database, IDatabaseFolders destination, BackupRequest request, CancellationToken cancellation)
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
            string? whyFull = null;
            if (request.IsIncremental
                && TryFindBase(storage, destination, request, out BackupFolder? last, out BackupManifest? before,
                    out whyFull))
            {
                if (storage.Environment.LastTransactionId == before!.TransactionId)
                {
                    return new BackupResult(last!.Name, before, IsMade: false, null);
                }

                last!.RemoveUnfinished();
                BackupManifest made = await WriteAsync(database, storage, last, request, before, cancellation)
                    .ConfigureAwait(false);
                return new BackupResult(last.Name, made, IsMade: true, null);
            }

            string name = FreeName(
                $"{Stamp(request)}.ravendb-{database.Name}-A-{(request.IsSnapshot ? "snapshot" : "backup")}",
                destination.Exists);
            try
            {
                var folder = new BackupFolder(name, destination.Open(name));
                BackupManifest made = await WriteAsync(database, storage, folder, request, null, cancellation)
                    .ConfigureAwait(false);
                return new BackupResult(name, made, IsMade: true, whyFull);
            }
            catch
            {
                Try(() => destination.Delete(name));
                throw;
            }
        }
        finally
        {
            storage.Release();
        }
    }

    /// <summary>Finds the file that the next one follows (BKP-3).</summary>
    private static bool TryFindBase(
        DatabaseStorage storage, IDatabaseFolders destination, BackupRequest request, out BackupFolder? folder,
        out BackupManifest? last, out string? whyFull)
    {
        folder = null;
        last = null;
        whyFull = "There is no full backup yet.";
        if (request.Folder is not { Length: > 0 } name)
        {
            return false;
        }

        if (!destination.Exists(name))
        {
            whyFull = $"The folder '{name}' with the last full backup is missing.";
            return false;
        }

        try
        {
            folder = new BackupFolder(name, destination.Open(name));
            last = folder.ReadChain()[^1];
            whyFull = FindBreak(storage, folder, last, request);
        }
        catch (BackupException e)
        {
            whyFull = e.Message;
        }

        return whyFull is null;
    }

    private static string? FindBreak(
        DatabaseStorage storage, BackupFolder folder, BackupManifest last, BackupRequest request)
    {
        if (last.DatabaseId != storage.Id.Text || last.EnvironmentId != storage.Environment.EnvironmentId)
        {
            return "The database has another storage than at the last backup, as after a compaction.";
        }

        if (last.KeyCheck != request.Cipher?.KeyCheck)
        {
            return "The last backup is encrypted by another key, or one of the two is not encrypted.";
        }

        using (IFile file = folder.Open(last))
        {
            if (file.Length != last.LengthBytes)
            {
                return $"The file '{last.File}' has {file.Length} bytes, and not {last.LengthBytes}.";
            }
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
        string name = FreeName($"{Stamp(request)}{EndOf(kind, request.Cipher is not null)}", folder.Files.Exists);
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
            folder.Files.Rename(name + BackupFolder.InProgress, name);
            folder.Files.SyncDirectory();
            if (request.IsVerified)
            {
                BackupVerification.CheckFile(folder, manifest, cancellation);
            }

            // From here on it is a backup (BKP-1).
            folder.Write(name + BackupManifest.Suffix, manifest.ToBytes());
            return manifest;
        }
        catch
        {
            Remove(folder, name);
            throw;
        }
    }

    private static async Task<BackupManifest> CopyAsync(
        DatabaseStorage storage, BackupFolder folder, BackupRequest request, BackupManifest manifest,
        CancellationToken cancellation)
    {
        using IFile file = folder.Files.Open(manifest.File + BackupFolder.InProgress, FileOpenMode.Create);
        file.SetLength(0);
        using var target = new BackupStreams.FileStream(file, isWritten: true);
        var backup = new PageBackup(storage.Environment, manifest.BaseTransactionId)
        {
            Copied = request.Copied,
            Ending = reader => manifest = manifest with
            {
                Opening = OpeningHistory.Last(reader),
                CommittedAt = reader.CommittedAt,
                LastEtag = RestoredDatabase.LastEtagOf(reader),
                Documents = RestoredDatabase.DocumentsOf(reader),
            },
        };
        Stream? sealing = request.Cipher?.Encrypt(target);
        Stream packing = BackupStreams.Pack(manifest.Compression, sealing ?? target);
        try
        {
            await backup.RunAsync(packing, cancellation).ConfigureAwait(false);
        }
        finally
        {
            await packing.DisposeAsync().ConfigureAwait(false);
            if (sealing is not null)
            {
                await sealing.DisposeAsync().ConfigureAwait(false);
            }
        }

        string hash = target.End();
        file.Sync();
        return manifest with
        {
            TransactionId = backup.TransactionId,
            LengthBytes = target.Position,
            Sha256 = hash,
        };
    }

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
    private static string FreeName(string wanted, Func<string, bool> exists)
    {
        int dot = wanted.IndexOf('.', StringComparison.Ordinal);
        string name = wanted;
        for (int number = 1; exists(name); number++)
        {
            name = $"{wanted[..dot]}-{number}{wanted[dot..]}";
        }

        return name;
    }

    private static void Remove(BackupFolder folder, string name) => Try(() =>
    {
        folder.Files.Delete(name + BackupManifest.Suffix + BackupFolder.InProgress);
        folder.Files.Delete(name + BackupManifest.Suffix);
        folder.Files.Delete(name + BackupFolder.InProgress);
        folder.Files.Delete(name);
    });

    /// <summary>Cleans up after a failure, which is the one to report: what stays has no manifest, and is removed by
    /// the next run (BKP-2).</summary>
    private static void Try(Action action)
    {
        try
        {
            action();
        }
        catch (Exception e) when (LoadFailures.IsKnown(e))
        {
            // The failure before is reported.
        }
    }
}
