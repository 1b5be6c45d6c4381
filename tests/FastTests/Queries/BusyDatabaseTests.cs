namespace FastTests.Queries;

/// <summary>Queries while documents change and indexes come and go.</summary>
public sealed class BusyDatabaseTests
{
    [Fact]
    [Trait("Invariant", "IDX-1")]
    [Trait("Invariant", "HIT-1")]
    public async Task Queries_have_the_right_results_while_indexes_are_extended_deleted_and_rebuilt()
    {
        using BusyDatabase database = new(BusyDatabase.ToldSeed ?? Environment.TickCount);
        await database.RunAsync(askers: 3, queries: 25);
        Assert.Equal(75, database.Asked);
    }
}
