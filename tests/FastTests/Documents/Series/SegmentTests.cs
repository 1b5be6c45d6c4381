using Raven.Documents.Rows.Series;

namespace FastTests.Documents.Series;

/// <summary>Points go through both kinds of segment and come back bit for bit.</summary>
public sealed class SegmentTests
{
    private readonly byte[] _body = new byte[8000];
    private readonly SealedSegment _sealed = new();
    private readonly PointList _read = new();

    public static TheoryData<int, bool, bool> Shapes => new()
    {
        { 1, false, false }, { 1, false, true }, { 2, true, false }, { 4, false, false }, { 5, true, true },
        { 32, false, false }, { 32, true, true },
    };

    [Theory]
    [MemberData(nameof(Shapes))]
    [Trait("Invariant", "COL-1")]
    [Trait("Invariant", "PACK-1")]
    [Trait("Invariant", "PACK-2")]
    [Trait("Invariant", "SEG-1")]
    public void Points_of_every_kind_come_back_from_sealed_segments(int width, bool isMixed, bool isTagged)
    {
        var random = new Random(width);
        for (int round = 0; round < 40; round++)
        {
            PointList points = PointSource.Points(random, 1 + random.Next(700), width, isMixed, isTagged);
            _read.Clear();
            for (int start = 0; start < points.Count;)
            {
                int count = points.Count - start;
                int length = _sealed.Write(_body, points, start, ref count, "Rate"u8);
                SegmentHead head = SegmentHead.Read(_body);
                Assert.Equal(count, head.Count);
                Assert.Equal(start + count < points.Count, head.IsFull);
                Assert.Equal(head.Length + SealedSegment.PaddingBytes, length);
                Assert.Equal("Rate"u8, head.Name(_body));
                AssertSummaries(points, start, count);
                _sealed.Read(_body.AsSpan(0, length), _read);
                start += count;
            }

            PointSource.AssertSame(points, _read);
        }
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Points_of_every_kind_come_back_from_open_segments(int width, bool isMixed, bool isTagged)
    {
        var random = new Random(width);
        for (int round = 0; round < 40; round++)
        {
            PointList points = PointSource.Points(random, 1 + random.Next(200), width, isMixed, isTagged);
            OpenSegment.Begin(_body, width, "Rate"u8);
            int count = 0;
            while (count < points.Count && OpenSegment.TryAppend(
                _body, points.TimeAt(count), points.ValuesAt(count), points.TagAt(count)))
            {
                count++;
            }

            Assert.True(count > 0);
            _read.Clear();
            OpenSegment.Read(_body, _read);
            var expected = new PointList();
            expected.AddRange(points, 0, count);
            PointSource.AssertSame(expected, _read);
            AssertSummaries(points, 0, count);
        }
    }

    [Fact]
    public void A_regular_series_of_two_decimals_takes_less_than_two_bytes_a_point()
    {
        var random = new Random(1);
        var points = new PointList();
        for (int i = 0; i < 5000; i++)
        {
            double[] value = [Math.Round(20 + (3 * Math.Sin(i / 200.0)) + (random.NextDouble() / 5), 2)];
            points.Add(PointSource.Start + (i * 1000L), value, default);
        }

        Assert.InRange(BytesOfPoint(points), 0.5, 1.6);
    }

    [Fact]
    public void A_random_walk_takes_less_than_five_bytes_a_point()
    {
        var random = new Random(1);
        var points = new PointList();
        double value = 100;
        for (int i = 0; i < 5000; i++)
        {
            value = Math.Round(value + random.NextDouble() - 0.5, 6);
            points.Add(PointSource.Start + (i * 1000L) + random.Next(20), [value], default);
        }

        Assert.InRange(BytesOfPoint(points), 1, 5);
    }

    [Fact]
    public void Constant_values_at_a_constant_step_take_next_to_nothing()
    {
        var points = new PointList();
        for (int i = 0; i < 5000; i++)
        {
            points.Add(PointSource.Start + (i * 1000L), [36.6], default);
        }

        Assert.InRange(BytesOfPoint(points), 0, 0.1);
    }

    [Fact]
    public void An_open_segment_has_the_documented_bytes()
    {
        OpenSegment.Begin(_body, 1, "R"u8);
        Assert.True(OpenSegment.TryAppend(_body, 0x0102030405060708, [2.0], "t"u8));
        Assert.True(OpenSegment.TryAppend(_body, 0x0102030405060708 + 10, [2.0], "t"u8));
        SegmentHead head = SegmentHead.Read(_body);
        Assert.Equal(
            "01" + "01" + "0200" + "04" + "00" + "0100" + "0807060504030201" + "1207060504030201" + "02000000"
            + "13000000"
            + "0000000000000040" + "0000000000000040" + "0000000000000040" + "0000000000000040" + "0000000000001040"
            + "02000000" + "52" + "0174" + "0A00000000000000" + "01" + "01" + "0000"
            + "00" + "01" + "01" + "7140" + "29" + "00",
            Convert.ToHexString(_body.AsSpan(0, head.Length)));
        Assert.False(OpenSegment.TryAppend(_body, long.MaxValue, [1, 2], default));
    }

    [Fact]
    public void A_sealed_segment_has_the_documented_bytes()
    {
        var points = new PointList();
        points.Add(100, [1.25], default);
        points.Add(110, [1.5], default);
        points.Add(120, [double.NegativeInfinity], default);
        int count = 3;
        int length = _sealed.Write(_body, points, 0, ref count, "R"u8);
        Assert.Equal(
            "02" + "01" + "0300" + "00" + "00" + "0100" + "6400000000000000" + "7800000000000000" + "00000000"
            + "17000000"
            + "000000000000F43F" + "000000000000F0FF" + "000000000000F0FF" + "000000000000F83F" + "000000000000F0FF"
            + "03000000" + "52"
            + "01" + "C801" + "14" + "00"
            + "02" + "01" + "02" + "000000000000F0FF" + "01" + "FA01" + "00" + "05" + "1900" + "00000000000000",
            Convert.ToHexString(_body.AsSpan(0, length)));
    }

    private double BytesOfPoint(PointList points)
    {
        long bytes = 0;
        for (int start = 0; start < points.Count;)
        {
            int count = points.Count - start;
            bytes += _sealed.Write(_body, points, start, ref count, "Rate"u8);
            start += count;
        }

        return (double)bytes / points.Count;
    }

    private void AssertSummaries(PointList points, int start, int count)
    {
        SegmentHead head = SegmentHead.Read(_body);
        for (int column = 0; column < head.Width; column++)
        {
            ColumnSummary expected = default;
            for (int i = start; i < start + count; i++)
            {
                if (points.ValuesAt(i).Length > column)
                {
                    expected.Add(points.ValuesAt(i)[column]);
                }
            }

            ColumnSummary actual = SegmentHead.Summary(_body, column);
            Assert.Equal(expected.Count, actual.Count);
            Assert.Equal(
                (expected.First, expected.Last, expected.Min, expected.Max, expected.Sum),
                (actual.First, actual.Last, actual.Min, actual.Max, actual.Sum));
        }
    }
}
