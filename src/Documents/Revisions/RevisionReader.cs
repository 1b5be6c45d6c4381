using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Documents.Revisions;

/// <summary>Revisions as one snapshot sees them.</summary>
public readonly ref struct RevisionReader
{
    private readonly DocumentSnapshot _snapshot;
    private readonly RowHeap? _rows;
    private readonly Tree? _byKey;
    private readonly FixedTree? _byEtag;
    private readonly CancellationToken _cancellation;

    /// <param name="snapshot">The snapshot.</param>
    /// <param name="cancellation">Ends a long search.</param>
    public RevisionReader(DocumentSnapshot snapshot, CancellationToken cancellation = default)
    {
        _cancellation = cancellation;
        _snapshot = snapshot;
        _rows = snapshot.Transaction.TryOpenRowHeap(RevisionSchema.Revisions);
        _byKey = snapshot.Transaction.TryOpenTree(RevisionSchema.ByKey);
        _byEtag = snapshot.Transaction.TryOpenFixedTree(RevisionSchema.ByEtag);
    }

    /// <summary>How many there are.</summary>
    public long Count => _byKey?.Count ?? 0;

    /// <summary>Finds a revision by its version.</summary>
    public bool TryGet(ReadOnlySpan<byte> changeVector, out StoredDocument revision)
    {
        if (_byEtag is not null && ChangeVector.TryReadLocalEtag(changeVector, out long etag)
            && _byEtag.TryGet(etag, out long rowId))
        {
            revision = new StoredDocument(_rows!.Read(rowId), _snapshot);
            if (revision.ChangeVector.Span.SequenceEqual(changeVector))
            {
                return true;
            }
        }

        revision = default;
        return false;
    }

    /// <summary>Finds a revision by the change that wrote it.</summary>
    public bool TryGet(long etag, out StoredDocument revision)
    {
        long rowId = 0;
        bool isFound = _byEtag is not null && _byEtag.TryGet(etag, out rowId);
        revision = isFound ? new StoredDocument(_rows!.Read(rowId), _snapshot) : default;
        return isFound;
    }

    /// <summary>Finds the first revision that was written by a change or a later one.</summary>
    internal bool TryGetFirst(long fromEtag, out StoredDocument revision)
    {
        revision = default;
        if (_byEtag is null)
        {
            return false;
        }

        FixedTreeCursor cursor = _byEtag.GetCursor();
        bool isFound = cursor.Seek(fromEtag);
        revision = isFound ? new StoredDocument(_rows!.Read(cursor.Int64Value), _snapshot) : default;
        return isFound;
    }

    /// <summary>Finds the revision of the same document before another one.</summary>
    internal bool TryGetBefore(in StoredDocument revision, out StoredDocument before)
    {
        before = default;
        Span<byte> last = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        if (_byKey is null || !TryWriteLast(revision.Id.Span, ref last))
        {
            return false;
        }

        BinaryPrimitives.WriteInt64BigEndian(last[^sizeof(long)..], revision.Etag - 1);
        ReadOnlySpan<byte> prefix = last[..^sizeof(long)];
        TreeCursor cursor = _byKey.GetCursor();
        bool isFound = cursor.SeekAtMost(last) && cursor.Key.StartsWith(prefix);
        before = isFound ? Read(cursor.Value) : default;
        return isFound;
    }

    /// <summary>The last version of a document that was written at or before a time.</summary>
    public bool TryGetAt(ReadOnlySpan<byte> id, long ticks, out StoredDocument revision)
    {
        revision = default;
        Span<byte> last = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        if (_byKey is null || !TryWriteLast(id, ref last))
        {
            return false;
        }

        ReadOnlySpan<byte> prefix = last[..^sizeof(long)];
        var watch = new ScanCancellation(_cancellation);
        TreeCursor cursor = _byKey.GetCursor();
        for (bool more = cursor.SeekAtMost(last); more && cursor.Key.StartsWith(prefix); more = cursor.MovePrevious())
        {
            watch.Step();
            revision = Read(cursor.Value);
            if (revision.LastModifiedTicks <= ticks)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The revisions of a document, the last first.</summary>
    /// <param name="id">Its id in any case, UTF-8.</param>
    /// <param name="start">How many to skip.</param>
    /// <param name="pageSize">The most to give.</param>
    /// <param name="into">Takes them.</param>
    /// <returns>How many there are in all.</returns>
    public long List(ReadOnlySpan<byte> id, long start, long pageSize, List<StoredDocument> into)
    {
        Span<byte> last = stackalloc byte[RevisionSchema.KeySizeBytesMax];
        if (_byKey is null || !TryWriteLast(id, ref last))
        {
            return 0;
        }

        ReadOnlySpan<byte> prefix = last[..^sizeof(long)];
        long count = 0;
        var watch = new ScanCancellation(_cancellation);
        TreeCursor cursor = _byKey.GetCursor();
        for (bool more = cursor.SeekAtMost(last); more && cursor.Key.StartsWith(prefix); more = cursor.MovePrevious())
        {
            if (count >= start && into.Count < pageSize)
            {
                into.Add(Read(cursor.Value));
            }

            count++;
            watch.Step();
        }

        return count;
    }

    /// <summary>The revisions that documents left which are deleted, the last deletion first.</summary>
    /// <param name="below">Gives only those with lower etags: the last one of the page before.</param>
    /// <param name="start">How many of these to skip.</param>
    /// <param name="pageSize">The most to give.</param>
    /// <param name="into">Takes them.</param>
    /// <returns>The etag of the last one that was given, if there are more; otherwise 0.</returns>
    public long ListBin(long below, long start, long pageSize, List<StoredDocument> into)
    {
        if (_snapshot.Transaction.TryOpenTree(RevisionSchema.Bin) is not { } bin)
        {
            return 0;
        }

        Span<byte> last = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(last, below - 1);
        var watch = new ScanCancellation(_cancellation);
        TreeCursor cursor = bin.GetCursor();
        for (bool more = cursor.SeekAtMost(last); more; more = cursor.MovePrevious())
        {
            watch.Step();
            if (into.Count >= pageSize)
            {
                return below;
            }

            long etag = BinaryPrimitives.ReadInt64BigEndian(cursor.Key);
            if (start-- <= 0 && _byEtag!.TryGet(etag, out long rowId))
            {
                into.Add(new StoredDocument(_rows!.Read(rowId), _snapshot));
                below = etag;
            }
        }

        return 0;
    }

    private static bool TryWriteLast(ReadOnlySpan<byte> id, ref Span<byte> last)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(id, key, out int length, out _))
        {
            return false;
        }

        last = last[..RevisionSchema.WriteKey(last, key[..length], long.MaxValue)];
        return true;
    }

    private StoredDocument Read(NativeSlice rowId) =>
        new(_rows!.Read(BinaryPrimitives.ReadInt64LittleEndian(rowId.Span)), _snapshot);
}
