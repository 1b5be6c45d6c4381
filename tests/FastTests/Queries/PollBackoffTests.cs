using System.Diagnostics;
using Raven.Documents.Indexing;

namespace FastTests.Queries;

/// <summary>How long the next look at a busy database waits.</summary>
public sealed class PollBackoffTests
{
    [Theory]
    [InlineData(0, 0, 5)]
    [InlineData(1, 10, 5)]
    [InlineData(2, 64, 8)]
    [InlineData(50, 40, 20)]
    [InlineData(1, 128, 10)]
    [InlineData(2, 256, 32)]
    [InlineData(50, 128, 40)]
    [InlineData(50, 50_000, 50)]
    [Trait("Invariant", "LOOK-1")]
    [Trait("Invariant", "LOOK-2")]
    public void The_interval_between_looks_grows_with_the_work_and_with_large_batches_within_bounds(
        int milliseconds, int changes, int expected)
    {
        var backoff = new PollBackoff(TimeSpan.FromMilliseconds(5));
        backoff.Note(milliseconds * Stopwatch.Frequency / 1000, changes);
        Assert.Equal(expected * Stopwatch.Frequency / 1000, backoff.NextDelay());

        // What was noted counts once.
        Assert.Equal(5 * Stopwatch.Frequency / 1000, backoff.NextDelay());
    }

    [Fact]
    public void The_interval_between_looks_counts_the_work_of_all_indexes_and_their_largest_batch()
    {
        var backoff = new PollBackoff(TimeSpan.FromMilliseconds(5));
        backoff.Note(Stopwatch.Frequency / 1000, 128);
        backoff.Note(Stopwatch.Frequency / 1000, 1);
        Assert.Equal(16 * Stopwatch.Frequency / 1000, backoff.NextDelay());
    }
}
