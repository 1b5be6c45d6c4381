using System.Buffers.Binary;
using Raven.Documents.Rows;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents;

//   NAME      STRUCTURE  KEY                                     VALUE
//   Epochs    FixedTree  epoch of a primary, int64               int64, the transaction that opened it
//   Lineages  FixedTree  transaction with which it began, int64  int64, the history

/// <summary>The transaction with which a node begins to be the primary of a group (REPL-2).</summary>
internal static class EpochOpening
{
    /// <summary>The etags that a new history leaves out: what the one before may have given out behind the fork.
    /// </summary>
    private const long EtagsOfFork = 1L << 32;

    private static ReadOnlySpan<byte> Epochs => "Epochs"u8;

    private static ReadOnlySpan<byte> Lineages => "Lineages"u8;

    /// <summary>Commits it; blocks until the group has it.</summary>
    internal static void Write(StorageEnvironment environment, DatabaseOptions options, long epoch, ulong lineage)
    {
        bool isNew = !DatabaseStorage.TryReadId(environment, options.Name, out _);
        using WriteTransaction transaction = environment.BeginWrite();
        if (isNew)
        {
            DatabaseStorage.Create(transaction, options.NewDatabaseId);
        }

        AttachmentTables attachments = new();
        if (transaction.TryOpenTree(AttachmentSchema.Uploads) is { Count: > 0 })
        {
            attachments.Begin(transaction);
            attachments.DropAllUploads();
        }

        long last = DatabaseStorage.ReadLastEtag(transaction);
        new OpeningEntry(last, options.Random).Write(transaction);
        transaction.OpenOrCreateFixedTree(Epochs, sizeof(long)).Put(epoch, transaction.Id);
        if (KeepLineage(transaction, unchecked((long)lineage)))
        {
            Span<byte> value = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64LittleEndian(value, last + EtagsOfFork);
            transaction.OpenOrCreateTree(DocumentSchema.Database).Put(DocumentSchema.LastEtagKey, value);
        }

        transaction.Commit();
    }

    /// <summary>Notes the history; true if it has parted from another one.</summary>
    private static bool KeepLineage(WriteTransaction transaction, long lineage)
    {
        FixedTree lineages = transaction.OpenOrCreateFixedTree(Lineages, sizeof(long));
        FixedTreeCursor cursor = lineages.GetCursor();
        bool isAny = cursor.SeekLast();
        if (isAny && cursor.Int64Value == lineage)
        {
            return false;
        }

        lineages.Put(transaction.Id, lineage);
        return isAny;
    }
}
