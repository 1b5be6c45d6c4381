using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Storage.Errors;

namespace Raven.Search.Vectors;

/// <summary>The vectors of a field of a segment, read in place. Valid as long as the transaction of the blob.</summary>
internal sealed class VectorReader
{
    private NativeSlice _blob;
    private NativeSlice[] _parts = new NativeSlice[1];
    private VectorHeader _header;
    private int _shift;
    private int _mask;

    internal VectorFormat Format => (VectorFormat)_header.Format;

    internal int Dimensions => _header.Dimensions;

    /// <summary>How many there are: an entry may have several.</summary>
    internal int Count => _header.VectorCount;

    internal int EntriesWithField => _header.EntriesWithField;

    /// <summary>In how many blobs of their own the records are; 0 if they are behind the entries.</summary>
    internal int PartCount { get; private set; }

    /// <summary>Bytes of a record.</summary>
    internal int RecordSize { get; private set; }

    /// <summary>The entry of each vector, ascending.</summary>
    internal ReadOnlySpan<int> Entries =>
        MemoryMarshal.Cast<byte, int>(_blob.Span.Slice(_header.Entries, Count * sizeof(int)));

    /// <summary>Attaches the blob of the field. If records are in parts, these are attached next.</summary>
    /// <exception cref="StorageCorruptedException">Its parts do not lie in it.</exception>
    internal void Attach(NativeSlice blob)
    {
        _blob = blob;
        _header = MemoryMarshal.Read<VectorHeader>(blob.Span);
        int count = _header.VectorCount;
        bool isSane = Format is > VectorFormat.None and <= VectorFormat.Binary
            && Dimensions is > 0 and <= SearchIndex.VectorDimensionsMax
            && count >= 0 && _header.PartShift is >= 0 and < 31
            && IsInside(_header.Entries, count * (long)sizeof(int), blob.Length);
        RecordSize = isSane ? VectorCode.SizeOf(Format, Dimensions) : 0;
        _shift = _header.PartShift;
        if (_shift == 0)
        {
            PartCount = 0;
            _shift = 31;
            _mask = int.MaxValue;
            if (!isSane || !IsInside(_header.Records, count * (long)RecordSize, blob.Length))
            {
                throw Damaged();
            }

            _parts[0] = blob.Slice(_header.Records, count * RecordSize);
            return;
        }

        if (!isSane)
        {
            throw Damaged();
        }

        _mask = (1 << _shift) - 1;
        PartCount = (int)((count + (long)_mask) >> _shift);
        if (_parts.Length < PartCount)
        {
            _parts = new NativeSlice[PartCount];
        }
    }

    /// <summary>Attaches one of the parts with records.</summary>
    internal void AttachPart(int part, NativeSlice blob)
    {
        long records = Math.Min(_mask + 1L, Count - ((long)part << _shift));
        if (blob.Length < records * RecordSize)
        {
            throw Damaged();
        }

        _parts[part] = blob;
    }

    /// <summary>The record of a vector.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadOnlySpan<byte> Record(int vector) =>
        _parts[vector >> _shift].Span.Slice((vector & _mask) * RecordSize, RecordSize);

    /// <summary>The similarity of a vector and a record.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal float Similarity(int vector, ReadOnlySpan<byte> record) =>
        VectorCode.Similarity(Format, Dimensions, Record(vector), record);

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

    private static bool IsInside(int offset, long length, int blobLength) =>
        offset >= VectorHeader.SizeInBytes && offset + length <= blobLength;

    private static StorageCorruptedException Damaged() => new("index", 0, "a field of vectors is not whole");
}
