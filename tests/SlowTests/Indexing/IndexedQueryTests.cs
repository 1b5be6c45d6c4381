using FastTests.Queries;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;

namespace SlowTests.Indexing;

/// <summary>Queries through documents and their indexes against a look at all documents, at length.</summary>
[Trait(Category.Shard, "queries")]
public sealed class IndexedQueryTests(ITestOutputHelper output)
{
    private const int Rounds = 20;
    private const int QueriesARound = 50;

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public void Five_thousand_queries_of_a_changing_database_find_what_a_scan_of_its_documents_finds() => Run(1, 5_000);

    [Fact]
    public void Fifty_thousand_queries_of_a_changing_database_find_what_a_scan_of_its_documents_finds() =>
        Run(1_000, 50_000);

    [Fact]
    public void Ten_thousand_queries_by_Lucene_find_what_a_scan_of_the_documents_finds() =>
        Run(3_000, 10_000, IndexEngine.Lucene);

    [Fact]
    public void Fifty_thousand_queries_between_power_cuts_find_what_a_scan_of_the_recovered_documents_finds()
    {
        (int cuts, int kept, int ahead) = (0, 0, 0);
        for (int seed = 2_000; seed < 2_000 + (50_000 / (Rounds * QueriesARound)); seed++)
        {
            IndexEngine engine = seed % 4 < 2 ? IndexEngine.Corax : IndexEngine.Lucene;
            using CrashingQueryRun run = new(seed, isLazy: seed % 2 == 0, engine);
            run.Run(Rounds, QueriesARound);
            (cuts, kept, ahead) = (cuts + run.CutCount, kept + run.KeptCount, ahead + run.AheadCount);
        }

        output.WriteLine($"{cuts} cuts, {kept} indexes went on, {ahead} were ahead of their documents");
        Assert.True(cuts > 250 && kept > cuts && ahead > 0, $"{cuts} cuts, {kept} went on, {ahead} were ahead");
    }

    private static void Run(int firstSeed, int queries, IndexEngine engine = IndexEngine.Corax)
    {
        for (int seed = firstSeed; queries > 0; seed++, queries -= Rounds * QueriesARound)
        {
            using IndexedDatabase database = new(new IndexingOptions { AutoEngine = engine });
            QueryDifferentialRun run = new(seed, hasVectors: engine == IndexEngine.Corax);
            run.Run(database, Rounds, QueriesARound);
        }
    }
}
