using FastTests.Search;
using Raven.Search;

namespace SlowTests.Search;

/// <summary>Indexes damaged in one place each, at length.</summary>
[Trait(Category.Shard, "search")]
public sealed class IndexDamageTests
{
    [Fact]
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
