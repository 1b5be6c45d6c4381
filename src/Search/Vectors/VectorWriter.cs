using System.Numerics;
using System.Runtime.InteropServices;
using Raven.Search.Buffers;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Vectors;

//   VPART-1  If the records of a field have more than so many bytes, they are in parts, each a blob of its own with the
//            same number of records, a power of two. Entries and parts are then written one by one, so that a merge
//            never has more than one part in memory.

/// <summary>Writes a field of vectors of a segment. A new batch and a merge of old segments both end here.</summary>
/// <param name="partBytesMax">The bytes of records from which on they are in parts, and the most of a part.</param>
internal sealed class VectorWriter(long partBytesMax)
{
    /// <summary>The alignment of records.</summary>
    private const int Alignment = 64;

    private const int BytesKept = 16 << 20;

    /// <summary>A field up to this size counts as it is.</summary>
    private const long SizeThatCounts = 16 << 20;

    private static readonly int GraphEdges = VectorGraphOptions.Default.EdgesInUse;


    private readonly ByteBuffer _blob = new();
    private VectorHeader _header;
    private int _recordSize;
    private int _count;
    private int _lastEntry;

    /// <summary>The field in its disk format when it is finished, or the part that was begun last.</summary>
    internal ReadOnlySpan<byte> Blob => _blob.Span;

    /// <summary>
    /// The size of the field, as it counts when segments are chosen to be merged. Where many records go to parts, the
    /// entries and a graph are what has to fit into one blob.
    /// </summary>
    internal long SizeForMerges
    {
        get
        {
            int count = _header.VectorCount;
            long whole = VectorHeader.SizeInBytes + (count * (sizeof(int) + (long)_recordSize));
            long inOneBlob = (count * (long)sizeof(int)) + VectorGraph.SizeInBytesOf(count, GraphEdges);
            return partBytesMax == long.MaxValue || whole <= SizeThatCounts
                ? _blob.Length
                : Math.Max(SizeThatCounts, inOneBlob);
        }
    }

    /// <summary>In how many parts the records are; 0 if they are in <see cref="Blob"/>.</summary>
    internal int PartCount { get; private set; }

    /// <summary>The records of a part: all but the last part have as many.</summary>
    internal int RecordsPerPart => 1 << _header.PartShift;

    /// <summary>Begins a field of so many vectors.</summary>
    /// <param name="format">How they are kept.</param>
    /// <param name="dimensions">How many numbers each has.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="mayHaveParts">Whether records may be in parts.</param>
    internal void Begin(VectorFormat format, int dimensions, int count, bool mayHaveParts)
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
        long bytes = (long)count * _recordSize;
        PartCount = 0;
        if (mayHaveParts && bytes > partBytesMax)
        {
            _header.PartShift = Math.Max(1, BitOperations.Log2((ulong)(partBytesMax / _recordSize)));
            _header.Records = 0;
            PartCount = (int)((count + (1L << _header.PartShift) - 1) >> _header.PartShift);
            _blob.Clear();
            _blob.Extend(checked(VectorHeader.SizeInBytes + (count * sizeof(int)) + PackedInts.Padding));
        }
        else
        {
            _blob.Clear();
            _blob.Extend(checked(_header.Records + (int)bytes + PackedInts.Padding));
            _blob.WritableSpan[.._header.Records].Clear();
        }

        _blob.WritableSpan[^PackedInts.Padding..].Clear();
        _count = 0;
        _lastEntry = -1;
    }

    /// <summary>Adds a vector whose record is not in a part; entries come ascending.</summary>
    internal void Add(int entry, ReadOnlySpan<byte> record)
    {
        record.CopyTo(_blob.WritableSpan.Slice(_header.Records + (_count * _recordSize), _recordSize));
        Add(entry);
    }

    /// <summary>Adds the entry of a vector whose record is in a part.</summary>
    internal void Add(int entry)
    {
        MemoryMarshal.Write(_blob.WritableSpan[(_header.Entries + (_count * sizeof(int)))..], entry);
        _count++;
        _header.EntriesWithField += entry != _lastEntry ? 1 : 0;
        _lastEntry = entry;
    }

    /// <summary>Ends the field, except for its parts.</summary>
    internal void Finish()
    {
        System.Diagnostics.Debug.Assert(_count == _header.VectorCount, "All vectors that were announced came.");
        MemoryMarshal.Write(_blob.WritableSpan, in _header);
    }

    /// <summary>Begins the next part, in the place of what was written before.</summary>
    internal void BeginPart() => _blob.Clear();

    /// <summary>Adds a record to the part.</summary>
    internal void AddToPart(ReadOnlySpan<byte> record) => _blob.Add(record);

    /// <summary>Frees the memory of a large field.</summary>
    internal void Trim() => _blob.Trim(BytesKept);
}
