using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;

namespace Raven.Documents.Rows;

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
    private readonly IndexedRows<Names> _rows = new();
    private WriteTransaction _transaction = null!;

    internal static ReadOnlySpan<byte> Rows => "Counters"u8;

    internal static ReadOnlySpan<byte> ByKey => "Counters.ByKey"u8;

    internal static ReadOnlySpan<byte> ByEtag => "Counters.ByEtag"u8;

    /// <summary>Opens nothing yet: most commands do not use counters.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _rows.Begin(transaction);
    }

    /// <summary>Finds a counter in any transaction.</summary>
    internal static bool TryFind(Transaction transaction, ReadOnlySpan<byte> key, out StoredCounter counter)
    {
        bool found = IndexedRows<Names>.TryFind(transaction, key, out NativeSlice row);
        counter = found ? new StoredCounter(row) : default;
        return found;
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
        bool isNew = !_rows.TryFind(key, out long rowId, out NativeSlice found);
        var old = new StoredCounter(found);
        long oldEtag = isNew ? 0 : old.Etag;
        Span<byte> keptName = stackalloc byte[Ids.DocumentId.SizeBytesMax];
        Span<byte> keptId = stackalloc byte[Ids.DocumentId.SizeBytesMax];
        documentId.CopyTo(keptId);
        keptId = keptId[..documentId.Length];
        ReadOnlySpan<byte> firstName = isNew ? name : old.Name.Span;
        firstName.CopyTo(keptName);
        keptName = keptName[..firstName.Length];

        int size = RowLayout.SizeOf(keptId.Length, changeVector.Length, StoredCounter.NameOffset + keptName.Length);
        NativeSlice row = isNew
            ? _rows.Insert(key, header.Etag, size)
            : _rows.Replace(key, rowId, oldEtag, header.Etag, size);
        Span<byte> body = RowLayout.Write(row.WritableSpan, in header, keptId, changeVector);
        BinaryPrimitives.WriteInt64LittleEndian(body, value);
        keptName.CopyTo(body[StoredCounter.NameOffset..]);
        return isNew;
    }

    /// <summary>Removes a counter; false if there is none.</summary>
    internal bool Remove(ReadOnlySpan<byte> key)
    {
        if (!_rows.TryFind(key, out long rowId, out NativeSlice row))
        {
            return false;
        }

        _rows.Remove(key, rowId, new StoredCounter(row).Etag);
        return true;
    }

    /// <summary>Whether the document has counters.</summary>
    internal bool Any(ReadOnlySpan<byte> documentKey)
    {
        Span<byte> prefix = stackalloc byte[CounterKey.SizeBytesMax];
        return _rows.HasAny(prefix[..CounterKey.WritePrefix(prefix, documentKey)]);
    }

    /// <summary>Removes all counters of a document.</summary>
    internal void RemoveAll(ReadOnlySpan<byte> documentKey)
    {
        Span<byte> prefix = stackalloc byte[CounterKey.SizeBytesMax];
        prefix = prefix[..CounterKey.WritePrefix(prefix, documentKey)];
        Span<byte> key = stackalloc byte[CounterKey.SizeBytesMax];
        while (_rows.TryFirstKey(prefix, key, out int length))
        {
            Remove(key[..length]);
        }
    }

    private readonly struct Names : IIndexedRowNames
    {
        public static ReadOnlySpan<byte> Rows => CounterTables.Rows;

        public static ReadOnlySpan<byte> ByKey => CounterTables.ByKey;

        public static ReadOnlySpan<byte> ByEtag => CounterTables.ByEtag;
    }
}
