using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;

namespace Raven.Documents.Rows;

//   NAME                      STRUCTURE  KEY         VALUE
//   CompareExchange           RowHeap                rows (CompareExchangeValue)
//   CompareExchange.ByKey     Tree       folded key  int64, row
//   CompareExchange.ByIndex   FixedTree  index       int64, row
//   CompareExchange.Removed   Tree       folded key  int64, index of the removal
//   CompareExchange.RemovedAt Tree       that index  folded key; the index is big-endian
//
//   CX-1  Every row is in both trees, under its own key and index. Keys follow the rules of ids.
//   CX-2  An index is an etag: used once in the life of a database, and growing.
//   CX-3  A key whose value was removed is in Removed and RemovedAt until it has a value again, and then no more: a
//         reader that follows the indexes sees the last change of each key, whatever it was.

/// <summary>The compare-exchange values of a database in one write transaction.</summary>
internal sealed class CompareExchangeTables
{
    private readonly IndexedRows<Names> _rows = new();
    private WriteTransaction _transaction = null!;

    internal static ReadOnlySpan<byte> Rows => "CompareExchange"u8;

    internal static ReadOnlySpan<byte> ByKey => "CompareExchange.ByKey"u8;

    internal static ReadOnlySpan<byte> ByIndex => "CompareExchange.ByIndex"u8;

    internal static ReadOnlySpan<byte> Removed => "CompareExchange.Removed"u8;

    internal static ReadOnlySpan<byte> RemovedAt => "CompareExchange.RemovedAt"u8;

    /// <summary>Opens nothing yet: most commands do not use these structures.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _rows.Begin(transaction);
    }

    /// <summary>Finds a value in any transaction.</summary>
    internal static bool TryFind(Transaction transaction, ReadOnlySpan<byte> key, out CompareExchangeValue value)
    {
        bool found = IndexedRows<Names>.TryFind(transaction, key, out NativeSlice row);
        value = found ? new CompareExchangeValue(row) : default;
        return found;
    }

    /// <summary>Finds a value of this transaction.</summary>
    internal bool TryFind(ReadOnlySpan<byte> key, out CompareExchangeValue value) =>
        TryFind(_transaction, key, out value);

    /// <summary>Writes a value.</summary>
    /// <param name="key">Its folded key.</param>
    /// <param name="spelled">Its key as it was sent.</param>
    /// <param name="index">An etag of its own.</param>
    /// <param name="value">Its bytes, outside of storage.</param>
    internal void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> spelled, long index, ReadOnlySpan<byte> value)
    {
        int size = CompareExchangeValue.KeyOffset + spelled.Length + value.Length;
        NativeSlice row;
        if (_rows.TryFind(key, out long rowId, out NativeSlice found))
        {
            row = _rows.Replace(key, rowId, new CompareExchangeValue(found).Index, index, size);
        }
        else
        {
            ForgetRemoval(key);
            row = _rows.Insert(key, index, size);
        }

        Span<byte> bytes = row.WritableSpan;
        bytes[..CompareExchangeValue.KeyOffset].Clear();
        BinaryPrimitives.WriteInt64LittleEndian(bytes, index);
        BinaryPrimitives.WriteUInt16LittleEndian(
            bytes[CompareExchangeValue.KeyLengthOffset..], (ushort)spelled.Length);
        spelled.CopyTo(bytes[CompareExchangeValue.KeyOffset..]);
        value.CopyTo(bytes[(CompareExchangeValue.KeyOffset + spelled.Length)..]);
    }

    /// <summary>Removes a value.</summary>
    /// <param name="key">Its folded key.</param>
    /// <param name="tables">Gives the removal its index.</param>
    /// <returns>The index of the removal; 0 if there is no value.</returns>
    internal long Remove(ReadOnlySpan<byte> key, DocumentTables tables)
    {
        if (!_rows.TryFind(key, out long rowId, out NativeSlice row))
        {
            return 0;
        }

        _rows.Remove(key, rowId, new CompareExchangeValue(row).Index);
        long index = tables.NextEtag();
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, index);
        _transaction.OpenOrCreateTree(Removed).Put(key, bytes);
        BinaryPrimitives.WriteInt64BigEndian(bytes, index);
        _transaction.OpenOrCreateTree(RemovedAt).Put(bytes, key);
        return index;
    }

    /// <summary>Removes the note of a removal, as the key has a value again (CX-3).</summary>
    private void ForgetRemoval(ReadOnlySpan<byte> key)
    {
        if (_transaction.TryOpenTree(Removed) is not { } removed || !removed.TryGet(key, out NativeSlice index))
        {
            return;
        }

        Span<byte> bytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(bytes, BinaryPrimitives.ReadInt64LittleEndian(index.Span));
        bool isDeleted = removed.Delete(key) & _transaction.OpenOrCreateTree(RemovedAt).Delete(bytes);
        Debug.Assert(isDeleted, "CX-3");
    }

    private readonly struct Names : IIndexedRowNames
    {
        public static ReadOnlySpan<byte> Rows => CompareExchangeTables.Rows;

        public static ReadOnlySpan<byte> ByKey => CompareExchangeTables.ByKey;

        public static ReadOnlySpan<byte> ByEtag => ByIndex;
    }
}
