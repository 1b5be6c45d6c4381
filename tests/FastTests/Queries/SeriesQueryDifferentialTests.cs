namespace FastTests.Queries;

/// <summary>Random queries of time series give what a naive evaluator gives.</summary>
public sealed class SeriesQueryDifferentialTests
{
    [Fact]
    [Trait("Invariant", "SCON-1")]
    public async Task Random_queries_give_what_a_naive_evaluator_gives()
    {
        for (int seed = 0; seed < 4; seed++)
        {
            await SeriesQueryDifferential.CheckAsync(seed, entries: 150, queries: 100);
        }
    }

    [Theory]
    [InlineData(10)]
    [InlineData(11)]
    [InlineData(12)]
    public Task Random_queries_of_several_segments_give_what_a_naive_evaluator_gives(int seed) =>
        SeriesQueryDifferential.CheckAsync(seed, entries: 900, queries: 25);
}
