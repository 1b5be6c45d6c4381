using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Search.Segments;

/// <summary>The segments that a transaction sees, oldest first. Reused by the next transaction.</summary>
internal sealed class SegmentList
{
    private SegmentReader[] _segments = [];

    internal int Count { get; private set; }

    internal SegmentReader this[int index] => _segments[index];

    /// <summary>Entries of all segments, including deleted ones.</summary>
    internal int EntryCount { get; private set; }

    internal int LiveCount { get; private set; }

    internal void Load(Transaction transaction)
    {
        Count = 0;
        EntryCount = 0;
        LiveCount = 0;
        Tree? segments = transaction.TryOpenTree(IndexNames.Segments);
        Tree? content = transaction.TryOpenTree(IndexNames.Content);
        if (segments is null || content is null)
        {
            return;
        }

        FixedTree? deleted = transaction.TryOpenFixedTree(IndexNames.Deleted);
        TreeCursor cursor = segments.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            if (Count == _segments.Length)
            {
                Array.Resize(ref _segments, Count + 8);
            }

            SegmentReader segment = _segments[Count++] ??= new SegmentReader();
            SegmentHeader header = MemoryMarshal.Read<SegmentHeader>(cursor.Value.Span);
            segment.Open(content, deleted, BinaryPrimitives.ReadInt32BigEndian(cursor.Key), header, EntryCount);
            EntryCount += header.EntryCount;
            LiveCount += segment.LiveCount;
        }
    }
}
