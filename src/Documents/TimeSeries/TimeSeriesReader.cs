using Raven.Blittable.Memory;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Storage.Transactions;

namespace Raven.Documents.TimeSeries;

/// <summary>
/// Reads points of time series in a snapshot, segment by segment: what it costs depends on the points that are read.
/// Used for one series after another, it allocates only for the largest of their segments.
/// </summary>
public sealed class TimeSeriesReader
{
    private readonly Transaction _transaction;
    private readonly byte[] _key = new byte[SeriesKey.SizeBytesMax];
    private int _keyLength;
    private long _from;
    private long _to;
    private long _position;
    private long _skip;
    private NativeSlice _row;
    private SegmentHead _head;
    private SeriesBuffers? _buffers;

    /// <summary>A reader of a snapshot, with which it ends.</summary>
    public TimeSeriesReader(Transaction transaction) => _transaction = transaction;

    /// <summary>The points of the segment that <see cref="MoveNext"/> went to.</summary>
    public PointList Points => Buffers.Points;

    /// <summary>The first of them that was asked for.</summary>
    public int Start { get; private set; }

    /// <summary>The end of those that were asked for.</summary>
    public int End { get; private set; }

    /// <summary>The head of the segment that <see cref="MoveToSegment"/> went to.</summary>
    internal ref readonly SegmentHead Head => ref _head;

    /// <summary>Whether all points of the segment were asked for.</summary>
    internal bool IsWhole => _head.First >= _from && _head.Last <= _to;

    private SeriesBuffers Buffers => _buffers ??= new SeriesBuffers();

    private ReadOnlySpan<byte> Key => _key.AsSpan(0, _keyLength);

    /// <summary>Finds a series by its key.</summary>
    public bool TryFind(ReadOnlySpan<byte> key, out StoredSeries series) =>
        SeriesTables.TryFind(_transaction, key, out series);

    /// <summary>Starts to read a series.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="from">The first time, in ms since 0001-01-01.</param>
    /// <param name="to">The last time, which belongs to the range.</param>
    /// <param name="skip">How many points of the range are passed over.</param>
    public void Begin(ReadOnlySpan<byte> key, long from, long to, long skip = 0)
    {
        key.CopyTo(_key);
        _keyLength = key.Length;
        _from = from;
        _to = to;
        _position = from;
        _skip = skip;
    }

    /// <summary>Goes to the next segment with points of the range; false behind the last one.</summary>
    public bool MoveNext()
    {
        while (MoveToSegment())
        {
            if (IsWhole && _skip >= _head.Count)
            {
                _skip -= _head.Count;
            }
            else if (ReadPoints())
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Goes to the next segment that may have points of the range, and reads its head alone.</summary>
    internal bool MoveToSegment()
    {
        if (_position > _to || !TryFindFrom(_position, out _row))
        {
            return false;
        }

        _head = SegmentHead.Read(RowLayout.Body(_row).Span);
        _position = _head.Last + 1;
        return _head.First <= _to;
    }

    /// <summary>What the segment says of the values of a column.</summary>
    internal ColumnSummary Summary(int column) => SegmentHead.Summary(RowLayout.Body(_row).Span, column);

    /// <summary>Reads the points of the segment; false if none of them was asked for.</summary>
    internal bool ReadPoints()
    {
        ReadOnlySpan<byte> body = RowLayout.Body(_row).Span;
        PointList points = Buffers.Points;
        points.Clear();
        if (_head.Kind == SegmentHead.Open)
        {
            OpenSegment.Read(body, points);
        }
        else
        {
            Buffers.Sealed.Read(body, points);
        }

        Start = IsWhole ? 0 : IndexFrom(_from);
        End = IsWhole ? points.Count : IndexFrom(_to + 1);
        int skipped = (int)Math.Min(_skip, End - Start);
        Start += skipped;
        _skip -= skipped;
        return Start < End;
    }

    /// <summary>Takes memory that other readers have given back, until <see cref="ReturnBuffers"/>.</summary>
    internal void RentBuffers() => _buffers = SeriesBuffers.Rent();

    /// <summary>Gives the memory back: <see cref="Points"/> is no longer what was read.</summary>
    internal void ReturnBuffers()
    {
        _buffers?.Return();
        _buffers = null;
    }

    /// <summary>Goes to the next segment that has points near the range, without reading them.</summary>
    public bool MoveNextSegment(out TimeSeriesSegment segment)
    {
        segment = default;
        if (_position > _to || !TryFindFrom(_position, out NativeSlice row))
        {
            return false;
        }

        SegmentHead head = SegmentHead.Read(RowLayout.Body(row).Span);
        _position = head.Last + 1;
        segment = new TimeSeriesSegment
        {
            First = head.First,
            Last = head.Last,
            Count = head.Count,
            Width = head.Width,
            SizeBytes = row.Length,
            IsOpen = head.Kind == SegmentHead.Open,
            ChangeVector = RowLayout.ChangeVector(row),
        };
        return head.First <= _to;
    }

    /// <summary>The time from which on a series has so many points, or from its first on.</summary>
    public long TimeOfLast(ReadOnlySpan<byte> key, long count)
    {
        SegmentCursor segments = SeriesTables.SegmentsOf(_transaction, key, 0);
        bool isOn = segments.TryLast(out NativeSlice row);
        while (isOn)
        {
            SegmentHead head = SegmentHead.Read(RowLayout.Body(row).Span);
            if (head.Count >= count)
            {
                Begin(key, head.First, head.Last);
                return MoveNext() ? Points.TimeAt(Math.Min(End - 1, End - (int)count)) : 0;
            }

            count -= head.Count;
            isOn = segments.MovePrevious(out row);
        }

        return 0;
    }

    private bool TryFindFrom(long time, out NativeSlice row)
    {
        SegmentCursor segments = SeriesTables.SegmentsOf(_transaction, Key, time);
        return segments.MoveNext(out row)
            && (SegmentHead.Read(RowLayout.Body(row).Span).Last >= time || segments.MoveNext(out row));
    }

    private int IndexFrom(long time)
    {
        int index = Points.Times.BinarySearch(time);
        return index < 0 ? ~index : index;
    }
}
