using System.Buffers;
using System.Runtime.InteropServices;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Transactions;

namespace Raven.Storage.Backup;

//   ARCH-1  A piece ends with a transaction that is durable, and the next one begins with the record behind it: the
//           hashes by which the records name each other go through all pieces.
//   ARCH-2  While it is on, records have all that they change in them, large values, too: what follows a copy of pages
//           that was made meanwhile is enough to go on from it.

/// <summary>
/// Copies the records of an environment's journal, so that a copy of pages can be brought to any later transaction.
/// Switching: any thread; copying: one at a time.
/// </summary>
/// <param name="environment">The environment; writers and readers go on.</param>
public sealed class JournalArchive(StorageEnvironment environment)
{
    /// <summary>Bytes of records after which a piece ends.</summary>
    internal long PieceBytesMax { get; init; } = 64L << 20;

    /// <summary>Whether the journal is kept for an archive.</summary>
    public bool IsOn => environment.Spool.IsOn;

    /// <summary>Why the archive was given up until the next <see cref="TurnOn"/>; null if it was not.</summary>
    public string? Failure => environment.Spool.Failure;

    /// <summary>The bytes of the journal files that wait.</summary>
    public long WaitingBytes => environment.Spool.Bytes;

    /// <summary>
    /// Keeps the journal from now on, over restarts, too, until <see cref="TurnOff"/>. What a snapshot that begins
    /// after this does not have can be archived.
    /// </summary>
    public void TurnOn()
    {
        if (IsOn && Failure is null && environment.Spool.From != long.MaxValue)
        {
            return;
        }

        // No transaction is open, and none that was begun before is still on its way to the disk: each later one has
        // all of its pages in its record (ARCH-2).
        using WriteTransaction none = environment.BeginWrite();
        environment.Commits.WaitUntilDurable();
        environment.Spool.TurnOn(environment.LastTransactionId);
    }

    /// <summary>Ends it, and removes what waits.</summary>
    public void TurnOff() => environment.Spool.TurnOff();

    /// <summary>Removes the files that an archive has: those of uses before that of its last record.</summary>
    /// <param name="piece">The last piece of the archive.</param>
    public void Release(JournalPiece piece)
    {
        ArgumentNullException.ThrowIfNull(piece);
        environment.Spool.Release(piece.Use - 1);
    }

    /// <summary>Copies the transactions that follow one: all that are durable, or as many as a piece has.</summary>
    /// <param name="after">The last transaction that the archive, or the copy of pages before it, has.</param>
    /// <param name="target">Takes the bytes; stays the caller's.</param>
    /// <param name="cancellation">Ends it between two records.</param>
    /// <returns>What was copied; null if nothing follows.</returns>
    /// <exception cref="ArchiveGapException">What follows is gone.</exception>
    /// <exception cref="StorageIOException">A file could not be read.</exception>
    public async Task<JournalPiece?> CopyAsync(long after, Stream target, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(target);
        long durable = environment.LastTransactionId;
        if (durable <= after)
        {
            return null;
        }

        if (after < environment.Spool.From)
        {
            throw new ArchiveGapException(after, "the archive of the journal began later");
        }

        IFileSystem files = environment.Options.FileSystem;
        using var walk = new JournalWalk(files, environment.EnvironmentId, after);
        var records = new ArrayBufferWriter<byte>(1 << 16);
        WriteStart(records, after);
        JournalPiece? piece = null;
        long bytes = 0;
        while (bytes < PieceBytesMax && walk.TryNext(durable, out JournalRecordHeader header))
        {
            if (header.Kind == JournalRecordKind.Transaction)
            {
                if (header.TransactionId != (piece?.Last ?? after) + 1)
                {
                    break;
                }

                var at = new DateTime(header.CommitTimeTicks, DateTimeKind.Utc);
                piece = new JournalPiece(
                    piece?.First ?? header.TransactionId, header.TransactionId, piece?.FirstAt ?? at, at,
                    header.Incarnation);
                bytes += walk.TakeTo(records);
                await target.WriteAsync(records.WrittenMemory, cancellation).ConfigureAwait(false);
                records.ResetWrittenCount();
            }
        }

        if (piece is null)
        {
            throw new ArchiveGapException(after, Failure);
        }

        await target.WriteAsync(new byte[JournalRecordHeader.SizeInBytes], cancellation).ConfigureAwait(false);
        return piece;
    }

    private void WriteStart(ArrayBufferWriter<byte> target, long after)
    {
        var header = new JournalPieceHeader
        {
            Magic = JournalPieceHeader.MagicValue,
            FormatVersion = JournalPieceHeader.CurrentVersion,
            EnvironmentId = environment.EnvironmentId,
            AfterTransactionId = after,
        };
        MemoryMarshal.Write(target.GetSpan(JournalPieceHeader.SizeInBytes), in header);
        target.Advance(JournalPieceHeader.SizeInBytes);
    }
}
