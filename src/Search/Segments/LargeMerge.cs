using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Search.Segments;

//   LARGE-1  Batches are indexed while a large merge runs: each field is written in a transaction of its own, and the
//            last transaction replaces the old segments by the new one. Until then no reader sees any of it.
//   LARGE-2  Entries that batches deleted meanwhile are deleted in the new segment, in that last transaction.
//   LARGE-3  The segments of the merge are reserved: no other merge takes them. They never change, except that entries
//            are marked as deleted; so the merge need not hold one snapshot from its beginning to its end.
//   LARGE-4  Fields of a segment without a header were left by a merge that was stopped: the next merge removes them.

/// <summary>Merges large segments beside the batches of an index. One at a time.</summary>
/// <param name="environment">The environment of the index.</param>
/// <param name="inlineBytesMax">The most bytes of segments that are merged between batches.</param>
/// <param name="partBytesMax">From how many bytes on the records of a field's vectors are in parts.</param>
/// <param name="graphs">Builds graphs while nothing is to be merged.</param>
internal sealed class LargeMerge(
    StorageEnvironment environment, long inlineBytesMax, long partBytesMax, GraphMerge graphs)
{
    private static readonly IReadOnlySet<int> None = new HashSet<int>();

    private readonly MergeChoice _choice = new(inlineBytesMax);
    private SegmentMerger _merger = new(partBytesMax);
    private readonly SegmentList _segments = new();
    private readonly SegmentList _snapshot = new();
    private readonly SegmentStore _store = new();
    private volatile IReadOnlySet<int> _reserved = None;

    /// <summary>The segments that it is at (LARGE-3). Any thread.</summary>
    internal IReadOnlySet<int> Reserved => _reserved;

    /// <summary>Frees what it keeps for the next merge. Must not be called during a merge.</summary>
    internal void GiveIdleMemoryBack() => _merger = new SegmentMerger(partBytesMax);

    /// <summary>Merges one group, or builds one graph.</summary>
    /// <param name="isStopping">Whether to end soon, without a result.</param>
    /// <returns>False if there was nothing to merge, or it was stopped.</returns>
    internal bool Run(Func<bool> isStopping)
    {
        if (!IsNeeded())
        {
            return BuildGraph(isStopping);
        }

        if (!TryBegin(out int segment, out int fieldCount))
        {
            return false;
        }

        try
        {
            long largest = 0;
            for (int field = 0; field < fieldCount && _merger.LiveCount > 0; field++)
            {
                if (isStopping())
                {
                    return false;
                }

                if (Read(() => _merger.MergeField(field)))
                {
                    largest = Math.Max(largest, _merger.FieldSize);
                    Put(segment, field, _merger.FieldBlob);
                    if (!TryPutParts(segment, field, isStopping))
                    {
                        return false;
                    }
                }
            }

            if (_merger.LiveCount > 0 && Read(_merger.MergeStored))
            {
                largest = Math.Max(largest, _merger.StoredBlob.Length);
                Put(segment, IndexNames.StoredBytes, _merger.StoredBlob);
            }

            End(segment, largest);
            return true;
        }
        finally
        {
            _reserved = None;
            _merger.Trim();
        }
    }

    /// <summary>Builds the graph of a segment, which it reserves: a merge would make that work void.</summary>
    private bool BuildGraph(Func<bool> isStopping)
    {
        int segment;
        int field;
        using (ReadTransaction transaction = environment.BeginRead())
        {
            _segments.Load(transaction);
            if (!graphs.TryFind(_segments, out segment, out field))
            {
                return false;
            }
        }

        _reserved = new HashSet<int> { segment };
        try
        {
            return graphs.Run(segment, field, isStopping);
        }
        finally
        {
            _reserved = None;
        }
    }

    /// <summary>Writes the records that are not in the field's blob; each part in a transaction of its own.</summary>
    private bool TryPutParts(int segment, int field, Func<bool> isStopping)
    {
        int count = _merger.PartCount;
        for (int part = 0; part < count; part++)
        {
            if (isStopping())
            {
                return false;
            }

            Read(() =>
            {
                _merger.MergePart(field);
                return true;
            });
            using WriteTransaction transaction = environment.BeginWrite();
            _store.Open(transaction);
            _store.PutPart(segment, field, IndexNames.FirstRecordsPart + part, _merger.FieldBlob);
            transaction.Commit();
        }

        return true;
    }

    /// <summary>Checks without taking the write lock.</summary>
    private bool IsNeeded()
    {
        using ReadTransaction transaction = environment.BeginRead();
        _segments.Load(transaction);
        return _choice.Choose(_segments, isLarge: true, None);
    }

    private bool TryBegin(out int segment, out int fieldCount)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        _segments.Load(transaction);
        segment = 0;
        fieldCount = 0;
        if (!_choice.Choose(_segments, isLarge: true, None))
        {
            return false;
        }

        _store.Open(transaction);
        RemoveLeftovers(transaction);
        segment = _store.TakeSegmentId();
        fieldCount = _store.Meta.TryGet(IndexNames.FieldsKey, out NativeSlice fields)
            ? BinaryPrimitives.ReadInt32LittleEndian(fields.Span)
            : 0;

        // Removing segments and taking a number may have moved what was read before.
        _segments.Load(transaction);
        _choice.Choose(_segments, isLarge: true, None);
        _merger.Begin(_choice.Segments);
        _reserved = _choice.Segments.Select(one => one.Id).ToHashSet();
        try
        {
            transaction.Commit();
        }
        catch
        {
            _reserved = None;
            throw;
        }

        return true;
    }

    /// <summary>Removes what a merge left that was stopped (LARGE-4).</summary>
    private void RemoveLeftovers(WriteTransaction transaction)
    {
        Tree content = transaction.OpenOrCreateTree(IndexNames.Content);
        Tree segments = transaction.OpenOrCreateTree(IndexNames.Segments);
        Span<byte> from = stackalloc byte[IndexNames.ContentKeySize];
        from.Clear();
        while (true)
        {
            TreeCursor cursor = content.GetCursor();
            if (!cursor.Seek(from))
            {
                return;
            }

            int id = BinaryPrimitives.ReadInt32BigEndian(cursor.Key);
            if (!segments.Contains(cursor.Key[..sizeof(int)]))
            {
                _store.RemoveSegment(id);
            }

            BinaryPrimitives.WriteInt32BigEndian(from, id + 1);
        }
    }

    /// <summary>Reads the segments from a new snapshot.</summary>
    private bool Read(Func<bool> read)
    {
        using ReadTransaction transaction = environment.BeginRead();
        _snapshot.Load(transaction);
        Attach(_snapshot);
        return read();
    }

    private void Attach(SegmentList segments)
    {
        for (int i = 0; i < _merger.SourceCount; i++)
        {
            MergeSource source = _merger.Source(i);
            for (int at = 0; at < segments.Count; at++)
            {
                if (segments[at].Id == source.SegmentId)
                {
                    source.Segment = segments[at];
                }
            }
        }
    }

    private void Put(int segment, int field, ReadOnlySpan<byte> blob)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        _store.Open(transaction);
        _store.PutContent(segment, field, blob);
        transaction.Commit();
    }

    private void End(int segment, long largest)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        _store.Open(transaction);
        _segments.Load(transaction);
        Attach(_segments);
        if (_merger.LiveCount > 0)
        {
            _store.PutHeader(
                segment, new SegmentHeader { EntryCount = _merger.LiveCount, LargestFieldBytes = largest });
        }

        for (int i = 0; i < _merger.SourceCount; i++)
        {
            MergeSource source = _merger.Source(i);
            CopyDeletions(source, segment);
            _store.RemoveSegment(source.SegmentId);
        }

        transaction.Commit();
    }

    /// <summary>Entries that were live at the beginning, and are not now (LARGE-2).</summary>
    private void CopyDeletions(MergeSource source, int segment)
    {
        if (source.Segment.LiveCount == source.LiveCount)
        {
            return;
        }

        ReadOnlySpan<int> numbers = source.Numbers;
        Span<byte> chunk = stackalloc byte[IndexNames.DeletedChunkBytes];
        for (int start = 0; start < numbers.Length; start += IndexNames.DeletedChunkEntries)
        {
            ReadOnlySpan<byte> deleted = source.Segment.DeletedChunk(start);
            deleted.CopyTo(chunk);
            for (int bit = 0; !deleted.IsEmpty && bit < IndexNames.DeletedChunkEntries; bit++)
            {
                int entry = start + bit;
                if ((chunk[bit >> 3] & (1 << (bit & 7))) != 0 && numbers[entry] >= 0)
                {
                    _store.Delete(segment, numbers[entry]);
                }
            }
        }
    }
}
