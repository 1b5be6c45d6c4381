using System.Buffers.Binary;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows;

//   NAME                STRUCTURE  KEY                            VALUE
//   Tombstones.Removed  FixedTree  id of a collection; 0 for all  int64, the etag of the last tombstone that went
//
//   TOMB-1  A tombstone is removed in the transaction that raises the floors of its collection and of all: a reader
//           that is below a floor may have missed a deletion, and begins anew.

/// <summary>
/// Up to which etags deletions are forgotten: a reader of changes that is not that far cannot go on, as it would keep
/// what was deleted.
/// </summary>
internal static class TombstoneFloor
{
    private const long All = 0;

    internal static ReadOnlySpan<byte> Name => "Tombstones.Removed"u8;

    /// <summary>Notes that a tombstone was removed.</summary>
    internal static void Raise(WriteTransaction transaction, int collectionId, long etag)
    {
        FixedTree floors = transaction.OpenOrCreateFixedTree(Name, sizeof(long));
        Raise(floors, All, etag);
        Raise(floors, collectionId, etag);
    }

    /// <summary>The etag of the last deletion in a collection that is forgotten; 0 if none is.</summary>
    /// <param name="transaction">The documents.</param>
    /// <param name="collection">The name of the collection, UTF-8 in any case; empty for all.</param>
    internal static long Of(Transaction transaction, ReadOnlySpan<byte> collection)
    {
        if (transaction.TryOpenFixedTree(Name) is not { } floors)
        {
            return 0;
        }

        long id = All;
        if (!collection.IsEmpty)
        {
            Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
            if (!DocumentId.TryFold(collection, key, out int length, out _)
                || transaction.TryOpenTree(DocumentSchema.Collections) is not { } collections
                || !collections.TryGet(key[..length], out NativeSlice value))
            {
                return 0;
            }

            id = BinaryPrimitives.ReadInt32LittleEndian(value.Span);
        }

        return Of(floors, id);
    }

    /// <summary>The same by the number of the collection.</summary>
    internal static long Of(Transaction transaction, int collectionId) =>
        transaction.TryOpenFixedTree(Name) is { } floors ? Of(floors, collectionId) : 0;

    /// <summary>Says which deletions a reader of some collections has missed; null if it has missed none.</summary>
    /// <param name="transaction">The documents.</param>
    /// <param name="collections">The collections that it reads; empty for all.</param>
    /// <param name="etag">The last change that it has; 0 if it has none, and misses nothing.</param>
    internal static string? FindLoss(Transaction transaction, IReadOnlyList<string> collections, long etag)
    {
        if (etag == 0)
        {
            return null;
        }

        foreach (string collection in collections.Count == 0 ? [""] : collections)
        {
            long floor = Of(transaction, Encoding.UTF8.GetBytes(collection));
            if (floor > etag)
            {
                return $"it is at {etag}, and deletions up to {floor} are forgotten";
            }
        }

        return null;
    }

    private static long Of(FixedTree floors, long id) =>
        floors.TryGet(id, out NativeSlice floor) ? BinaryPrimitives.ReadInt64LittleEndian(floor.Span) : 0;

    private static void Raise(FixedTree floors, long id, long etag)
    {
        if (!floors.TryGet(id, out NativeSlice floor) || BinaryPrimitives.ReadInt64LittleEndian(floor.Span) < etag)
        {
            floors.Put(id, etag);
        }
    }
}
