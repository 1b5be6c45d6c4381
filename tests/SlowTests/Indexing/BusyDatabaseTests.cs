using FastTests.Queries;

namespace SlowTests.Indexing;

/// <summary>Queries while documents change and indexes come and go, at length.</summary>
[Trait(Category.Shard, "queries")]
public sealed class BusyDatabaseTests
{
    private const int Databases = 20;

    [Fact]
    [Trait("Invariant", "HIT-1")]
    [Trait("Invariant", "IDX-1")]
    public async Task Ten_thousand_queries_have_the_right_results_while_indexes_are_extended_deleted_and_rebuilt()
    {
        int first = BusyDatabase.ToldSeed ?? Environment.TickCount;
        for (int seed = first; seed < first + Databases; seed++)
        {
            using BusyDatabase database = new(seed);
            await database.RunAsync(askers: 4, queries: 125);
            Assert.Equal(500, database.Asked);
        }
    }
}
