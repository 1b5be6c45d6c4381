namespace Raven.Documents.Rows.Series;

//   The data of a sealed segment, each part by PackedIntegers or as ValueColumn says:
//   times; the number of values of each point, if the flag says that they differ; the number of each point's tag, if
//   the flag says that there are tags; the columns. A point without a value in a column has the one before there.

/// <summary>Writes and reads segments by column. One thread; allocates nothing after its first uses.</summary>
internal sealed class SealedSegment
{
    /// <summary>The bytes of zero behind the data (PACK-2).</summary>
    internal const int PaddingBytes = sizeof(long) - 1;

    private const int PointsMax = 8192;
    private const int ValuesOfAllMax = 16 * 1024;
    private const int TagBytesMax = 2048;

    private readonly ValueColumn _column = new();
    private readonly TagList _tags = new();
    private double[] _values = [];
    private long[] _numbers = [];

    /// <summary>
    /// Writes points, as many of them as fit, at least one.
    /// </summary>
    /// <param name="body">Takes the segment; at least <see cref="OpenSegment.SizeBytesMax"/> bytes.</param>
    /// <param name="points">The points, in the order of their times.</param>
    /// <param name="start">The first one.</param>
    /// <param name="count">How many; then those that are written.</param>
    /// <param name="name">The name of the series.</param>
    /// <returns>The bytes of the segment. If it took fewer points than there are, it says that it is full.</returns>
    internal int Write(Span<byte> body, PointList points, int start, ref int count, ReadOnlySpan<byte> name)
    {
        int asked = count;
        count = LimitOf(points, start, count);
        while (true)
        {
            int length = WriteAll(body, points, start, count, name, isFull: count < asked);
            if (length <= body.Length)
            {
                return length;
            }

            count = Math.Clamp((int)((long)count * body.Length / length * 31 / 32), 1, count - 1);
        }
    }

    /// <summary>Adds all points of a segment to a list.</summary>
    internal void Read(ReadOnlySpan<byte> body, PointList target)
    {
        SegmentHead head = SegmentHead.Read(body);
        Span<int> tags = stackalloc int[256];
        head.ReadTags(body, target.TagList, tags);
        Reserve(head.Count);
        int first = target.Grow(head.Count, head.Width);
        Span<long> numbers = _numbers.AsSpan(0, head.Count);
        var reader = new ByteReader(body.Slice(head.DataOffset, head.DataBytes + PaddingBytes));
        PackedIntegers.Read(ref reader, target.Times[first..]);
        Span<byte> counts = target.Counts[first..];
        counts.Fill((byte)head.Width);
        if (head.IsMixed)
        {
            PackedIntegers.Read(ref reader, numbers);
            for (int i = 0; i < numbers.Length; i++)
            {
                counts[i] = (byte)numbers[i];
            }
        }

        Span<int> targetTags = target.Tags[first..];
        targetTags.Clear();
        if (head.IsTagged)
        {
            PackedIntegers.Read(ref reader, numbers);
            for (int i = 0; i < numbers.Length; i++)
            {
                targetTags[i] = tags[(int)numbers[i]];
            }
        }

        ReadColumns(ref reader, in head, target, first);
    }

    private void ReadColumns(ref ByteReader reader, in SegmentHead head, PointList target, int first)
    {
        int stride = target.Width;
        Span<double> room = target.Values[(first * stride)..];
        if (stride == 1)
        {
            _column.Read(ref reader, room);
            return;
        }

        room.Clear();
        Span<byte> counts = target.Counts[first..];
        Span<double> values = _values.AsSpan(0, head.Count);
        for (int column = 0; column < head.Width; column++)
        {
            _column.Read(ref reader, values);
            for (int i = 0; i < values.Length; i++)
            {
                if (column < counts[i])
                {
                    room[(i * stride) + column] = values[i];
                }
            }
        }
    }

    /// <summary>How many of the points one segment may have by their number, values and tags.</summary>
    private int LimitOf(PointList points, int start, int count)
    {
        count = Math.Min(count, Math.Min(PointsMax, Math.Max(1, ValuesOfAllMax / points.Width)));
        if (points.TagList.Count == 0)
        {
            return count;
        }

        _tags.Clear();
        ReadOnlySpan<int> tags = points.Tags.Slice(start, count);
        for (int i = 0; i < count; i++)
        {
            _tags.Add(points.TagList[tags[i]]);
            if (_tags.Count > byte.MaxValue || (i != 0 && _tags.SizeBytes + _tags.Count > TagBytesMax))
            {
                return i;
            }
        }

        return count;
    }

    private int WriteAll(
        Span<byte> body, PointList points, int start, int count, ReadOnlySpan<byte> name, bool isFull)
    {
        Reserve(count);
        ReadOnlySpan<byte> counts = points.Counts.Slice(start, count);
        ReadOnlySpan<long> times = points.Times.Slice(start, count);
        var head = new SegmentHead
        {
            Kind = SegmentHead.Sealed,
            Count = count,
            IsFull = isFull,
            NameLength = name.Length,
            First = times[0],
            Last = times[^1],
        };
        foreach (byte each in counts)
        {
            head.Width = Math.Max(head.Width, each);
        }

        head.IsMixed = counts.ContainsAnyExcept((byte)head.Width);
        name.CopyTo(body[head.NameOffset..]);
        Span<long> tags = NumberTags(points, start, count);
        head.IsTagged = _tags.Count != 0;
        var writer = new ByteWriter(body[head.TagsOffset..]);
        for (int tag = 1; tag <= _tags.Count; tag++)
        {
            writer.Byte(_tags[tag].Length);
            writer.Bytes(_tags[tag]);
        }

        head.TagBytes = writer.Length;
        PackedIntegers.Write(ref writer, times);
        if (head.IsTagged && !head.IsMixed)
        {
            PackedIntegers.Write(ref writer, tags);
        }
        else if (head.IsMixed)
        {
            WriteMixed(ref writer, points, start, count, head.IsTagged);
        }

        for (int column = 0; column < head.Width; column++)
        {
            WriteColumn(ref writer, body, points, start, count, column);
        }

        head.DataBytes = writer.Length - head.TagBytes;
        for (int i = 0; i < PaddingBytes; i++)
        {
            writer.Byte(0);
        }

        head.Write(body);
        return head.TagsOffset + writer.Length;
    }

    private void WriteMixed(ref ByteWriter writer, PointList points, int start, int count, bool isTagged)
    {
        Span<long> numbers = _numbers.AsSpan(0, count);
        for (int i = 0; i < count; i++)
        {
            numbers[i] = points.Counts[start + i];
        }

        PackedIntegers.Write(ref writer, numbers);
        if (isTagged)
        {
            PackedIntegers.Write(ref writer, NumberTags(points, start, count));
        }
    }

    private Span<long> NumberTags(PointList points, int start, int count)
    {
        _tags.Clear();
        Span<long> numbers = _numbers.AsSpan(0, count);
        if (points.TagList.Count == 0)
        {
            return numbers;
        }

        ReadOnlySpan<int> tags = points.Tags.Slice(start, count);
        for (int i = 0; i < count; i++)
        {
            numbers[i] = i != 0 && tags[i] == tags[i - 1] ? numbers[i - 1] : _tags.Add(points.TagList[tags[i]]);
        }

        return numbers;
    }

    private void WriteColumn(
        ref ByteWriter writer, scoped Span<byte> body, PointList points, int start, int count, int column)
    {
        int stride = points.Width;
        ReadOnlySpan<double> source = points.Values[(start * stride)..];
        ReadOnlySpan<byte> counts = points.Counts[start..];
        Span<double> values = _values.AsSpan(0, count);
        ColumnSummary summary = default;
        double last = 0;
        for (int i = 0; i < count; i++)
        {
            if (column < counts[i])
            {
                last = source[(i * stride) + column];
                summary.Add(last);
            }

            values[i] = last;
        }

        summary.Write(body[(SegmentHead.SizeBytes + (column * ColumnSummary.SizeBytes))..]);
        _column.Write(ref writer, values);
    }

    private void Reserve(int count)
    {
        if (_values.Length < count)
        {
            _values = new double[count];
            _numbers = new long[count];
        }
    }
}
