using Raven.Documents.Indexing.Storage;

namespace FastTests.Queries;

/// <summary>What a batch could not take, however much it is.</summary>
public sealed class BatchFailuresTests
{
    [Fact]
    public void Of_the_failures_of_a_batch_the_last_are_kept_and_all_are_counted()
    {
        BatchFailures failures = new(keptMax: 5);
        for (int i = 0; i < 1000; i++)
        {
            failures.Add(new IndexFailure(default, $"{i}", i % 4 == 0 ? IndexFailure.Part : "Map", "wrong"));
            Assert.InRange(failures.Last.Count, Math.Min(i + 1, 5), 10);
            Assert.Equal($"{i}", failures.Last[^1].DocumentId);
            Assert.Equal($"{i - failures.Last.Count + 1}", failures.Last[0].DocumentId);
        }

        Assert.Equal(750, failures.WholeCount);
        failures.Clear();
        Assert.Empty(failures.Last);
        Assert.Equal(0, failures.WholeCount);
    }
}
