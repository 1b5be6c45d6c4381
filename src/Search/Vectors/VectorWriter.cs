using System.Runtime.InteropServices;
using Raven.Search.Buffers;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Vectors;

/// <summary>Writes a field of vectors of a segment. A new batch and a merge of old segments both end here.</summary>
internal sealed class VectorWriter
{
    /// <summary>The alignment of records.</summary>
    private const int Alignment = 64;

    private const int BytesKept = 16 << 20;

    private readonly ByteBuffer _blob = new();
    private VectorHeader _header;
    private int _recordSize;
    private int _count;
    private int _lastEntry;

    /// <summary>The field in its disk format, when it is finished.</summary>
    internal ReadOnlySpan<byte> Blob => _blob.Span;

    /// <summary>Begins a field of so many vectors.</summary>
    internal void Begin(VectorFormat format, int dimensions, int count)
    {
        _recordSize = VectorCode.SizeOf(format, dimensions);
        _header = new VectorHeader
        {
            Parts = FieldParts.Vectors,
            Format = (int)format,
            Dimensions = dimensions,
            VectorCount = count,
            Entries = VectorHeader.SizeInBytes,
            Records = (VectorHeader.SizeInBytes + (count * sizeof(int)) + Alignment - 1) / Alignment * Alignment,
        };
        _count = 0;
        _lastEntry = -1;
        _blob.Clear();
        _blob.Extend(checked(_header.Records + (count * _recordSize) + PackedInts.Padding));
        _blob.WritableSpan[.._header.Records].Clear();
        _blob.WritableSpan[^PackedInts.Padding..].Clear();
    }

    /// <summary>Adds a vector; entries come ascending.</summary>
    internal void Add(int entry, ReadOnlySpan<byte> record)
    {
        Span<byte> blob = _blob.WritableSpan;
        MemoryMarshal.Write(blob[(_header.Entries + (_count * sizeof(int)))..], entry);
        record.CopyTo(blob.Slice(_header.Records + (_count * _recordSize), _recordSize));
        _count++;
        _header.EntriesWithField += entry != _lastEntry ? 1 : 0;
        _lastEntry = entry;
    }

    /// <summary>Ends the field.</summary>
    internal void Finish()
    {
        System.Diagnostics.Debug.Assert(_count == _header.VectorCount, "All vectors that were announced came.");
        MemoryMarshal.Write(_blob.WritableSpan, in _header);
    }

    /// <summary>Frees the memory of a large field.</summary>
    internal void Trim() => _blob.Trim(BytesKept);
}
