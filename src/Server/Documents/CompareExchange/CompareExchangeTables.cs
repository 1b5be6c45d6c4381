using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Server.Documents.Rows;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Server.Documents.CompareExchange;

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
    private WriteTransaction _transaction = null!;
    private RowHeap? _rows;
    private Tree _byKey = null!;
    private FixedTree _byIndex = null!;

    internal static ReadOnlySpan<byte> Rows => "CompareExchange"u8;

    internal static ReadOnlySpan<byte> ByKey => "CompareExchange.ByKey"u8;

    internal static ReadOnlySpan<byte> ByIndex => "CompareExchange.ByIndex"u8;

    internal static ReadOnlySpan<byte> Removed => "CompareExchange.Removed"u8;

    internal static ReadOnlySpan<byte> RemovedAt => "CompareExchange.RemovedAt"u8;

    /// <summary>Opens nothing yet: most commands do not use these structures.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _rows = null;
    }

    /// <summary>Finds a value in any transaction.</summary>
    internal static bool TryFind(Transaction transaction, ReadOnlySpan<byte> key, out CompareExchangeValue value)
    {
        if (transaction.TryOpenTree(ByKey) is { } byKey && byKey.TryGet(key, out NativeSlice rowId))
        {
            RowHeap rows = transaction.TryOpenRowHeap(Rows)!;
            value = new CompareExchangeValue(rows.Read(BinaryPrimitives.ReadInt64LittleEndian(rowId.Span)));
            return true;
        }

        value = default;
        return false;
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
        Open();
        int size = CompareExchangeValue.KeyOffset + spelled.Length + value.Length;
        long rowId = 0;
        bool isNew = !_byKey.TryGet(key, out NativeSlice found);
        if (!isNew)
        {
            rowId = BinaryPrimitives.ReadInt64LittleEndian(found.Span);
            bool isDeleted = _byIndex.Delete(new CompareExchangeValue(_rows!.Read(rowId)).Index);
            Debug.Assert(isDeleted, "CX-1");
        }
        else
        {
            ForgetRemoval(key);
        }

        long newRowId = isNew
            ? _rows!.Insert(size, out NativeSlice row)
            : _rows!.Update(rowId, size, out row);
        Span<byte> bytes = row.WritableSpan;
        bytes[..CompareExchangeValue.KeyOffset].Clear();
        BinaryPrimitives.WriteInt64LittleEndian(bytes, index);
        BinaryPrimitives.WriteUInt16LittleEndian(
            bytes[CompareExchangeValue.KeyLengthOffset..], (ushort)spelled.Length);
        spelled.CopyTo(bytes[CompareExchangeValue.KeyOffset..]);
        value.CopyTo(bytes[(CompareExchangeValue.KeyOffset + spelled.Length)..]);
        if (newRowId != rowId)
        {
            Span<byte> id = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64LittleEndian(id, newRowId);
            _byKey.Put(key, id);
        }

        _byIndex.Put(index, newRowId);
    }

    /// <summary>Removes a value.</summary>
    /// <param name="key">Its folded key.</param>
    /// <param name="tables">Gives the removal its index.</param>
    /// <returns>The index of the removal; 0 if there is no value.</returns>
    internal long Remove(ReadOnlySpan<byte> key, DocumentTables tables)
    {
        Open();
        if (!_byKey.TryGet(key, out NativeSlice found))
        {
            return 0;
        }

        long rowId = BinaryPrimitives.ReadInt64LittleEndian(found.Span);
        bool isDeleted = _byIndex.Delete(new CompareExchangeValue(_rows!.Read(rowId)).Index) & _byKey.Delete(key);
        Debug.Assert(isDeleted, "CX-1");
        _rows.Delete(rowId);
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

    private void Open()
    {
        if (_rows is null)
        {
            _rows = _transaction.OpenOrCreateRowHeap(Rows);
            _byKey = _transaction.OpenOrCreateTree(ByKey);
            _byIndex = _transaction.OpenOrCreateFixedTree(ByIndex, DocumentSchema.RowIdSizeBytes);
        }
    }
}
