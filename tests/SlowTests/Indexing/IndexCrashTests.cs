using FastTests.Queries;
using Raven.Documents.Indexing.Definitions;

namespace SlowTests.Indexing;

/// <summary>The power goes while documents are written and indexes follow them, at many more moments.</summary>
public sealed class IndexCrashTests
{
    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "index-crashes")]
    public void Two_hundred_power_cuts_lose_no_synced_batch_of_an_index() => Run(100, runs: 5, isLazy: false);

    [Fact]
    [Trait(Category.Shard, "index-crashes")]
    public void Sixteen_hundred_power_cuts_lose_no_synced_batch_of_an_index() =>
        Run(1_000, runs: 40, isLazy: false);

    [Fact]
    [Trait(Category.Shard, "index-crashes")]
    public void Indexes_with_changes_that_their_documents_lost_are_rebuilt_after_sixteen_hundred_power_cuts() =>
        Run(2_000, runs: 40, isLazy: true);

    [Theory]
    [InlineData(3_000, false)]
    [InlineData(4_000, true)]
    [Trait(Category.Shard, "index-crashes-lucene")]
    public void Eight_hundred_power_cuts_leave_indexes_of_Lucene_as_their_documents_say(int firstSeed, bool isLazy) =>
        Run(firstSeed, runs: 20, isLazy, IndexEngine.Lucene);

    private static void Run(int firstSeed, int runs, bool isLazy, IndexEngine engine = IndexEngine.Corax)
    {
        int ahead = 0;
        int kept = 0;
        for (int seed = firstSeed; seed < firstSeed + runs; seed++)
        {
            IndexCrashRun run = new(seed, isLazy, engine);
            run.Run(steps: 100, cuts: 55);
            ahead += run.AheadCount;
            kept += run.KeptCount;
        }

        Assert.True(kept > runs, $"only {kept} indexes went on");
        Assert.True(isLazy ? ahead > runs : ahead == 0, $"{ahead} indexes were ahead");
    }
}
