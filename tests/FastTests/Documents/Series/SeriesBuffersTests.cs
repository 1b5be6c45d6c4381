using FastTests.Support;
using Raven.Documents.Rows.Series;

namespace FastTests.Documents.Series;

public sealed class SeriesBuffersTests
{
    [Fact]
    public void Segments_are_read_into_memory_that_was_given_back()
    {
        byte[] body = new byte[8000];
        PointList points = PointSource.Points(new Random(1), 700, width: 1, isMixed: false, isTagged: false);
        int count = points.Count;
        int length = new SealedSegment().Write(body, points, 0, ref count, "Rate"u8);
        Assert.Equal(0, Allocated.Least(() =>
        {
            SeriesBuffers buffers = SeriesBuffers.Rent();
            buffers.Sealed.Read(body.AsSpan(0, length), buffers.Points);
            buffers.Return();
        }));
    }

    [Fact]
    public void What_is_in_use_is_given_to_nobody_else()
    {
        SeriesBuffers[] used = [.. Enumerable.Range(0, 100).Select(_ => SeriesBuffers.Rent())];
        Assert.Equal(used.Length, used.Distinct().Count());
        foreach (SeriesBuffers one in used)
        {
            one.Points.Add(1, [1.5], "tag"u8);
            one.Return();
        }

        SeriesBuffers next = SeriesBuffers.Rent();
        Assert.Equal(0, next.Points.Count);
        next.Return();
    }
}
