namespace FastTests.Queries;

/// <summary>What writers pay for indexes: a signal.</summary>
public sealed class IndexingCostTests
{
    [Fact]
    public void A_commit_that_signals_allocates_nothing()
    {
        using IndexedDatabase database = new();
        database.Begin();
        database.Put("users/1", """{"Age":6,"@metadata":{"@collection":"Users"}}""");
        database.Submit();
        Assert.Single(database.Ask("from Users where Age > 5").Ids);
        long least = long.MaxValue;
        for (int round = 0; round < 5; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 10_000; i++)
            {
                database.Database.Indexes.Signal();
            }

            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, least);
    }
}
