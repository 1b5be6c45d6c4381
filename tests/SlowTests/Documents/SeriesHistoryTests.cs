using FastTests.Documents.Series;
using Raven.Documents.Rows.Series;
using SlowTests.Support;

namespace SlowTests.Documents;

/// <summary>More histories of time series, and more doubles, than the fast tests have.</summary>
public sealed class SeriesHistoryTests
{
    [Fact]
    [Trait(Category.Shard, "documents-series")]
    public void Five_thousand_histories_leave_what_the_model_says() =>
        AllCores.ForEach(Enumerable.Range(1000, 5000), seed => SeriesHistory.Check(seed, steps: 40));

    [Fact]
    [Trait(Category.Shard, "documents-series")]
    public async Task A_hundred_long_histories_of_rollups_leave_what_the_model_says()
    {
        for (int seed = 1000; seed < 1100; seed++)
        {
            await RollupHistory.CheckAsync(seed, steps: 40);
        }
    }

    [Fact]
    [Trait(Category.Shard, "documents-series")]
    public void Ten_million_doubles_of_every_kind_come_back_bit_for_bit()
    {
        byte[] body = new byte[8000];
        var columns = new SealedSegment();
        var read = new PointList();
        var random = new Random(1);
        for (long doubles = 0; doubles < 10_000_000;)
        {
            int width = 1 + random.Next(4);
            PointList points = PointSource.Points(random, 2000, width, isMixed: false, isTagged: false);
            read.Clear();
            for (int start = 0; start < points.Count;)
            {
                int count = points.Count - start;
                int length = columns.Write(body, points, start, ref count, "x"u8);
                columns.Read(body.AsSpan(0, length), read);
                start += count;
            }

            PointSource.AssertSame(points, read);
            read.Clear();
            int appended = 0;
            OpenSegment.Begin(body, width, "x"u8);
            while (OpenSegment.TryAppend(
                body, points.TimeAt(appended), points.ValuesAt(appended), points.TagAt(appended)))
            {
                appended++;
            }

            OpenSegment.Read(body, read);
            points.Truncate(appended);
            PointSource.AssertSame(points, read);
            doubles += 2000 * width;
        }
    }
}
