using Raven.Documents.Indexing;

namespace FastTests.Queries;

/// <summary>The last batches of an index: the older ones make room.</summary>
public sealed class BatchHistoryTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(256)]
    [InlineData(300)]
    [InlineData(1000)]
    public void The_last_batches_are_kept_in_their_order(int count)
    {
        var history = new BatchHistory();
        for (int i = 1; i <= count; i++)
        {
            var counts = new BatchCounts { Mapped = i, Deleted = 1, Entries = 2 * i, Failed = i % 3 };
            history.Add(counts, TimeSpan.FromMilliseconds(i), DateTimeOffset.UnixEpoch.AddSeconds(i));
        }

        int first = Math.Max(1, count - BatchHistory.KeptMax + 1);
        Assert.Equal(
            Enumerable.Range(first, count - first + 1)
                .Select(i => ((long)i, i + 1, 2 * i, i % 3, DateTimeOffset.UnixEpoch.AddMilliseconds(999 * i))),
            history.List().Select(one => (one.Id, one.Documents, one.Entries, one.Failed, one.StartedAt)));
    }

    [Fact]
    public void A_batch_is_the_sum_of_its_parts_and_a_merge_is_of_the_last()
    {
        var history = new BatchHistory();
        history.AddMerge(TimeSpan.FromSeconds(1));
        for (int i = 0; i < 2; i++)
        {
            var counts = new BatchCounts
            {
                ReduceTime = TimeSpan.FromMilliseconds(3), CommitTime = TimeSpan.FromMilliseconds(2),
            };
            history.Add(counts, TimeSpan.FromMilliseconds(10), DateTimeOffset.UnixEpoch);
        }

        history.AddMerge(TimeSpan.FromMilliseconds(4));
        history.AddMerge(TimeSpan.FromMilliseconds(1));
        Assert.Equal(
            [(5, 3, 2, 0, 10), (5, 3, 2, 5, 15)],
            history.List().Select(one => (
                one.MapTime.TotalMilliseconds, one.ReduceTime.TotalMilliseconds, one.CommitTime.TotalMilliseconds,
                one.MergeTime.TotalMilliseconds, one.Time.TotalMilliseconds)));
    }
}
