using FastTests.Queries;

namespace SlowTests.Indexing;

/// <summary>Queries through documents and their indexes against a look at all documents, at length.</summary>
[Trait(Category.Shard, "queries")]
public sealed class IndexedQueryTests
{
    private const int QueriesARound = 50;

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public void Five_thousand_queries_of_a_living_database_find_what_its_documents_say() => Run(1, 5_000);

    [Fact]
    public void Fifty_thousand_queries_of_a_living_database_find_what_its_documents_say() => Run(1_000, 50_000);

    [Fact]
    public void Another_fifty_thousand_queries_of_a_living_database_find_what_its_documents_say() =>
        Run(2_000, 50_000);

    private static void Run(int firstSeed, int queries)
    {
        const int Rounds = 20;
        for (int seed = firstSeed; queries > 0; seed++, queries -= Rounds * QueriesARound)
        {
            using IndexedDatabase database = new();
            new QueryDifferentialRun(seed).Run(database, Rounds, QueriesARound);
        }
    }
}
