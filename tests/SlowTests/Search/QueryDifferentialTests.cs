using FastTests.Search;
using Raven.Search;

namespace SlowTests.Search;

/// <summary>The queries of the fast tests against the naive evaluator, at length.</summary>
[Trait(Category.Shard, "search")]
public sealed class QueryDifferentialTests
{
    [Theory]
    [InlineData(101, 200, SearchEngineType.Corax)]
    [InlineData(102, 5000, SearchEngineType.Corax)]
    [InlineData(103, 200, SearchEngineType.Lucene)]
    [Trait(Category.Run, Category.Ci)]
    public void Five_thousand_queries_find_what_a_naive_evaluator_finds(
        int seed, int documentsMax, SearchEngineType engine)
    {
        using QueryDifferential test = new(seed, engine);
        test.Run(2500, documentsMax);
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void A_hundred_thousand_queries_find_what_a_naive_evaluator_finds(SearchEngineType engine)
    {
        for (int seed = 1000; seed < 1040; seed++)
        {
            using QueryDifferential test = new(seed, engine);
            test.Run(2500, seed % 10 == 0 ? 5000 : 40 << (seed % 4));
        }
    }
}
