using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Rows.Series;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows;

/// <summary>
/// The structures of <see cref="RevisionSchema"/> in one write transaction. Opened when first needed.
/// </summary>
internal sealed class RevisionTables(AttachmentTables attachments)
{
    private readonly IndexedRows<Names> _rows = new();
    private WriteTransaction _transaction = null!;
    private Tree? _bin;
    private bool? _isUsed;
    private long _transactionId;

    /// <summary>Starts a command.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _rows.Begin(transaction);
        _bin = null;
        if (_transactionId != transaction.Id)
        {
            _transactionId = transaction.Id;
            _isUsed = null;
        }
    }

    /// <summary>True if there are or were any; makes no structures. Looked up once a transaction.</summary>
    internal bool IsUsed => _isUsed ??= _transaction.TryOpenTree(RevisionSchema.ByKey) is not null;

    /// <summary>True if the version of an etag is a revision.</summary>
    internal bool Has(long etag) => Rows.ByEtag.Contains(etag);

    /// <summary>Keeps a version.</summary>
    /// <param name="key">The document's folded id.</param>
    /// <param name="version">The fields of the version's row.</param>
    /// <param name="id">The document's id.</param>
    /// <param name="changeVector">The version.</param>
    /// <param name="body">The document; must not lie in a page of this transaction.</param>
    /// <param name="isCurrent">Whether the document has this version: then the attachments are those that it has.
    /// </param>
    internal void Put(
        ReadOnlySpan<byte> key, in RowHeader version, ReadOnlySpan<byte> id, ReadOnlySpan<byte> changeVector,
        ReadOnlySpan<byte> body, bool isCurrent = true)
    {
        RowHeader header = version;
        header.Kind = RowKind.Revision;
        header.IsTombstone = false;
        header.Flags |= DocumentFlags.HasRevisions
            | ((header.Flags & DocumentFlags.DeleteRevision) == 0 ? DocumentFlags.Revision : DocumentFlags.None);
        Span<byte> fullKey = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        fullKey = fullKey[..RevisionSchema.WriteKey(fullKey, key, header.Etag)];
        NativeSlice row = Rows.Insert(
            fullKey, header.Etag, RowLayout.SizeOf(id.Length, changeVector.Length, body.Length));
        body.CopyTo(RowLayout.Write(row.WritableSpan, in header, id, changeVector));
        if ((header.Flags & DocumentFlags.DeleteRevision) != 0)
        {
            Span<byte> binKey = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64BigEndian(binKey, header.Etag);
            Bin.Put(binKey, key);
        }

        if ((header.Flags & DocumentFlags.HasAttachments) != 0 && isCurrent)
        {
            Span<byte> prefix = stackalloc byte[AttachmentKey.SizeBytesMax];
            attachments.CopyToRevision(prefix[..AttachmentKey.WritePrefix(prefix, key)], header.Etag);
        }

        if ((header.Flags & DocumentFlags.HasTimeSeries) != 0)
        {
            SeriesSnapshots.Keep(_transaction, key, header.Etag);
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
            Bin.Delete(etag);
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

    /// <summary>Deletes the oldest revisions of a document.</summary>
    /// <returns>How many.</returns>
    internal long DeleteSome(ReadOnlySpan<byte> key, int countMax)
    {
        long deleted = 0;
        for (; deleted < countMax && TryFindFirst(key, out RowHeader first); deleted++)
        {
            Delete(key, first.Etag);
        }

        return deleted;
    }

    /// <summary>The document in the bin that was deleted first.</summary>
    /// <param name="key">Takes its folded id.</param>
    /// <param name="length">The length of that.</param>
    /// <param name="deletion">The fields of the revision that stands for the deletion.</param>
    internal bool TryFirstOfBin(Span<byte> key, out int length, out RowHeader deletion)
    {
        TreeCursor cursor = Bin.GetCursor();
        deletion = default;
        length = 0;
        if (!cursor.SeekFirst())
        {
            return false;
        }

        cursor.Value.Span.CopyTo(key);
        length = cursor.Value.Length;
        Span<byte> fullKey = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        fullKey = fullKey[..RevisionSchema.WriteKey(
            fullKey, key[..length], BinaryPrimitives.ReadInt64BigEndian(cursor.Key))];
        bool isThere = Rows.TryFind(fullKey, out _, out NativeSlice row);
        deletion = isThere ? RowLayout.ReadHeader(row.Span) : default;
        return isThere;
    }

    /// <summary>Deletes a revision.</summary>
    /// <returns>False if it does not exist, or is another document's.</returns>
    internal bool Delete(ReadOnlySpan<byte> key, long etag)
    {
        IndexedRows<Names> rows = Rows;
        Span<byte> fullKey = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        fullKey = fullKey[..RevisionSchema.WriteKey(fullKey, key, etag)];
        if (!rows.TryFind(fullKey, out long rowId, out NativeSlice row))
        {
            return false;
        }

        RowHeader header = RowLayout.ReadHeader(row.Span);
        rows.Remove(fullKey, rowId, etag);
        if ((header.Flags & DocumentFlags.DeleteRevision) != 0)
        {
            Span<byte> binKey = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64BigEndian(binKey, etag);
            Bin.Delete(binKey);
        }

        if ((header.Flags & DocumentFlags.HasAttachments) != 0)
        {
            attachments.DeleteOfRevision(etag);
        }

        if ((header.Flags & DocumentFlags.HasTimeSeries) != 0)
        {
            SeriesSnapshots.Remove(_transaction, etag);
        }

        return true;
    }

    /// <summary>The next document that has revisions, after a key; copied.</summary>
    internal bool TryFindDocumentAfter(ReadOnlySpan<byte> key, Span<byte> next, out int length)
    {
        Span<byte> after = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        after = key.IsEmpty ? default : after[..RevisionSchema.WriteKey(after, key, -1)];
        TreeCursor cursor = Rows.ByKey.GetCursor();
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
        IndexedRows<Names> rows = Rows;
        row = default;
        Span<byte> last = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        last = last[..RevisionSchema.WriteKey(last, key, long.MaxValue)];
        ReadOnlySpan<byte> prefix = last[..^sizeof(long)];
        TreeCursor cursor = rows.ByKey.GetCursor();
        for (bool more = cursor.SeekAtMost(last); more && cursor.Key.StartsWith(prefix); more = cursor.MovePrevious())
        {
            row = rows.Read(cursor.Value);
            if (RowLayout.ReadHeader(row.Span).LastModifiedTicks <= atTicks)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The revisions. Whatever uses them creates all structures that there are.</summary>
    private IndexedRows<Names> Rows
    {
        get
        {
            _ = Bin;
            return _rows;
        }
    }

    private Tree Bin
    {
        get
        {
            if (_bin is null)
            {
                _isUsed = true;
                _bin = _transaction.OpenOrCreateTree(RevisionSchema.Bin);
            }

            return _bin;
        }
    }

    /// <summary>The first of the last revisions of a document; 0 if there are fewer.</summary>
    private long EtagOfLast(ReadOnlySpan<byte> key, long count)
    {
        if (count == 0)
        {
            return long.MaxValue;
        }

        Span<byte> last = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        last = last[..RevisionSchema.WriteKey(last, key, long.MaxValue)];
        ReadOnlySpan<byte> prefix = last[..^sizeof(long)];
        TreeCursor cursor = Rows.ByKey.GetCursor();
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
        IndexedRows<Names> rows = Rows;
        Span<byte> prefix = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        prefix = prefix[..RevisionSchema.WritePrefix(prefix, key)];
        TreeCursor cursor = rows.ByKey.GetCursor();
        bool found = cursor.Seek(prefix) && cursor.Key.StartsWith(prefix);
        header = found ? RowLayout.ReadHeader(rows.Read(cursor.Value).Span) : default;
        return found;
    }

    private bool TryFindLast(ReadOnlySpan<byte> key, long atTicks, out RowHeader header)
    {
        bool found = TryFindAt(key, atTicks, out NativeSlice row);
        header = found ? RowLayout.ReadHeader(row.Span) : default;
        return found;
    }

    private readonly struct Names : IIndexedRowNames
    {
        public static ReadOnlySpan<byte> Rows => RevisionSchema.Revisions;

        public static ReadOnlySpan<byte> ByKey => RevisionSchema.ByKey;

        public static ReadOnlySpan<byte> ByEtag => RevisionSchema.ByEtag;
    }
}
