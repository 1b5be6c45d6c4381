using Raven.Search.Buffers;
using Raven.Search.Fields;


namespace Raven.Search.Vectors;

/// <summary>The vectors of a field of a batch before they are a segment.</summary>
internal sealed class VectorBuilder
{
    private readonly ByteBuffer _records = new();
    private int[] _entries = new int[64];
    private int _count;
    private VectorFormat _format;
    private int _dimensions;
    private int _recordSize;

    /// <summary>All vectors before this one are of entries that were deleted since.</summary>
    private int _live;

    internal bool IsEmpty => _count == 0;

    internal long SizeInBytes => _records.Length + (_count * sizeof(int));

    internal void Clear()
    {
        _count = 0;
        _live = 0;
        _records.Clear();
        _records.Trim(16 << 20);
    }

    /// <summary>Whether a vector is of an entry that is not deleted.</summary>
    /// <param name="numbers">Of each entry its new number; -1 if it is deleted.</param>
    internal bool HasLive(ReadOnlySpan<int> numbers)
    {
        while (_live < _count && numbers[_entries[_live]] < 0)
        {
            _live++;
        }

        return _live < _count;
    }

    /// <summary>Room for the record of one more vector; entries come ascending.</summary>
    internal Span<byte> Add(int entry, VectorFormat format, int dimensions)
    {
        _format = format;
        _dimensions = dimensions;
        _recordSize = VectorCode.SizeOf(format, dimensions);
        if (_count == _entries.Length)
        {
            Array.Resize(ref _entries, _count * 2);
        }

        _entries[_count++] = entry;
        return _records.Extend(_recordSize);
    }

    /// <summary>Writes the field.</summary>
    /// <param name="numbers">The new number of each entry, or -1 for one that was deleted in the batch itself.</param>
    /// <param name="writer">Receives the field.</param>
    /// <returns>False if no live entry has a vector.</returns>
    internal bool Write(ReadOnlySpan<int> numbers, VectorWriter writer)
    {
        int live = 0;
        for (int i = 0; i < _count; i++)
        {
            live += numbers[_entries[i]] >= 0 ? 1 : 0;
        }

        if (live == 0)
        {
            return false;
        }

        writer.Begin(_format, _dimensions, live, mayHaveParts: false);
        for (int i = 0; i < _count; i++)
        {
            if (numbers[_entries[i]] >= 0)
            {
                writer.Add(numbers[_entries[i]], _records.Span.Slice(i * _recordSize, _recordSize));
            }
        }

        writer.Finish();
        return true;
    }
}
