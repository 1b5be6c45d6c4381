using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows.Series;

/// <summary>The segments of one series in the order of time. Allocates nothing; ends at the next change.</summary>
internal ref struct SegmentCursor
{
    private readonly RowHeap? _rows;
    private readonly ReadOnlySpan<byte> _series;
    private readonly long _from;
    private TreeCursor _cursor;
    private bool _isStarted;

    internal SegmentCursor(Tree byKey, RowHeap rows, ReadOnlySpan<byte> series, long from)
    {
        _rows = rows;
        _series = series;
        _from = from;
        _cursor = byKey.GetCursor();
    }

    /// <summary>Goes to the next segment; the first is that whose times begin last at or before the time to begin
    /// with, or else the first of the series.</summary>
    /// <param name="row">Its row.</param>
    /// <returns>False behind the last one.</returns>
    internal bool MoveNext(out NativeSlice row)
    {
        row = default;
        if (_rows is null)
        {
            return false;
        }

        bool isOn = _isStarted ? _cursor.MoveNext() : Start();
        _isStarted = true;
        if (!isOn || !IsOfSeries())
        {
            return false;
        }

        row = _rows.Read(BinaryPrimitives.ReadInt64LittleEndian(_cursor.Value.Span));
        return true;
    }

    /// <summary>The row of the last segment of the series.</summary>
    internal bool TryLast(out NativeSlice row)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        key = key[..SeriesKey.WriteSegment(key, _series, long.MaxValue)];
        bool isThere = _rows is not null && _cursor.SeekAtMost(key) && IsOfSeries();
        row = isThere ? _rows!.Read(BinaryPrimitives.ReadInt64LittleEndian(_cursor.Value.Span)) : default;
        return isThere;
    }

    /// <summary>Goes to the segment before.</summary>
    internal bool MovePrevious(out NativeSlice row)
    {
        bool isThere = _cursor.MovePrevious() && IsOfSeries();
        row = isThere ? _rows!.Read(BinaryPrimitives.ReadInt64LittleEndian(_cursor.Value.Span)) : default;
        return isThere;
    }

    private bool Start()
    {
        Span<byte> key = stackalloc byte[SeriesKey.SegmentSizeBytesMax];
        key = key[..SeriesKey.WriteSegment(key, _series, _from)];
        return (_cursor.SeekAtMost(key) && IsOfSeries()) || _cursor.Seek(key[..(_series.Length + 1)]);
    }

    private readonly bool IsOfSeries()
    {
        ReadOnlySpan<byte> key = _cursor.Key;
        return key.Length == _series.Length + 1 + sizeof(long)
            && key[_series.Length] == TombstoneKey.Separator && key.StartsWith(_series);
    }
}
