using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows;

/// <summary>
/// Rows of one kind in one write transaction, each found by its key and by its etag: writes, moves and removes a row
/// together with its entries in both trees, so that every row is in both under its own key and etag after each call
/// (COUNT-1, CX-1). The structures are opened, or created, when first needed: a transaction without such rows pays
/// nothing.
/// </summary>
/// <typeparam name="TNames">The names of the structures.</typeparam>
internal sealed class IndexedRows<TNames>
    where TNames : struct, IIndexedRowNames
{
    private WriteTransaction _transaction = null!;
    private RowHeap? _rows;
    private Tree _byKey = null!;
    private FixedTree _byEtag = null!;

    /// <summary>The rows by their keys.</summary>
    internal Tree ByKey
    {
        get
        {
            Open();
            return _byKey;
        }
    }

    /// <summary>The rows by their etags.</summary>
    internal FixedTree ByEtag
    {
        get
        {
            Open();
            return _byEtag;
        }
    }

    /// <summary>Starts a command; opens nothing yet.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _rows = null;
    }

    /// <summary>Finds a row in any transaction; creates nothing.</summary>
    internal static bool TryFind(Transaction transaction, ReadOnlySpan<byte> key, out NativeSlice row)
    {
        if (transaction.TryOpenTree(TNames.ByKey) is { } byKey && byKey.TryGet(key, out NativeSlice rowId))
        {
            row = transaction.TryOpenRowHeap(TNames.Rows)!.Read(RowIdOf(rowId));
            return true;
        }

        row = default;
        return false;
    }

    /// <summary>Finds a row of this transaction.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="rowId">Its number in the heap; 0 if there is none.</param>
    /// <param name="row">The row, valid until the next change.</param>
    internal bool TryFind(ReadOnlySpan<byte> key, out long rowId, out NativeSlice row)
    {
        Open();
        if (_byKey.TryGet(key, out NativeSlice value))
        {
            rowId = RowIdOf(value);
            row = _rows!.Read(rowId);
            return true;
        }

        rowId = 0;
        row = default;
        return false;
    }

    /// <summary>Gives the row of an entry of <see cref="ByKey"/>.</summary>
    /// <param name="entry">The entry's value.</param>
    /// <returns>The row, valid until the next change.</returns>
    internal NativeSlice Read(NativeSlice entry)
    {
        Open();
        return _rows!.Read(RowIdOf(entry));
    }

    /// <summary>True if there is a key that begins with this.</summary>
    internal bool HasAny(ReadOnlySpan<byte> prefix)
    {
        TreeCursor cursor = ByKey.GetCursor();
        return cursor.Seek(prefix) && cursor.Key.StartsWith(prefix);
    }

    /// <summary>The first key that begins with this, copied.</summary>
    internal bool TryFirstKey(ReadOnlySpan<byte> prefix, Span<byte> key, out int length)
    {
        TreeCursor cursor = ByKey.GetCursor();
        bool found = cursor.Seek(prefix) && cursor.Key.StartsWith(prefix);
        length = found ? cursor.Key.Length : 0;
        if (found)
        {
            cursor.Key.CopyTo(key);
        }

        return found;
    }

    /// <summary>Makes a row whose key there is not yet.</summary>
    /// <param name="key">Its key, outside of storage.</param>
    /// <param name="etag">Its etag.</param>
    /// <param name="length">Its bytes.</param>
    /// <returns>The row's memory, to be filled before the next call.</returns>
    internal NativeSlice Insert(ReadOnlySpan<byte> key, long etag, int length)
    {
        Open();
        long rowId = _rows!.Insert(length, out NativeSlice row);
        PutByKey(key, rowId);
        _byEtag.Put(etag, rowId);
        return row;
    }

    /// <summary>Gives a row another etag and another length; the caller writes all of its bytes.</summary>
    /// <param name="key">Its key, outside of storage.</param>
    /// <param name="rowId">Its number in the heap, as it was found.</param>
    /// <param name="oldEtag">The etag that it had.</param>
    /// <param name="etag">Its etag.</param>
    /// <param name="length">Its bytes.</param>
    /// <returns>The row's memory, to be filled before the next call.</returns>
    internal NativeSlice Replace(ReadOnlySpan<byte> key, long rowId, long oldEtag, long etag, int length)
    {
        bool isDeleted = _byEtag.Delete(oldEtag);
        Debug.Assert(isDeleted, "The row was not under its etag.");
        long newRowId = _rows!.Update(rowId, length, out NativeSlice row);
        if (newRowId != rowId)
        {
            PutByKey(key, newRowId);
        }

        _byEtag.Put(etag, newRowId);
        return row;
    }

    /// <summary>Removes a row.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="rowId">Its number in the heap, as it was found.</param>
    /// <param name="etag">Its etag.</param>
    internal void Remove(ReadOnlySpan<byte> key, long rowId, long etag)
    {
        bool isDeleted = _byKey.Delete(key) & _byEtag.Delete(etag);
        Debug.Assert(isDeleted, "The row was not under its key and its etag.");
        _rows!.Delete(rowId);
    }

    private static long RowIdOf(NativeSlice value) => BinaryPrimitives.ReadInt64LittleEndian(value.Span);

    private void Open()
    {
        if (_rows is null)
        {
            _byKey = _transaction.OpenOrCreateTree(TNames.ByKey);
            _byEtag = _transaction.OpenOrCreateFixedTree(TNames.ByEtag, DocumentSchema.RowIdSizeBytes);
            _rows = _transaction.OpenOrCreateRowHeap(TNames.Rows);
        }
    }

    private void PutByKey(ReadOnlySpan<byte> key, long rowId)
    {
        Span<byte> value = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(value, rowId);
        _byKey.Put(key, value);
    }
}
