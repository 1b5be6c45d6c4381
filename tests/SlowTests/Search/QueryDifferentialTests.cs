using FastTests.Search;

namespace SlowTests.Search;

/// <summary>The queries of the fast tests against the naive evaluator, at length.</summary>
[Trait(Category.Shard, "search")]
public sealed class QueryDifferentialTests
{
    [Theory]
    [InlineData(101, 200)]
    [InlineData(102, 5000)]
    [Trait(Category.Run, Category.Ci)]
    public void Five_thousand_queries_find_what_a_naive_evaluator_finds(int seed, int documentsMax)
    {
        using QueryDifferential test = new(seed);
        test.Run(2500, documentsMax);
    }

    [Fact]
    public void A_hundred_thousand_queries_find_what_a_naive_evaluator_finds()
    {
        for (int seed = 1000; seed < 1040; seed++)
        {
            using QueryDifferential test = new(seed);
            test.Run(2500, seed % 10 == 0 ? 5000 : 40 << (seed % 4));
        }
    }
}
