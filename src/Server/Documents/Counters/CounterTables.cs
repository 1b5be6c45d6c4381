using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Server.Documents.Rows;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Server.Documents.Counters;

//   NAME              STRUCTURE  KEY                              VALUE
//   Counters          RowHeap                                     rows (StoredCounter)
//   Counters.ByKey    Tree       folded id, 0x1E, folded name     int64, row
//   Counters.ByEtag   FixedTree  etag                             int64, row
//
//   COUNT-1  Every row is in both trees, under its own key and etag.
//   COUNT-2  A document has the flag HasCounters exactly if it has counters.
//   COUNT-3  A counter leaves no tombstone: its deletion gives its document a new version.

/// <summary>The counters of a database in one write transaction.</summary>
internal sealed class CounterTables
{
    private WriteTransaction _transaction = null!;
    private RowHeap? _rows;
    private Tree _byKey = null!;
    private FixedTree _byEtag = null!;

    internal static ReadOnlySpan<byte> Rows => "Counters"u8;

    internal static ReadOnlySpan<byte> ByKey => "Counters.ByKey"u8;

    internal static ReadOnlySpan<byte> ByEtag => "Counters.ByEtag"u8;

    /// <summary>Opens nothing yet: most commands do not use counters.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _rows = null;
    }

    /// <summary>Finds a counter in any transaction.</summary>
    internal static bool TryFind(Transaction transaction, ReadOnlySpan<byte> key, out StoredCounter counter)
    {
        if (transaction.TryOpenTree(ByKey) is { } byKey && byKey.TryGet(key, out NativeSlice value))
        {
            RowHeap rows = transaction.TryOpenRowHeap(Rows)!;
            counter = new StoredCounter(rows.Read(BinaryPrimitives.ReadInt64LittleEndian(value.Span)));
            return true;
        }

        counter = default;
        return false;
    }

    /// <summary>Finds a counter of this transaction.</summary>
    internal bool TryFind(ReadOnlySpan<byte> key, out StoredCounter counter) =>
        TryFind(_transaction, key, out counter);

    /// <summary>Writes a counter.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="name">Its name, stored if the counter is new.</param>
    /// <param name="documentId">The id of its document.</param>
    /// <param name="header">The row's fields, with an etag of its own.</param>
    /// <param name="changeVector">Its version.</param>
    /// <param name="value">Its value.</param>
    /// <returns>True if it is new.</returns>
    internal bool Put(
        ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, ReadOnlySpan<byte> documentId, in RowHeader header,
        ReadOnlySpan<byte> changeVector, long value)
    {
        Open();
        bool isNew = !_byKey.TryGet(key, out NativeSlice found);
        Span<byte> keptName = stackalloc byte[Ids.DocumentId.SizeBytesMax];
        Span<byte> keptId = stackalloc byte[Ids.DocumentId.SizeBytesMax];
        documentId.CopyTo(keptId);
        keptId = keptId[..documentId.Length];
        long rowId = 0;
        if (isNew)
        {
            name.CopyTo(keptName);
            keptName = keptName[..name.Length];
        }
        else
        {
            rowId = BinaryPrimitives.ReadInt64LittleEndian(found.Span);
            var old = new StoredCounter(_rows!.Read(rowId));
            old.Name.Span.CopyTo(keptName);
            keptName = keptName[..old.Name.Length];
            bool isDeleted = _byEtag.Delete(old.Etag);
            Debug.Assert(isDeleted, "COUNT-1");
        }

        int size = RowLayout.SizeOf(keptId.Length, changeVector.Length, StoredCounter.NameOffset + keptName.Length);
        long newRowId = isNew
            ? _rows!.Insert(size, out NativeSlice row)
            : _rows!.Update(rowId, size, out row);
        Span<byte> body = RowLayout.Write(row.WritableSpan, in header, keptId, changeVector);
        BinaryPrimitives.WriteInt64LittleEndian(body, value);
        keptName.CopyTo(body[StoredCounter.NameOffset..]);
        if (isNew || newRowId != rowId)
        {
            PutInt64(key, newRowId);
        }

        _byEtag.Put(header.Etag, newRowId);
        return isNew;
    }

    /// <summary>Removes a counter; false if there is none.</summary>
    internal bool Remove(ReadOnlySpan<byte> key)
    {
        Open();
        if (!_byKey.TryGet(key, out NativeSlice value))
        {
            return false;
        }

        long rowId = BinaryPrimitives.ReadInt64LittleEndian(value.Span);
        bool isDeleted = _byEtag.Delete(new StoredCounter(_rows!.Read(rowId)).Etag) & _byKey.Delete(key);
        Debug.Assert(isDeleted, "COUNT-1");
        _rows.Delete(rowId);
        return true;
    }

    /// <summary>Whether the document has counters.</summary>
    internal bool Any(ReadOnlySpan<byte> documentKey)
    {
        Open();
        Span<byte> prefix = stackalloc byte[CounterKey.SizeBytesMax];
        prefix = prefix[..CounterKey.WritePrefix(prefix, documentKey)];
        TreeCursor cursor = _byKey.GetCursor();
        return cursor.Seek(prefix) && cursor.Key.StartsWith(prefix);
    }

    /// <summary>Removes all counters of a document.</summary>
    internal void RemoveAll(ReadOnlySpan<byte> documentKey)
    {
        Open();
        Span<byte> prefix = stackalloc byte[CounterKey.SizeBytesMax];
        prefix = prefix[..CounterKey.WritePrefix(prefix, documentKey)];
        Span<byte> key = stackalloc byte[CounterKey.SizeBytesMax];
        while (true)
        {
            TreeCursor cursor = _byKey.GetCursor();
            if (!cursor.Seek(prefix) || !cursor.Key.StartsWith(prefix))
            {
                return;
            }

            int length = cursor.Key.Length;
            cursor.Key.CopyTo(key);
            Remove(key[..length]);
        }
    }

    private void Open()
    {
        if (_rows is null)
        {
            _rows = _transaction.OpenOrCreateRowHeap(Rows);
            _byKey = _transaction.OpenOrCreateTree(ByKey);
            _byEtag = _transaction.OpenOrCreateFixedTree(ByEtag, DocumentSchema.RowIdSizeBytes);
        }
    }

    private void PutInt64(ReadOnlySpan<byte> key, long value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, value);
        _byKey.Put(key, bytes);
    }
}
