using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Storage.Errors;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows;

/// <summary>
/// The structures of <see cref="DocumentSchema"/> in one write transaction: finds rows, and moves them together with
/// all their keys, so that SCH-1 and SCH-2 hold after every call. Checks are the command's part.
/// </summary>
internal sealed class DocumentTables
{
    private const int CollectionValueSizeBytesMax = sizeof(int) + Ids.DocumentId.SizeBytesMax;

    private WriteTransaction _transaction = null!;
    private Tree _database = null!;
    private RowHeap _documents = null!;
    private Tree _byId = null!;
    private FixedTree _byEtag = null!;
    private RowHeap _tombstones = null!;
    private Tree _tombstonesByKey = null!;
    private FixedTree _tombstonesByEtag = null!;
    private Tree _collections = null!;
    private Tree? _identities;

    private int _openCollection;
    private FixedTree? _openCollectionDocuments;

    /// <summary>The last etag that was given out; <see cref="End"/> stores it.</summary>
    internal long LastEtag { get; private set; }

    /// <summary>Opens the structures, in a new database creates them. All other members need this first.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _database = transaction.OpenOrCreateTree(DocumentSchema.Database);
        _documents = transaction.OpenOrCreateRowHeap(DocumentSchema.Documents);
        _byId = transaction.OpenOrCreateTree(DocumentSchema.DocumentsById);
        _byEtag = OpenFixed(DocumentSchema.DocumentsByEtag);
        _tombstones = transaction.OpenOrCreateRowHeap(DocumentSchema.Tombstones);
        _tombstonesByKey = transaction.OpenOrCreateTree(DocumentSchema.TombstonesByKey);
        _tombstonesByEtag = OpenFixed(DocumentSchema.TombstonesByEtag);
        _collections = transaction.OpenOrCreateTree(DocumentSchema.Collections);
        _identities = null;
        _openCollection = 0;
        LastEtag = _database.TryGet(DocumentSchema.LastEtagKey, out NativeSlice etag)
            ? BinaryPrimitives.ReadInt64LittleEndian(etag.Span)
            : 0;
    }

    /// <summary>Stores the last etag, if it changed.</summary>
    internal void End(long etagAtBegin)
    {
        if (LastEtag != etagAtBegin)
        {
            PutInt64(_database, DocumentSchema.LastEtagKey, LastEtag);
        }
    }

    /// <summary>The next etag (SCH-3).</summary>
    internal long NextEtag() => ++LastEtag;

    /// <summary>Finds a document.</summary>
    /// <param name="key">Its folded id.</param>
    /// <param name="rowId">The number of its row.</param>
    /// <param name="row">The row, valid until the next change.</param>
    internal bool TryFind(ReadOnlySpan<byte> key, out long rowId, out NativeSlice row)
    {
        if (!_byId.TryGet(key, out NativeSlice value))
        {
            rowId = 0;
            row = default;
            return false;
        }

        rowId = BinaryPrimitives.ReadInt64LittleEndian(value.Span);
        row = _documents.Read(rowId);
        return true;
    }

    /// <summary>The row of a document, by its number.</summary>
    internal NativeSlice ReadDocument(long rowId) => _documents.Read(rowId);

    /// <summary>The number of a collection that may not be there; 0 if it is not.</summary>
    internal int FindCollection(ReadOnlySpan<byte> key) =>
        _collections.TryGet(key, out NativeSlice found) ? BinaryPrimitives.ReadInt32LittleEndian(found.Span) : 0;

    /// <summary>Keeps servers away that do not know what is stored from now on.</summary>
    internal void RaiseFormat(int version)
    {
        if (_database.TryGet(DocumentSchema.VersionKey, out NativeSlice stored)
            && BinaryPrimitives.ReadInt32LittleEndian(stored.Span) < version)
        {
            Span<byte> value = stackalloc byte[sizeof(int)];
            BinaryPrimitives.WriteInt32LittleEndian(value, version);
            _database.Put(DocumentSchema.VersionKey, value);
        }
    }

    /// <summary>True if there is a document with this key.</summary>
    internal bool Exists(ReadOnlySpan<byte> key) => _byId.Contains(key);

    /// <summary>Makes the row of a document that did not exist.</summary>
    /// <param name="key">Its folded id.</param>
    /// <param name="header">The new row's fields, with an etag of <see cref="NextEtag"/>.</param>
    /// <param name="length">The size of the row.</param>
    /// <returns>The row's memory, to be filled before the next call.</returns>
    internal NativeSlice Insert(ReadOnlySpan<byte> key, in RowHeader header, int length)
    {
        LeaveTombstoneOfOther(key, header.CollectionId);
        DropTombstone(RowKind.Document, key);
        long rowId = _documents.Insert(length, out NativeSlice row);
        PutInt64(_byId, key, rowId);
        _byEtag.Put(header.Etag, rowId);
        CollectionDocuments(header.CollectionId).Put(header.Etag, rowId);
        return row;
    }

    /// <summary>Makes room for the next version of a document.</summary>
    /// <param name="key">Its folded id.</param>
    /// <param name="rowId">The number of its row.</param>
    /// <param name="old">The fields of its row.</param>
    /// <param name="header">The new row's fields, with an etag of <see cref="NextEtag"/>.</param>
    /// <param name="length">The size of the new row.</param>
    /// <returns>The row's memory, to be filled before the next call.</returns>
    internal NativeSlice Replace(
        ReadOnlySpan<byte> key, long rowId, in RowHeader old, in RowHeader header, int length)
    {
        bool found = _byEtag.Delete(old.Etag) & CollectionDocuments(old.CollectionId).Delete(old.Etag);
        Debug.Assert(found, "SCH-2");
        long newRowId = _documents.Update(rowId, length, out NativeSlice row);
        if (newRowId != rowId)
        {
            PutInt64(_byId, key, newRowId);
        }

        _byEtag.Put(header.Etag, newRowId);
        CollectionDocuments(header.CollectionId).Put(header.Etag, newRowId);
        return row;
    }

    /// <summary>Removes a document's row and all its keys.</summary>
    internal void Remove(ReadOnlySpan<byte> key, long rowId, in RowHeader old)
    {
        bool found = _byId.Delete(key) & _byEtag.Delete(old.Etag)
            & CollectionDocuments(old.CollectionId).Delete(old.Etag);
        Debug.Assert(found, "SCH-2");
        _documents.Delete(rowId);
    }

    /// <summary>Writes a tombstone.</summary>
    /// <param name="header">Its fields, with an etag of <see cref="NextEtag"/>.</param>
    /// <param name="key">The key of what was deleted, without its kind.</param>
    /// <param name="id">The id as it was spelled.</param>
    /// <param name="changeVector">The deletion's version.</param>
    /// <param name="deletedEtag">The etag of the version that was deleted.</param>
    internal void AddTombstone(
        in RowHeader header,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> id,
        ReadOnlySpan<byte> changeVector,
        long deletedEtag)
    {
        Debug.Assert(header.IsTombstone);
        DropTombstone(header.Kind, key);
        int length = RowLayout.SizeOf(id.Length, changeVector.Length, RowLayout.TombstoneBodySizeBytes);
        long rowId = _tombstones.Insert(length, out NativeSlice row);
        Span<byte> body = RowLayout.Write(row.WritableSpan, in header, id, changeVector);
        BinaryPrimitives.WriteInt64LittleEndian(body, deletedEtag);

        Span<byte> fullKey = stackalloc byte[TombstoneKey.SizeBytesMax];
        PutInt64(_tombstonesByKey, fullKey[..TombstoneKey.Write(fullKey, header.Kind, key)], rowId);
        _tombstonesByEtag.Put(header.Etag, rowId);
        CollectionTombstones(header.CollectionId).Put(header.Etag, rowId);
    }

    /// <summary>The tombstones in their order.</summary>
    internal FixedTree TombstonesByEtag => _tombstonesByEtag;

    /// <summary>The fields of a tombstone.</summary>
    internal RowHeader ReadTombstone(long rowId) => RowLayout.ReadHeader(_tombstones.Read(rowId).Span);

    /// <summary>Removes a tombstone for good, so that what reads changes from before it has to begin anew (TOMB-1).
    /// </summary>
    internal void ForgetTombstone(long rowId)
    {
        NativeSlice row = _tombstones.Read(rowId);
        RowHeader header = RowLayout.ReadHeader(row.Span);
        TombstoneFloor.Raise(_transaction, header.CollectionId, header.Etag);
        Span<byte> byKey = stackalloc byte[TombstoneKey.SizeBytesMax];
        bool found = _tombstonesByKey.Delete(byKey[..KeyOfTombstone(byKey, rowId)])
            & _tombstonesByEtag.Delete(header.Etag) & CollectionTombstones(header.CollectionId).Delete(header.Etag);
        Debug.Assert(found, "SCH-2");
        _tombstones.Delete(rowId);
    }

    /// <summary>The number of a collection, which is created if it is new (SCH-4).</summary>
    /// <param name="key">Its folded name.</param>
    /// <param name="name">Its name as the document spells it.</param>
    internal int CollectionId(ReadOnlySpan<byte> key, ReadOnlySpan<byte> name)
    {
        if (_collections.TryGet(key, out NativeSlice found))
        {
            return BinaryPrimitives.ReadInt32LittleEndian(found.Span);
        }

        int id = checked((int)(_collections.Count + 1));
        Span<byte> value = stackalloc byte[CollectionValueSizeBytesMax];
        BinaryPrimitives.WriteInt32LittleEndian(value, id);
        name.CopyTo(value[sizeof(int)..]);
        _collections.Put(key, value[..(sizeof(int) + name.Length)]);
        OpenFixed(DocumentSchema.CollectionDocuments(id));
        OpenFixed(DocumentSchema.CollectionTombstones(id));
        return id;
    }

    /// <summary>How many collections there are: the number of the last one (SCH-4).</summary>
    internal int CollectionCount => (int)_collections.Count;

    /// <summary>The transaction, for features that have structures of their own.</summary>
    internal WriteTransaction Transaction => _transaction;

    /// <summary>The name of a collection, as it was first written; valid until the next change.</summary>
    internal ReadOnlySpan<byte> CollectionName(int id)
    {
        TreeCursor cursor = _collections.GetCursor();
        for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
        {
            ReadOnlySpan<byte> value = cursor.Value.Span;
            if (BinaryPrimitives.ReadInt32LittleEndian(value) == id)
            {
                return value[sizeof(int)..];
            }
        }

        return default;
    }

    /// <summary>The last value of an identity that was given out, or 0.</summary>
    internal long Identity(ReadOnlySpan<byte> key)
    {
        _identities ??= _transaction.OpenOrCreateTree(DocumentSchema.Identities);
        return _identities.TryGet(key, out NativeSlice value) ? BinaryPrimitives.ReadInt64LittleEndian(value.Span) : 0;
    }

    /// <summary>Sets the last value of an identity.</summary>
    internal void SetIdentity(ReadOnlySpan<byte> key, long value)
    {
        _identities ??= _transaction.OpenOrCreateTree(DocumentSchema.Identities);
        PutInt64(_identities, key, value);
    }

    /// <summary>
    /// For a document that comes back in another collection than that which it was deleted from: readers of the old
    /// collection still have to see the deletion. Its tombstone stays, as one of a document that left the collection.
    /// </summary>
    private void LeaveTombstoneOfOther(ReadOnlySpan<byte> key, int collectionId)
    {
        Span<byte> fullKey = stackalloc byte[TombstoneKey.SizeBytesMax];
        if (_tombstonesByKey.Count == 0 || !_tombstonesByKey.TryGet(
            fullKey[..TombstoneKey.Write(fullKey, RowKind.Document, key)], out NativeSlice value))
        {
            return;
        }

        NativeSlice row = _tombstones.Read(BinaryPrimitives.ReadInt64LittleEndian(value.Span));
        RowHeader header = RowLayout.ReadHeader(row.Span);
        if (header.CollectionId == collectionId)
        {
            return;
        }

        byte[] id = RowLayout.Id(row).Span.ToArray();
        byte[] changeVector = RowLayout.ChangeVector(row).Span.ToArray();
        long deletedEtag = BinaryPrimitives.ReadInt64LittleEndian(RowLayout.Body(row).Span);
        DropTombstone(RowKind.Document, key);
        header.Kind = RowKind.LeftCollection;
        Span<byte> leftKey = stackalloc byte[TombstoneKey.LeftCollectionSizeBytesMax];
        int length = TombstoneKey.WriteLeftCollection(leftKey, key, header.CollectionId);
        AddTombstone(in header, leftKey[..length], id, changeVector, deletedEtag);
    }

    private void DropTombstone(RowKind kind, ReadOnlySpan<byte> key)
    {
        if (_tombstonesByKey.Count == 0)
        {
            return;
        }

        Span<byte> fullKey = stackalloc byte[TombstoneKey.SizeBytesMax];
        fullKey = fullKey[..TombstoneKey.Write(fullKey, kind, key)];
        if (!_tombstonesByKey.TryGet(fullKey, out NativeSlice value))
        {
            return;
        }

        long rowId = BinaryPrimitives.ReadInt64LittleEndian(value.Span);
        RowHeader header = RowLayout.ReadHeader(_tombstones.Read(rowId).Span);
        bool found = _tombstonesByKey.Delete(fullKey) & _tombstonesByEtag.Delete(header.Etag)
            & CollectionTombstones(header.CollectionId).Delete(header.Etag);
        Debug.Assert(found, "SCH-2");
        _tombstones.Delete(rowId);
    }

    /// <summary>The key of a tombstone: its row says of what kind it is, and of which document.</summary>
    private int KeyOfTombstone(Span<byte> target, long rowId)
    {
        NativeSlice row = _tombstones.Read(rowId);
        RowKind kind = RowLayout.ReadHeader(row.Span).Kind;
        target[0] = (byte)kind;
        DocumentId.TryFold(RowLayout.Id(row).Span, target[1..], out int length, out _);
        length++;
        if (kind == RowKind.Document)
        {
            return length;
        }

        // Behind the document's key there is what the row does not have: the name of an attachment, or a collection.
        target[length++] = TombstoneKey.Separator;
        TreeCursor cursor = _tombstonesByKey.GetCursor();
        for (bool more = cursor.Seek(target[..length]); more; more = cursor.MoveNext())
        {
            if (BinaryPrimitives.ReadInt64LittleEndian(cursor.Value.Span) == rowId)
            {
                cursor.Key.CopyTo(target);
                return cursor.Key.Length;
            }
        }

        throw new StorageCorruptedException("documents", -1, $"the tombstone in row {rowId} has no key");
    }

    private static void PutInt64(Tree tree, ReadOnlySpan<byte> key, long value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, value);
        tree.Put(key, bytes);
    }

    /// <summary>The tree of a collection's documents, cached: bulk writes mostly stay in one collection.</summary>
    private FixedTree CollectionDocuments(int id)
    {
        if (_openCollection != id || _openCollectionDocuments is null)
        {
            _openCollectionDocuments = OpenFixed(DocumentSchema.CollectionDocuments(id));
            _openCollection = id;
        }

        return _openCollectionDocuments;
    }

    private FixedTree CollectionTombstones(int id) => OpenFixed(DocumentSchema.CollectionTombstones(id));

    private FixedTree OpenFixed(ReadOnlySpan<byte> name) =>
        _transaction.OpenOrCreateFixedTree(name, DocumentSchema.RowIdSizeBytes);
}
