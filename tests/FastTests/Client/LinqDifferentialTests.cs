using System.Globalization;
using Raven.Client.Documents;

namespace FastTests.Client;

/// <summary>Queries of the client against the real server, beside LINQ to objects over the same data.</summary>
public sealed class LinqDifferentialTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private const int Queries = 150;

    [Fact]
    public async Task Random_queries_give_what_linq_to_objects_gives()
    {
        using DocumentStore store = fixture.NewStore();
        await new LinqDifferential(Seed()).RunAsync(store, Queries);
    }

    /// <summary>The one that is told, or another each time; a failure names it.</summary>
    private static int Seed() => Environment.GetEnvironmentVariable("DEV_LINQ_SEED") is { } seed
        ? int.Parse(seed, CultureInfo.InvariantCulture)
        : Environment.TickCount;
}
