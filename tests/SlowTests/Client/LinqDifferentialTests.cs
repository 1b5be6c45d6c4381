using System.Globalization;
using FastTests.Client;
using Raven.Client.Documents;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.Server;

namespace SlowTests.Client;

/// <summary>The queries of the fast test, many more of them, over other sales every five hundred.</summary>
[Trait(Category.Shard, "client")]
public sealed class LinqDifferentialTests
{
    private const int QueriesOfSeed = 500;

    private static readonly int Seeds = int.Parse(
        Environment.GetEnvironmentVariable("DEV_LINQ_SEEDS") ?? "40", CultureInfo.InvariantCulture);

    [Fact]
    public async Task Many_random_LINQ_queries_find_what_LINQ_to_objects_finds()
    {
        using ServerHost server = EmbeddedServer.StartInMemory();
        int first = Environment.GetEnvironmentVariable("DEV_LINQ_SEED") is { } told
            ? int.Parse(told, CultureInfo.InvariantCulture)
            : Environment.TickCount;
        for (int seed = first; seed < first + Seeds; seed++)
        {
            string name = $"db{seed - first}";
            using var store = new DocumentStore { Urls = [server.Url], Database = name };
            store.Initialize();
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord(name)));
            await new LinqDifferential(seed).RunAsync(store, QueriesOfSeed);
            await store.Maintenance.Server.SendAsync(new DeleteDatabasesOperation(name, hardDelete: true));
        }
    }
}
