using System.Globalization;
using FastTests.Server;
using Raven.Client.Documents;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>Queries of the client against the real server, beside LINQ to objects over the same data.</summary>
public sealed class LinqDifferentialTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private const int Queries = 150;
    private const int QueriesOfBatches = 50;

    [Fact]
    public async Task Random_LINQ_queries_find_what_LINQ_to_objects_finds()
    {
        using DocumentStore store = fixture.NewStore();
        await new LinqDifferential(Seed()).RunAsync(store, Queries);
    }

    [Fact]
    public async Task Random_LINQ_queries_find_the_same_in_indexes_made_of_many_small_batches()
    {
        using TestServer server = new(options => options with
        {
            Indexing = options.Indexing with { BatchDocumentsMax = 7 },
        });
        using DocumentStore store = new() { Urls = [server.Host.Url], Database = "db" };
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("db")));
        await new LinqDifferential(Seed()).RunAsync(store, QueriesOfBatches);
    }

    /// <summary>The given seed, or another each time; a failure names it.</summary>
    private static int Seed() => Environment.GetEnvironmentVariable("DEV_LINQ_SEED") is { } seed
        ? int.Parse(seed, CultureInfo.InvariantCulture)
        : Environment.TickCount;
}
