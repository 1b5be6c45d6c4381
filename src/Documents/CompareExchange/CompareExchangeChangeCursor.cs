using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Rows;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.CompareExchange;

/// <summary>
/// Walks the keys whose values were set or removed, in the order of the indexes: only the last change of each key
/// (CX-3). Belongs to a snapshot and ends with it; allocates nothing.
/// </summary>
internal ref struct CompareExchangeChangeCursor
{
    private readonly RowHeap? _rows;
    private FixedTreeCursor _set;
    private TreeCursor _removed;
    private bool _isOnSet;
    private bool _isOnRemoved;

    internal CompareExchangeChangeCursor(Transaction transaction, long fromIndex)
    {
        if (transaction.TryOpenFixedTree(CompareExchangeTables.ByIndex) is { } byIndex)
        {
            _rows = transaction.TryOpenRowHeap(CompareExchangeTables.Rows);
            _set = byIndex.GetCursor();
            _isOnSet = _set.Seek(fromIndex);
        }

        if (transaction.TryOpenTree(CompareExchangeTables.RemovedAt) is { } removedAt)
        {
            Span<byte> from = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64BigEndian(from, Math.Max(0, fromIndex));
            _removed = removedAt.GetCursor();
            _isOnRemoved = _removed.Seek(from);
        }
    }

    /// <summary>Gives the next change; false at the end.</summary>
    /// <param name="index">The change.</param>
    /// <param name="key">The key in any case, UTF-8.</param>
    internal bool MoveNext(out long index, out NativeSlice key)
    {
        long set = _isOnSet ? _set.Key : long.MaxValue;
        long removed = _isOnRemoved ? BinaryPrimitives.ReadInt64BigEndian(_removed.Key) : long.MaxValue;
        index = Math.Min(set, removed);
        key = default;
        if (index == long.MaxValue)
        {
            return false;
        }

        if (set < removed)
        {
            key = new CompareExchangeValue(_rows!.Read(_set.Int64Value)).Key;
            _isOnSet = _set.MoveNext();
        }
        else
        {
            key = _removed.Value;
            _isOnRemoved = _removed.MoveNext();
        }

        return true;
    }
}
