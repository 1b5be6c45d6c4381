namespace Raven.Documents.Rows.Series;

/// <summary>
/// Points of a time series in memory, in any order: a time, 1 to 32 values and perhaps a tag each. It keeps its memory
/// when it is cleared, so that one that is used again allocates nothing.
/// </summary>
public sealed class PointList
{
    /// <summary>How many values a point has at most.</summary>
    public const int ValuesMax = 32;

    /// <summary>The longest tag, in bytes of UTF-8.</summary>
    public const int TagSizeBytesMax = 255;

    private const int KeptValuesMax = 1 << 18;

    private long[] _times = new long[4];
    private double[] _values = new double[4];
    private byte[] _counts = new byte[4];
    private int[] _tags = new int[4];

    /// <summary>How many points there are.</summary>
    public int Count { get; private set; }

    /// <summary>The largest number of values of a point.</summary>
    public int Width { get; private set; } = 1;

    /// <summary>True while each point has its time after that of the point before.</summary>
    internal bool IsInOrder { get; private set; } = true;

    /// <summary>The time of the first point whose values were added up to more than a double holds; null if there is
    /// none.</summary>
    internal long? OverflowTime { get; private set; }

    /// <summary>The different tags.</summary>
    internal TagList TagList { get; } = new();

    /// <summary>The times, in ms since 0001-01-01.</summary>
    internal Span<long> Times => _times.AsSpan(0, Count);

    /// <summary>The values of all points, <see cref="Width"/> of each; what a point does not have is 0.</summary>
    internal Span<double> Values => _values.AsSpan(0, Count * Width);

    /// <summary>How many values each point has.</summary>
    internal Span<byte> Counts => _counts.AsSpan(0, Count);

    /// <summary>The numbers of the tags.</summary>
    internal Span<int> Tags => _tags.AsSpan(0, Count);

    /// <summary>Removes all points.</summary>
    public void Clear()
    {
        if (_values.Length > KeptValuesMax)
        {
            _values = new double[4];
            _times = new long[4];
            _counts = new byte[4];
            _tags = new int[4];
        }

        Count = 0;
        Width = 1;
        IsInOrder = true;
        OverflowTime = null;
        TagList.Clear();
    }

    /// <summary>Makes room for points of one value each, so that to add them moves nothing.</summary>
    public void EnsureCapacity(int count)
    {
        int capacity = checked(Count + count);
        if (_times.Length < capacity)
        {
            Array.Resize(ref _times, capacity);
            Array.Resize(ref _counts, capacity);
            Array.Resize(ref _tags, capacity);
        }

        if (_values.Length < capacity)
        {
            Array.Resize(ref _values, capacity);
        }
    }

    /// <summary>Adds a point behind the others.</summary>
    /// <param name="time">Its time, in ms since 0001-01-01.</param>
    /// <param name="values">Its values.</param>
    /// <param name="tag">Its tag, UTF-8; empty for none.</param>
    public void Add(long time, ReadOnlySpan<double> values, ReadOnlySpan<byte> tag)
    {
        ArgumentOutOfRangeException.ThrowIfZero(values.Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(values.Length, ValuesMax);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(tag.Length, TagSizeBytesMax);
        AddNumbered(time, values, TagList.Add(tag));
    }

    /// <summary>The time of a point, in ms since 0001-01-01.</summary>
    public long TimeAt(int index) => Times[index];

    /// <summary>The values of a point.</summary>
    public ReadOnlySpan<double> ValuesAt(int index) => _values.AsSpan(index * Width, Counts[index]);

    /// <summary>The tag of a point, UTF-8; empty for none.</summary>
    public ReadOnlySpan<byte> TagAt(int index) => TagList[Tags[index]];

    /// <summary>Adds a point with a tag of <see cref="TagList"/>.</summary>
    internal void AddNumbered(long time, ReadOnlySpan<double> values, int tag)
    {
        int index = Grow(1, values.Length);
        _times[index] = time;
        _counts[index] = (byte)values.Length;
        _tags[index] = tag;
        Span<double> room = _values.AsSpan(index * Width, Width);
        values.CopyTo(room);
        room[values.Length..].Clear();
        IsInOrder &= index == 0 || time > _times[index - 1];
    }

    /// <summary>Adds values to those of the last point, which may get more of them.</summary>
    internal void AddToLast(ReadOnlySpan<double> values)
    {
        int index = Count - 1;
        ReadOnlySpan<double> old = ValuesAt(index);
        Span<double> sum = stackalloc double[ValuesMax];
        int count = Math.Max(old.Length, values.Length);
        bool isFinite = true;
        for (int i = 0; i < count; i++)
        {
            sum[i] = (i < old.Length ? old[i] : 0) + (i < values.Length ? values[i] : 0);
            isFinite &= double.IsFinite(sum[i]);
        }

        long time = TimeAt(index);
        int tag = Tags[index];
        Truncate(index);
        AddNumbered(time, sum[..count], tag);
        OverflowTime ??= isFinite ? null : time;
    }

    /// <summary>Adds points of another list.</summary>
    internal void AddRange(PointList from, int start, int count)
    {
        if (count == 0)
        {
            return;
        }

        int first = Grow(count, from.Width);
        IsInOrder &= first == 0 || from._times[start] > _times[first - 1];
        from.Times.Slice(start, count).CopyTo(Times[first..]);
        from.Counts.Slice(start, count).CopyTo(Counts[first..]);
        CopyTags(from, start, first, count);
        ReadOnlySpan<double> values = from.Values.Slice(start * from.Width, count * from.Width);
        if (Width == from.Width)
        {
            values.CopyTo(Values[(first * Width)..]);
            return;
        }

        Values[(first * Width)..].Clear();
        for (int i = 0; i < count; i++)
        {
            values.Slice(i * from.Width, from.Width).CopyTo(Values[((first + i) * Width)..]);
        }
    }

    /// <summary>Makes room for points whose memory the caller fills.</summary>
    /// <returns>The index of the first one.</returns>
    internal int Grow(int count, int width)
    {
        if (width > Width)
        {
            Widen(width);
        }

        int first = Count;
        int need = checked(first + count);
        if (_times.Length < need)
        {
            int capacity = Math.Max(need, _times.Length * 2);
            Array.Resize(ref _times, capacity);
            Array.Resize(ref _counts, capacity);
            Array.Resize(ref _tags, capacity);
        }

        if (_values.Length < checked(need * Width))
        {
            Array.Resize(ref _values, Math.Max(need * Width, _values.Length * 2));
        }

        Count = need;
        return first;
    }

    /// <summary>Gives the points without a time this one.</summary>
    internal void SetUnknownTimes(long time)
    {
        for (int i = 0; i < Count; i++)
        {
            if (_times[i] == SeriesTime.Unknown)
            {
                _times[i] = time;
                IsInOrder = Count == 1;
            }
        }
    }

    /// <summary>Removes the last points.</summary>
    internal void Truncate(int count) => Count = count;

    private void CopyTags(PointList from, int start, int first, int count)
    {
        ReadOnlySpan<int> source = from.Tags.Slice(start, count);
        Span<int> target = Tags[first..];
        if (from.TagList.Count == 0)
        {
            target.Clear();
            return;
        }

        for (int i = 0; i < count; i++)
        {
            target[i] = i != 0 && source[i] == source[i - 1] ? target[i - 1] : TagList.Add(from.TagList[source[i]]);
        }
    }

    private void Widen(int width)
    {
        if (Count == 0)
        {
            Width = width;
            return;
        }

        var values = new double[Math.Max(_values.Length, checked((Count + 1) * width))];
        for (int i = 0; i < Count; i++)
        {
            _values.AsSpan(i * Width, Width).CopyTo(values.AsSpan(i * width));
        }

        _values = values;
        Width = width;
    }
}
