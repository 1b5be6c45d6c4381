using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Search.Segments;

/// <summary>Adds, changes and removes segments in one write transaction.</summary>
internal sealed class SegmentStore
{
    private Tree _meta = null!;
    private Tree _segments = null!;
    private Tree _content = null!;
    private FixedTree _deleted = null!;

    internal void Open(WriteTransaction transaction)
    {
        _meta = transaction.OpenOrCreateTree(IndexNames.Meta);
        _segments = transaction.OpenOrCreateTree(IndexNames.Segments);
        _content = transaction.OpenOrCreateTree(IndexNames.Content);
        _deleted = transaction.OpenOrCreateFixedTree(IndexNames.Deleted, IndexNames.DeletedChunkBytes);
    }

    internal Tree Meta => _meta;

    /// <summary>The number of the next segment; numbers are never reused.</summary>
    internal int TakeSegmentId()
    {
        int id = _meta.TryGet(IndexNames.NextSegmentKey, out NativeSlice value)
            ? BinaryPrimitives.ReadInt32LittleEndian(value.Span)
            : 1;
        Span<byte> next = stackalloc byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(next, checked(id + 1));
        _meta.Put(IndexNames.NextSegmentKey, next);
        return id;
    }

    internal void PutContent(int segment, int field, ReadOnlySpan<byte> blob)
    {
        Span<byte> key = stackalloc byte[IndexNames.ContentKeySize];
        IndexNames.WriteContentKey(key, segment, field);
        _content.Put(key, blob);
    }

    /// <summary>Writes a part of a field of vectors.</summary>
    internal void PutPart(int segment, int field, int part, ReadOnlySpan<byte> blob)
    {
        Span<byte> key = stackalloc byte[IndexNames.PartKeySize];
        IndexNames.WritePartKey(key, segment, field, part);
        _content.Put(key, blob);
        if (part != IndexNames.GraphPart)
        {
            Span<byte> version = stackalloc byte[sizeof(int)];
            BinaryPrimitives.WriteInt32LittleEndian(version, IndexNames.FormatVersionOfParts);
            _meta.Put(IndexNames.FormatKey, version);
        }
    }

    internal void PutHeader(int segment, in SegmentHeader header)
    {
        Span<byte> key = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(key, segment);
        _segments.Put(key, MemoryMarshal.AsBytes(new ReadOnlySpan<SegmentHeader>(in header)));
    }

    internal void RemoveSegment(int segment)
    {
        Span<byte> key = stackalloc byte[4];
        Span<byte> next = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(key, segment);
        BinaryPrimitives.WriteInt32BigEndian(next, segment + 1);
        _segments.Delete(key);
        _content.DeleteRange(key, next);
        _deleted.DeleteRange((long)segment << 32, ((long)(segment + 1) << 32) - 1);
    }

    /// <summary>Marks an entry as deleted.</summary>
    /// <returns>False if it was deleted before.</returns>
    internal bool Delete(int segment, int entry)
    {
        long key = IndexNames.DeletedKey(segment, entry);
        Span<byte> chunk = stackalloc byte[IndexNames.DeletedChunkBytes];
        if (_deleted.TryGet(key, out NativeSlice old))
        {
            old.Span.CopyTo(chunk);
        }
        else
        {
            chunk.Clear();
        }

        int bit = entry % IndexNames.DeletedChunkEntries;
        if ((chunk[bit >> 3] & (1 << (bit & 7))) != 0)
        {
            return false;
        }

        chunk[bit >> 3] |= (byte)(1 << (bit & 7));
        _deleted.Put(key, chunk);
        Span<byte> name = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(name, segment);
        _segments.TryGet(name, out NativeSlice value);
        SegmentHeader header = MemoryMarshal.Read<SegmentHeader>(value.Span);
        header.DeletedCount++;
        PutHeader(segment, header);
        return true;
    }
}
