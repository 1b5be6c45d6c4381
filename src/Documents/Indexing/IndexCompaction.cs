using Raven.Documents.Indexing.Storage;
using Raven.Storage.Compaction;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Documents.Indexing;

//   IDXP-1  The copy is of one committed state of the index, with its position: later changes of the documents are
//           indexed after it.
//   IDXP-2  Until its record names the new folder the index is in the old one; a folder that no record names
//           is removed.

/// <summary>Copies an index into full pages in a new folder, without deleted entries.</summary>
internal static class IndexCompaction
{
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(10);

    /// <summary>Copies an index that is paused.</summary>
    /// <param name="owner">The indexes of the database.</param>
    /// <param name="index">The index.</param>
    /// <param name="record">Names the folder of the copy.</param>
    /// <param name="mergesAll">Whether its segments are merged before the copy.</param>
    /// <param name="cancellation">Ends it; the new folder is not used then.</param>
    /// <returns>Its size on disk before and after, in bytes.</returns>
    internal static (long Before, long After) Run(
        DatabaseIndexes owner, DatabaseIndex index, IndexRecord record, bool mergesAll, CancellationToken cancellation)
    {
        DatabaseStorage documents = owner.Database.Enter();
        IndexStorage? storage = null;
        try
        {
            storage = index.TryHold() ?? throw new RefusedException(
                RefusalReason.IndexUnreadable,
                $"The index '{index.Name}' cannot be read: {index.Fault ?? "it is gone"}");
            long before = storage.Search.GetStorageStatistics().SizeOnDiskBytes;
            while (mergesAll && !TryMerge(storage))
            {
                // The last batch before the pause may still run.
                cancellation.WaitHandle.WaitOne(Patience);
                cancellation.ThrowIfCancellationRequested();
            }

            using StorageEnvironment target = StorageEnvironment.Open(
                owner.StorageOf(record) with { Durability = StorageDurability.Lazy });
            using (ReadTransaction source = storage.Search.BeginReadStructures())
            {
                StructureCopy.Run(source, target, HasNoRows, cancellation);
            }

            target.SyncJournal();
            return (before, target.GetStatistics().SizeOnDiskBytes);
        }
        finally
        {
            storage?.Release();
            documents.Release();
        }
    }

    private static bool TryMerge(IndexStorage storage)
    {
        try
        {
            storage.Search.MergeAll();
            return true;
        }
        catch (InvalidOperationException)
        {
            // Another batch or merge runs.
            return false;
        }
    }

    /// <summary>Says that no tree of an index holds row numbers.</summary>
    private static void HasNoRows(ReadOnlySpan<byte> tree, out ReadOnlySpan<byte> heap) => heap = default;
}
