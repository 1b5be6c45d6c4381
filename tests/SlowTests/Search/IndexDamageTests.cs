using FastTests.Search;
using Raven.Search;

namespace SlowTests.Search;

/// <summary>Indexes damaged in one place each, at length.</summary>
public sealed class IndexDamageTests
{
    [Fact]
    [Trait(Category.Shard, "search-lucene")]
    public void Ten_thousand_damages_of_indexes_of_Lucene_are_reported_or_harmless()
    {
        int reported = 0;
        Parallel.For(200, 220, seed =>
        {
            IndexDamage damage = new(seed, SearchEngineType.Lucene);
            damage.Run(500);
            Interlocked.Add(ref reported, damage.ReportedCount);
        });
        Assert.True(reported > 1_000, $"only {reported} were reported");
    }

    [Fact]
    [Trait(Category.Shard, "search")]
    public void Twenty_thousand_damages_of_indexes_are_reported_or_harmless()
    {
        int reported = 0;
        Parallel.For(100, 140, seed =>
        {
            IndexDamage damage = new(
                seed, seed % 4 == 0 ? SearchEngineType.Lucene : SearchEngineType.Corax);
            damage.Run(500);
            Interlocked.Add(ref reported, damage.ReportedCount);
        });
        Assert.True(reported > 2_000, $"only {reported} were reported");
    }
}
