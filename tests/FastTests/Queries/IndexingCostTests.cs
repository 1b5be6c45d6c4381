using FastTests.Support;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;

namespace FastTests.Queries;

/// <summary>What writers pay for indexes: a signal.</summary>
public sealed class IndexingCostTests
{
    private const string Query = "from Users where Age > 5";

    [Fact]
    [Trait("Invariant", "BATCH-3")]
    public void The_memory_of_a_batch_does_not_grow_with_its_number_of_documents()
    {
        long few = HighWaterOf(200);
        long many = HighWaterOf(1_500);
        Assert.True(few > 0);
        Assert.Equal(few, many);
    }

    private static long HighWaterOf(int documents)
    {
        using IndexedDatabase database = new();
        database.Begin();
        for (int i = 0; i < documents; i++)
        {
            database.Put(
                $"users/{i:D6}",
                $$"""{"Age":{{100_000 + i}},"Name":"one of them","@metadata":{"@collection":"Users"} }""");
        }

        database.Submit();
        var index = database.Database.Indexes.Changes.PutAsync(new IndexDefinition
        {
            Name = "Mine", Maps = ["map('Users', u => ({ Age: u.Age, Twice: [u.Name, u.Name + u.Age] }))"],
        }).AsTask().Result;
        Assert.Equal(documents, database.Ask("from index 'Mine' where Age > 1").Ids.Count);
        return index.Memory!.HighWaterBytes;
    }

    [Fact]
    [Trait("Invariant", "THR-1")]
    [Trait("Invariant", "IDXS-2")]
    public void A_commit_signals_its_indexes_without_allocation()
    {
        using IndexedDatabase database = new();
        database.Begin();
        database.Put("users/1", """{"Age":6,"@metadata":{"@collection":"Users"}}""");
        database.Submit();
        Assert.Single(database.Ask("from Users where Age > 5").Ids);
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 10_000; i++)
            {
                database.Database.Indexes.Signal();
            }
        }));
    }

    [Fact]
    [Trait("Invariant", "THR-3")]
    [Trait("Invariant", "IDXS-2")]
    [Trait("Invariant", "LOOK-2")]
    public void Many_small_changes_make_one_batch_and_a_query_starts_it_before_the_look_interval_has_passed()
    {
        using IndexedDatabase database = new(
            new IndexingOptions { PollInterval = TimeSpan.FromHours(1), ThreadsMax = 1 });
        Put(database, 0);
        Assert.Single(database.Ask(Query).Ids);
        DatabaseIndex index = database.Database.Indexes.All.Single();
        long batches = index.Statistics.BatchCount;
        for (int i = 1; i < 50; i++)
        {
            Put(database, i);
        }

        // One more may have been on its way when the query was answered.
        Assert.InRange(index.Statistics.BatchCount, batches, batches + 1);
        Assert.Equal(50, database.Ask(Query).Ids.Count);
        Assert.InRange(index.Statistics.BatchCount, batches + 1, batches + 2);
    }

    [Fact]
    public void Changed_documents_are_indexed_without_a_query()
    {
        using IndexedDatabase database = new();
        Put(database, 0);
        Assert.Single(database.Ask(Query).Ids);
        for (int i = 1; i < 50; i++)
        {
            Put(database, i);
        }

        DatabaseIndex index = database.Database.Indexes.All.Single();
        Deadline.Until(() => index.Position.MapAttempts >= 50);
    }

    private static void Put(IndexedDatabase database, int number)
    {
        database.Begin();
        database.Put($"users/{number}", $$$"""{"Age":{{{number + 10}}},"@metadata":{"@collection":"Users"}}""");
        database.Submit();
    }
}
