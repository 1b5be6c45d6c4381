using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;

namespace FastTests.Queries;

/// <summary>
/// Queries against an evaluation by hand, with updates, deletions, restarts and lost or damaged indexes in between.
/// </summary>
public sealed class QueryDifferentialTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [Trait("Invariant", "BATCH-1")]
    [Trait("Invariant", "BATCH-2")]
    public void Every_query_finds_what_a_scan_of_all_documents_finds(int seed)
    {
        using IndexedDatabase database = new();
        new QueryDifferentialRun(seed).Run(database, rounds: 10, queriesARound: 25);
    }

    [Theory]
    [InlineData(3)]
    public void Every_query_by_Lucene_finds_what_a_scan_of_all_documents_finds(int seed)
    {
        using IndexedDatabase database = new(new IndexingOptions { AutoEngine = IndexEngine.Lucene });
        new QueryDifferentialRun(seed, hasVectors: false).Run(database, rounds: 10, queriesARound: 25);
        Assert.All(database.Database.Indexes.All, index => Assert.Equal(IndexEngine.Lucene, index.Engine));
    }

    [Theory]
    [InlineData(11, false, IndexEngine.Corax)]
    [InlineData(12, true, IndexEngine.Corax)]
    [InlineData(13, false, IndexEngine.Lucene)]
    public void Every_query_between_power_cuts_finds_what_a_scan_of_all_documents_finds(
        int seed, bool isLazy, IndexEngine engine)
    {
        using CrashingQueryRun run = new(seed, isLazy, engine);
        run.Run(rounds: 20, queriesARound: 25);
        Assert.True(run.CutCount > 3 && run.KeptCount > 0, $"{run.CutCount} cuts, {run.KeptCount} indexes went on");
    }

    [Fact]
    public void An_index_continues_at_its_position_after_a_restart_and_is_rebuilt_if_it_is_lost_or_damaged()
    {
        QueryModel model = new(new Random(5));
        using IndexedDatabase database = new();
        Fill(database, model, 50);
        string index = database.Ask("from Users where Age > 5").Index;
        long before = database.Database.Indexes.Find(index)!.Position.MapAttempts;
        database.Restart();
        Fill(database, model, 3);
        CheckAge(database, model);
        long after = database.Database.Indexes.Find(index)!.Position.MapAttempts;
        Assert.InRange(after - before, 0, 3);

        database.Restart(() => database.Folders.Delete(database.Folders.List()[0]));
        CheckAge(database, model);
        database.Restart(() => Damage(database));
        CheckAge(database, model);
    }

    [Fact]
    [Trait("Invariant", "BATCH-1")]
    public void A_document_that_was_deleted_and_written_to_another_collection_between_two_batches_leaves_the_index()
    {
        QueryModel model = new(new Random(8));
        using IndexedDatabase database = new();
        Fill(database, model, 40);
        CheckAge(database, model);
        var index = database.Database.Indexes.Find(database.Ask("from Users where Age > 5").Index)!;
        index.IsPaused = true;
        database.Begin();
        foreach (string id in model.Documents.Where(one => one.Value.Collection == "Users").Select(one => one.Key))
        {
            database.Delete(id);
        }

        database.Submit();
        database.Begin();
        foreach ((string id, QueryModel.Document document) in model.Documents.ToArray())
        {
            if (document.Collection == "Users")
            {
                model.Documents[id] = document with { Collection = "Orders" };
                database.Put(id, model.Documents[id].ToJson());
            }
        }

        database.Submit();
        index.IsPaused = false;
        CheckAge(database, model);
        Assert.Empty(database.Ask("from Users where Age > 5").Ids);
    }

    [Fact]
    [Trait("Invariant", "IDX-2")]
    public void An_index_that_is_ahead_of_its_documents_is_rebuilt()
    {
        QueryModel model = new(new Random(6));
        using IndexedDatabase database = new();
        Fill(database, model, 10);
        CheckAge(database, model);
        Dictionary<string, byte[]> early = [];
        Dictionary<string, QueryModel.Document> documents = [];
        database.Restart(() => early = Copy(database));
        documents = new(model.Documents);
        Fill(database, model, 40);
        CheckAge(database, model);
        database.Restart(() => PutBack(database, early));
        model.Documents.Clear();
        foreach ((string id, QueryModel.Document document) in documents)
        {
            model.Documents[id] = document;
        }

        CheckAge(database, model);
        Fill(database, model, 5);
        CheckAge(database, model);
    }

    private static void CheckAge(IndexedDatabase database, QueryModel model) => Assert.Equal(
        model.Documents.Where(one => one.Value is { Collection: "Users", Age: > 5 }).Select(one => one.Key).Order(),
        database.Ask("from Users where Age > 5").Ids.Order());

    private static void Fill(IndexedDatabase database, QueryModel model, int count)
    {
        database.Begin();
        for (int i = 0; i < count; i++)
        {
            QueryDifferentialRun.Put(database, model);
        }

        database.Submit();
    }

    private static void Damage(IndexedDatabase database)
    {
        string folder = database.Folders.Open(database.Folders.List()[0]).Description;
        foreach (string file in Directory.EnumerateFiles(folder))
        {
            byte[] bytes = File.ReadAllBytes(file);
            for (int i = 0; i < bytes.Length; i += 64)
            {
                bytes[i] ^= 0x5A;
            }

            File.WriteAllBytes(file, bytes);
        }
    }

    private static Dictionary<string, byte[]> Copy(IndexedDatabase database) =>
        Directory.EnumerateFiles(database.Files.Open("test").Description)
            .ToDictionary(path => path, File.ReadAllBytes);

    private static void PutBack(IndexedDatabase database, Dictionary<string, byte[]> files)
    {
        foreach (string path in Directory.EnumerateFiles(database.Files.Open("test").Description))
        {
            File.Delete(path);
        }

        foreach ((string path, byte[] bytes) in files)
        {
            File.WriteAllBytes(path, bytes);
        }
    }
}
