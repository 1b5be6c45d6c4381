using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Server.Documents.Attachments;
using Raven.Server.Documents.Rows;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Server.Documents.Revisions;

/// <summary>
/// The structures of <see cref="RevisionSchema"/> in one write transaction. Opened when first needed.
/// </summary>
internal sealed class RevisionTables(AttachmentTables attachments)
{
    private WriteTransaction _transaction = null!;
    private RowHeap? _rows;
    private Tree _byKey = null!;
    private FixedTree _byEtag = null!;
    private Tree _bin = null!;
    private bool? _isUsed;
    private long _transactionId;

    /// <summary>Starts a command.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _rows = null;
        if (_transactionId != transaction.Id)
        {
            _transactionId = transaction.Id;
            _isUsed = null;
        }
    }

    /// <summary>True if there are or were any; makes no structures. Looked up once a transaction.</summary>
    internal bool IsUsed => _isUsed ??= _transaction.TryOpenTree(RevisionSchema.ByKey) is not null;

    /// <summary>True if the version of an etag is a revision.</summary>
    internal bool Has(long etag)
    {
        _ = Rows;
        return _byEtag.Contains(etag);
    }

    /// <summary>Keeps a version.</summary>
    /// <param name="key">The document's folded id.</param>
    /// <param name="version">The fields of the version's row.</param>
    /// <param name="id">The document's id.</param>
    /// <param name="changeVector">The version.</param>
    /// <param name="body">The document; must not lie in a page of this transaction.</param>
    internal void Put(
        ReadOnlySpan<byte> key, in RowHeader version, ReadOnlySpan<byte> id, ReadOnlySpan<byte> changeVector,
        ReadOnlySpan<byte> body)
    {
        RowHeap rows = Rows;
        RowHeader header = version;
        header.Kind = RowKind.Revision;
        header.IsTombstone = false;
        header.Flags |= DocumentFlags.HasRevisions
            | ((header.Flags & DocumentFlags.DeleteRevision) == 0 ? DocumentFlags.Revision : DocumentFlags.None);
        long rowId = rows.Insert(RowLayout.SizeOf(id.Length, changeVector.Length, body.Length), out NativeSlice row);
        body.CopyTo(RowLayout.Write(row.WritableSpan, in header, id, changeVector));
        Span<byte> fullKey = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        fullKey = fullKey[..RevisionSchema.WriteKey(fullKey, key, header.Etag)];
        Span<byte> value = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(value, rowId);
        _byKey.Put(fullKey, value);
        _byEtag.Put(header.Etag, rowId);
        if ((header.Flags & DocumentFlags.DeleteRevision) != 0)
        {
            BinaryPrimitives.WriteInt64BigEndian(value, header.Etag);
            _bin.Put(value, key);
        }

        if ((header.Flags & DocumentFlags.HasAttachments) != 0)
        {
            Span<byte> prefix = stackalloc byte[AttachmentKey.SizeBytesMax];
            attachments.CopyToRevision(prefix[..AttachmentKey.WritePrefix(prefix, key)], header.Etag);
        }
    }

    /// <summary>Takes a document that exists again out of the bin.</summary>
    /// <returns>True if it has revisions from before its deletion.</returns>
    internal bool Revive(ReadOnlySpan<byte> key)
    {
        if (!TryFindLast(key, long.MaxValue, out RowHeader last))
        {
            return false;
        }

        if ((last.Flags & DocumentFlags.DeleteRevision) != 0)
        {
            Span<byte> etag = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64BigEndian(etag, last.Etag);
            _bin.Delete(etag);
        }

        return true;
    }

    /// <summary>
    /// Deletes the revisions that a document need not keep. It reads no more revisions than it deletes and, if the
    /// oldest is old enough to be deleted, those that the minimum number keeps: not all there are.
    /// </summary>
    /// <param name="key">Its folded id.</param>
    /// <param name="configuration">The limits of its collection.</param>
    /// <param name="nowTicks">The time.</param>
    /// <returns>How many were deleted.</returns>
    internal long Enforce(ReadOnlySpan<byte> key, CollectionRevisions configuration, long nowTicks)
    {
        if (!configuration.HasLimits)
        {
            return 0;
        }

        long keptSince = configuration.AgeMin is { } age ? nowTicks - age.Ticks : long.MaxValue;
        if (!TryFindFirst(key, out RowHeader first) || first.LastModifiedTicks >= keptSince)
        {
            return 0;
        }

        long keptFrom = configuration.CountMin is { } min ? EtagOfLast(key, min) : long.MaxValue;
        long deleted = 0;
        while (deleted < configuration.DeletedAtOnceMax && first.Etag < keptFrom
            && first.LastModifiedTicks < keptSince)
        {
            Delete(key, first.Etag);
            deleted++;
            if (!TryFindFirst(key, out first))
            {
                break;
            }
        }

        return deleted;
    }

    /// <summary>Deletes all revisions of a document.</summary>
    internal long DeleteAll(ReadOnlySpan<byte> key)
    {
        long deleted = 0;
        for (; IsUsed && TryFindFirst(key, out RowHeader first); deleted++)
        {
            Delete(key, first.Etag);
        }

        return deleted;
    }

    /// <summary>Deletes a revision.</summary>
    /// <returns>False if it does not exist, or is another document's.</returns>
    internal bool Delete(ReadOnlySpan<byte> key, long etag)
    {
        RowHeap rows = Rows;
        Span<byte> fullKey = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        fullKey = fullKey[..RevisionSchema.WriteKey(fullKey, key, etag)];
        if (!_byKey.TryGet(fullKey, out NativeSlice value))
        {
            return false;
        }

        long rowId = BinaryPrimitives.ReadInt64LittleEndian(value.Span);
        RowHeader header = RowLayout.ReadHeader(rows.Read(rowId).Span);
        bool found = _byKey.Delete(fullKey) & _byEtag.Delete(etag);
        Debug.Assert(found, "REV-1");
        rows.Delete(rowId);
        if ((header.Flags & DocumentFlags.DeleteRevision) != 0)
        {
            Span<byte> binKey = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64BigEndian(binKey, etag);
            _bin.Delete(binKey);
        }

        if ((header.Flags & DocumentFlags.HasAttachments) != 0)
        {
            attachments.DeleteOfRevision(etag);
        }

        return true;
    }

    /// <summary>The next document that has revisions, after a key; copied.</summary>
    internal bool TryFindDocumentAfter(ReadOnlySpan<byte> key, Span<byte> next, out int length)
    {
        _ = Rows;
        Span<byte> after = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        after = key.IsEmpty ? default : after[..RevisionSchema.WriteKey(after, key, -1)];
        TreeCursor cursor = _byKey.GetCursor();
        bool found = key.IsEmpty ? cursor.SeekFirst() : cursor.Seek(after);
        length = found ? cursor.Key.Length - sizeof(long) - 1 : 0;
        if (found)
        {
            cursor.Key[..length].CopyTo(next);
        }

        return found;
    }

    /// <summary>The last version of a document that was written at or before a time.</summary>
    /// <param name="key">Its folded id.</param>
    /// <param name="atTicks">The time.</param>
    /// <param name="row">Its row, until the next change.</param>
    internal bool TryFindAt(ReadOnlySpan<byte> key, long atTicks, out NativeSlice row)
    {
        RowHeap rows = Rows;
        row = default;
        Span<byte> last = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        last = last[..RevisionSchema.WriteKey(last, key, long.MaxValue)];
        ReadOnlySpan<byte> prefix = last[..^sizeof(long)];
        TreeCursor cursor = _byKey.GetCursor();
        for (bool more = cursor.SeekAtMost(last); more && cursor.Key.StartsWith(prefix); more = cursor.MovePrevious())
        {
            row = rows.Read(BinaryPrimitives.ReadInt64LittleEndian(cursor.Value.Span));
            if (RowLayout.ReadHeader(row.Span).LastModifiedTicks <= atTicks)
            {
                return true;
            }
        }

        return false;
    }

    private RowHeap Rows
    {
        get
        {
            if (_rows is null)
            {
                _isUsed = true;
                _byKey = _transaction.OpenOrCreateTree(RevisionSchema.ByKey);
                _byEtag = _transaction.OpenOrCreateFixedTree(RevisionSchema.ByEtag, sizeof(long));
                _bin = _transaction.OpenOrCreateTree(RevisionSchema.Bin);
                _rows = _transaction.OpenOrCreateRowHeap(RevisionSchema.Revisions);
            }

            return _rows;
        }
    }

    /// <summary>The first of the last revisions of a document; 0 if there are fewer.</summary>
    private long EtagOfLast(ReadOnlySpan<byte> key, long count)
    {
        if (count == 0)
        {
            return long.MaxValue;
        }

        _ = Rows;
        Span<byte> last = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        last = last[..RevisionSchema.WriteKey(last, key, long.MaxValue)];
        ReadOnlySpan<byte> prefix = last[..^sizeof(long)];
        TreeCursor cursor = _byKey.GetCursor();
        for (bool more = cursor.SeekAtMost(last); more && cursor.Key.StartsWith(prefix); more = cursor.MovePrevious())
        {
            if (--count == 0)
            {
                return BinaryPrimitives.ReadInt64BigEndian(cursor.Key[prefix.Length..]);
            }
        }

        return 0;
    }

    private bool TryFindFirst(ReadOnlySpan<byte> key, out RowHeader header)
    {
        RowHeap rows = Rows;
        Span<byte> prefix = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        prefix = prefix[..RevisionSchema.WritePrefix(prefix, key)];
        TreeCursor cursor = _byKey.GetCursor();
        bool found = cursor.Seek(prefix) && cursor.Key.StartsWith(prefix);
        header = found
            ? RowLayout.ReadHeader(rows.Read(BinaryPrimitives.ReadInt64LittleEndian(cursor.Value.Span)).Span)
            : default;
        return found;
    }

    private bool TryFindLast(ReadOnlySpan<byte> key, long atTicks, out RowHeader header)
    {
        bool found = TryFindAt(key, atTicks, out NativeSlice row);
        header = found ? RowLayout.ReadHeader(row.Span) : default;
        return found;
    }
}
