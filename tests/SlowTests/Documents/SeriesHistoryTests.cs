using FastTests.Documents.Series;
using FastTests.Queries;
using Raven.Documents.Rows.Series;
using SlowTests.Support;

namespace SlowTests.Documents;

/// <summary>More histories of time series, and more doubles, than the fast tests have.</summary>
public sealed class SeriesHistoryTests
{
    /// <summary>Pieces of a few minutes at most.</summary>
    public static TheoryData<int> Parts => [.. Enumerable.Range(0, 10)];

    [Theory]
    [MemberData(nameof(Parts))]
    [Trait(Category.Shard, "documents-series")]
    public void Five_thousand_histories_leave_what_the_model_says(int part) => AllCores.ForEach(
        Enumerable.Range(1000 + (part * 500), 500), seed => SeriesHistory.Check(seed, steps: 40));

    [Theory]
    [MemberData(nameof(Parts))]
    [Trait(Category.Shard, "documents-rollups")]
    public async Task A_thousand_long_histories_of_rollups_leave_what_the_model_says(int part)
    {
        for (int seed = 1000 + (part * 100); seed < 1100 + (part * 100); seed++)
        {
            await RollupHistory.CheckAsync(seed, steps: 40);
        }
    }

    [Theory]
    [MemberData(nameof(Parts))]
    [Trait(Category.Shard, "documents-rollups")]
    public async Task Roll_ups_go_on_after_power_cuts_of_two_hundred_histories(int part)
    {
        for (int seed = 1000 + (part * 20); seed < 1020 + (part * 20); seed++)
        {
            await RollupCrashHistory.CheckAsync(seed, steps: 60, cuts: 30);
        }
    }

    [Theory]
    [MemberData(nameof(Parts))]
    [Trait(Category.Shard, "documents-series")]
    public Task A_thousand_queries_give_what_a_naive_evaluator_gives(int part) =>
        SeriesQueryDifferential.CheckAsync(1000 + part, entries: 6000, queries: 100);

    [Theory]
    [MemberData(nameof(Parts))]
    [Trait(Category.Shard, "documents-series")]
    public void Ten_million_doubles_of_every_kind_come_back_bit_for_bit(int part)
    {
        byte[] body = new byte[8000];
        var columns = new SealedSegment();
        var read = new PointList();
        var random = new Random(part);
        for (long doubles = 0; doubles < 1_000_000;)
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
            while (read.Count < points.Count)
            {
                ReadFromOpen(body, points, read);
            }

            PointSource.AssertSame(points, read);
            doubles += 2000 * width;
        }
    }

    /// <summary>Adds points to a list through one open segment: as many as it has room for.</summary>
    private static void ReadFromOpen(byte[] body, PointList points, PointList read)
    {
        int first = read.Count;
        int next = first;
        OpenSegment.Begin(body, points.Width, "x"u8);
        while (next < points.Count
            && OpenSegment.TryAppend(body, points.TimeAt(next), points.ValuesAt(next), points.TagAt(next)))
        {
            next++;
        }

        OpenSegment.Read(body, read);
        Assert.Equal(next, read.Count);
        Assert.NotEqual(first, next);
    }
}
