using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Search.Fields;

namespace Raven.Search.Vectors;

/// <summary>The vectors of a field of a segment, read in place. Valid as long as the transaction of the blob.</summary>
internal sealed class VectorReader
{
    private NativeSlice _blob;
    private VectorHeader _header;

    internal VectorFormat Format => (VectorFormat)_header.Format;

    internal int Dimensions => _header.Dimensions;

    /// <summary>How many there are: an entry may have several.</summary>
    internal int Count => _header.VectorCount;

    internal int EntriesWithField => _header.EntriesWithField;

    /// <summary>Bytes of a record.</summary>
    internal int RecordSize { get; private set; }

    /// <summary>The entry of each vector, ascending.</summary>
    internal ReadOnlySpan<int> Entries =>
        MemoryMarshal.Cast<byte, int>(_blob.Span.Slice(_header.Entries, Count * sizeof(int)));

    /// <summary>All records, one behind the other.</summary>
    internal ReadOnlySpan<byte> Records => _blob.Span.Slice(_header.Records, Count * RecordSize);

    internal void Attach(NativeSlice blob)
    {
        _blob = blob;
        _header = MemoryMarshal.Read<VectorHeader>(blob.Span);
        RecordSize = VectorCode.SizeOf(Format, Dimensions);
    }

    /// <summary>The number of the first vector whose entry is not before this one.</summary>
    internal int FirstOf(int entry)
    {
        ReadOnlySpan<int> entries = Entries;
        int low = 0;
        int high = entries.Length;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            (low, high) = entries[middle] < entry ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}
