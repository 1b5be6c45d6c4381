using System.Globalization;
using Raven.Storage.Backup;
using Raven.Storage.Errors;

namespace Raven.Documents.Backups;

//   BKP-7  A piece of the journal is a file of the folder with the backups that it follows, with a manifest of its own,
//          which is written last. The journal gives up the records only after that.
//   BKP-8  A restore to a time needs the proof that nothing is missing up to it: a piece that ends then or later.

/// <summary>The journal of a database beside its backups, for restores to a time. Any thread, one copy a folder.
/// </summary>
public static class ArchivedJournal
{
    private const long PieceBytes = 64L << 20;

    /// <summary>Keeps the journal of a database from now on, for what a backup that begins after this does not have.
    /// </summary>
    public static void TurnOn(Database database)
    {
        ArgumentNullException.ThrowIfNull(database);
        Use(database, storage => new JournalArchive(storage.Environment).TurnOn());
    }

    /// <summary>Ends that, if it is on.</summary>
    public static void TurnOff(Database database)
    {
        ArgumentNullException.ThrowIfNull(database);
        Use(database, storage =>
        {
            var archive = new JournalArchive(storage.Environment);
            if (archive.IsOn)
            {
                archive.TurnOff();
            }
        });
    }

    /// <summary>Copies what follows the last piece in a folder, or a backup in it: all that is durable.</summary>
    /// <param name="database">The database, which goes on.</param>
    /// <param name="destination">Where the folders of backups are.</param>
    /// <param name="request">How it is written, and into which folder.</param>
    /// <param name="known">What the last call for the folder has made, if that is known: a folder may have thousands
    /// of pieces, and they need not be read again.</param>
    /// <param name="cancellation">Ends it: pieces that are whole stay.</param>
    /// <returns>The last piece that was made; null if nothing has changed.</returns>
    /// <exception cref="BackupException">The folder has no backups of this storage, or what was written could not be
    /// read again as it was.</exception>
    /// <exception cref="ArchiveGapException">The journal does not have what follows anymore: the next backup helps.
    /// </exception>
    /// <exception cref="StorageIOException">The journal could not be read, or the destination refused.</exception>
    public static async Task<BackupManifest?> CopyAsync(
        Database database, IBackupDestination destination, BackupRequest request, BackupManifest? known,
        CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(request);
        BackupFolder folder = await DatabaseRestore.OpenAsync(destination, request.Folder ?? "", cancellation)
            .ConfigureAwait(false);
        DatabaseStorage storage = database.Enter();
        try
        {
            BackupManifest last = await FindLastAsync(folder, known, cancellation).ConfigureAwait(false);
            if (last.EnvironmentId != storage.Environment.EnvironmentId || last.DatabaseId != storage.Id.Text)
            {
                throw new BackupException(
                    "The database has another storage than at the last backup, as after a compaction: its journal is "
                    + "archived again after the next one.");
            }

            BackupManifest? made = null;
            while (storage.Environment.LastTransactionId > last.TransactionId)
            {
                last = await CopyPieceAsync(storage, folder, request, last, cancellation).ConfigureAwait(false);
                made = last;
            }

            return made;
        }
        finally
        {
            storage.Release();
        }
    }

    /// <summary>Finds the files that a restore to a time needs.</summary>
    /// <param name="folder">The folder of the backup.</param>
    /// <param name="to">The time.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="BackupException">One of them is missing or damaged, or the time is before the first backup or
    /// behind the end of the archive: the message says which.</exception>
    public static async Task<(IReadOnlyList<BackupManifest> Chain, IReadOnlyList<BackupManifest> Journal)> FindAsync(
        BackupFolder folder, DateTimeOffset to, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(folder);
        IReadOnlyList<BackupManifest> chain = await folder.ReadChainAsync(null, cancellation).ConfigureAwait(false);
        int count = 1 + chain.ToList().FindLastIndex(one => one.CommittedAt <= to);
        if (count == 0)
        {
            throw new BackupException(
                $"'{chain[0].File}' has the state of {Text(chain[0].CommittedAt)}, and nothing before it is in "
                + $"'{folder.Name}': {Text(to)} needs an older backup.");
        }

        BackupManifest last = chain[count - 1];
        List<BackupManifest> pieces = [];
        IReadOnlyList<BackupManifest> all = await folder.ReadJournalAsync(static _ => true, cancellation)
            .ConfigureAwait(false);
        foreach (BackupManifest piece in all.Where(one => one.TransactionId > chain[count - 1].TransactionId))
        {
            if (last.CommittedAt >= to)
            {
                break;
            }

            if (piece.BaseTransactionId > last.TransactionId)
            {
                throw new BackupException(
                    $"'{piece.File}' follows transaction {piece.BaseTransactionId}, and '{last.File}' ends with "
                    + $"{last.TransactionId} of {Text(last.CommittedAt)}: the transactions from "
                    + $"{last.TransactionId + 1} on are missing.");
            }

            pieces.Add(piece);
            last = piece;
        }

        return last.CommittedAt >= to
            ? (chain.Take(count).ToArray(), pieces)
            : throw new BackupException(
                $"'{folder.Name}' ends with transaction {last.TransactionId} of {Text(last.CommittedAt)}: it is not "
                + $"known whether others followed until {Text(to)}. Name a time until then.");
    }

    /// <summary>The file that the next piece follows: the last piece, or a backup behind which none begins.</summary>
    private static async Task<BackupManifest> FindLastAsync(
        BackupFolder folder, BackupManifest? known, CancellationToken cancellation)
    {
        if (known is not null && await folder.Files.FindLengthAsync(known.File + BackupManifest.Suffix, cancellation)
            .ConfigureAwait(false) is not null)
        {
            return known;
        }

        IReadOnlyList<BackupManifest> chain = await folder.ReadChainAsync(null, cancellation).ConfigureAwait(false);
        IReadOnlyList<BackupManifest> pieces = await folder.ReadJournalAsync(static _ => true, cancellation)
            .ConfigureAwait(false);
        return pieces.LastOrDefault(one => one.EnvironmentId == chain[^1].EnvironmentId) ?? chain[0];
    }

    private static async Task<BackupManifest> CopyPieceAsync(
        DatabaseStorage storage, BackupFolder folder, BackupRequest request, BackupManifest last,
        CancellationToken cancellation)
    {
        try
        {
            return await WriteAsync(storage, folder, request, last, cancellation).ConfigureAwait(false);
        }
        catch (ArchiveGapException)
        {
            // A backup behind the gap is what it goes on from.
            IReadOnlyList<BackupManifest> chain = await folder.ReadChainAsync(null, cancellation).ConfigureAwait(false);
            if (chain.FirstOrDefault(one => one.TransactionId > last.TransactionId) is not { } next)
            {
                throw;
            }

            return storage.Environment.LastTransactionId > next.TransactionId
                ? await CopyPieceAsync(storage, folder, request, next, cancellation).ConfigureAwait(false)
                : next;
        }
    }

    private static async Task<BackupManifest> WriteAsync(
        DatabaseStorage storage, BackupFolder folder, BackupRequest request, BackupManifest last,
        CancellationToken cancellation)
    {
        string end = request.Cipher is null ? ".ravendb-journal" : ".ravendb-encrypted-journal";
        string name = string.Create(
            CultureInfo.InvariantCulture, $"{request.Now:yyyy-MM-dd-HH-mm-ss}-{last.TransactionId + 1}{end}");
        var archive = new JournalArchive(storage.Environment);
        BackupManifest made;
        JournalPiece piece;
        try
        {
            long length;
            string hash;
            BackupFileStream writer = await folder.Files.CreateAsync(name, PieceBytes, cancellation)
                .ConfigureAwait(false);
            await using (writer.ConfigureAwait(false))
            {
                using var target = new BackupStreams.Hashed(writer);
                piece = await PackAsync(archive, last.TransactionId, target, request, cancellation)
                    .ConfigureAwait(false);
                hash = target.End();
                length = target.Position;
                await writer.CompleteAsync(cancellation).ConfigureAwait(false);
            }

            made = ManifestOf(name, request, last, piece, length, hash) with
            {
                StorageBytes = DatabaseBackup.LengthOf(storage),
            };
            if (request.IsVerified)
            {
                await BackupVerification.CheckFileAsync(folder, made, cancellation).ConfigureAwait(false);
            }

            await folder.WriteAsync(made, request.IsVerified, cancellation).ConfigureAwait(false);
        }
        catch
        {
            await DatabaseBackup.RemoveAsync(folder, name).ConfigureAwait(false);
            throw;
        }

        archive.Release(piece);
        return made;
    }

    private static async Task<JournalPiece> PackAsync(
        JournalArchive archive, long after, Stream target, BackupRequest request, CancellationToken cancellation)
    {
        JournalPiece? piece = null;
        await BackupStreams.SealAsync(
            request.Cipher, target,
            sealing => BackupStreams.PackAsync(
                request.Compression, sealing,
                async packing => piece = await archive.CopyAsync(after, packing, cancellation).ConfigureAwait(false)))
            .ConfigureAwait(false);
        return piece ?? throw new BackupException("Nothing was changed.");
    }

    /// <summary>It has the counts of what it follows: those of its own states were written down nowhere.</summary>
    private static BackupManifest ManifestOf(
        string name, BackupRequest request, BackupManifest last, JournalPiece piece, long length, string hash) =>
        last with
        {
            File = name,
            Kind = BackupKind.Journal,
            TaskId = request.TaskId,
            CreatedAt = request.Now,
            Parent = null,
            BaseTransactionId = piece.First - 1,
            TransactionId = piece.Last,
            FirstCommittedAt = piece.FirstAt,
            CommittedAt = piece.LastAt,
            Compression = request.Compression,
            KeyCheck = request.Cipher?.KeyCheck,
            LengthBytes = length,
            Sha256 = hash,
            Record = "{}",
            Secrets = [],
        };

    private static void Use(Database database, Action<DatabaseStorage> action)
    {
        DatabaseStorage storage = database.Enter();
        try
        {
            action(storage);
        }
        finally
        {
            storage.Release();
        }
    }

    private static string Text(DateTimeOffset? time) =>
        time?.UtcDateTime.ToString("O", CultureInfo.InvariantCulture) ?? "a time that is not known";
}
