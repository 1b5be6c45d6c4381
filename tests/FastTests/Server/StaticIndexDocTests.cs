using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using FastTests.Architecture;

namespace FastTests.Server;

/// <summary>The maps and reduces of docs/static-indexes.md, sent to the server as they stand there; its analyzer and
/// sorter are those of <see cref="ExtensionsHttpTests"/>.</summary>
public sealed class StaticIndexDocTests
{
    private static readonly string[] CSharp = DocBlocks.Of("docs/static-indexes.md", "csharp");
    private static readonly string[] JavaScript = DocBlocks.Of("docs/static-indexes.md", "javascript");

    [Fact]
    public async Task The_maps_and_reduces_of_the_page_on_static_indexes_do_what_it_says()
    {
        Assert.Equal((6, 4), (CSharp.Length, JavaScript.Length));
        using TestServer server = await TestServer.WithDatabaseAsync();
        await PutAsync(server, "Companies", 1, """
            "Name":"Acme","Employees":20,"Tags":["Red","Big"],"Address":{"City":"Rome"}
            """);
        await PutAsync(server, "Companies", 2, """
            "Name":"Tiny","Employees":2,"Tags":["Blue"],"Address":{"City":"Oslo"}
            """);
        await PutAsync(server, "Orders", 1, "\"Company\":\"a\",\"Total\":10");
        await PutAsync(server, "Orders", 2, "\"Company\":\"a\",\"Total\":20");
        await PutAsync(server, "Orders", 3, "\"Company\":\"b\",\"Total\":5");
        await DefineAsync(server, "Map", CSharp[0]);
        await DefineAsync(server, "JsMap", JavaScript[0]);
        await DefineAsync(
            server, "Reduce", "from o in docs.Orders select new { o.Company, Count = 1, o.Total }", CSharp[3]);
        await DefineAsync(
            server, "JsReduce", "map('Orders', o => ({ Company: o.Company, Count: 1 }))", JavaScript[3]);
        await DefineAsync(server, "Counters", CSharp[1]);
        await DefineAsync(server, "JsCounters", JavaScript[1]);
        await DefineAsync(server, "Series", CSharp[2]);
        await DefineAsync(server, "JsSeries", JavaScript[2]);

        Assert.Equal(["Companies/1"], await IdsAsync(server, "from index 'Map' where Tag = 'big' and City = 'Rome'"));
        Assert.Empty(await IdsAsync(server, "from index 'Map' where Name = 'Tiny'"));
        Assert.Equal(["Companies/2"], await IdsAsync(server, "from index 'JsMap' where Tag = 'blue'"));
        JsonNode sums = await QueryHttpTests.QueryAsync(server, "from index 'Reduce' where Company = 'a'");
        JsonNode sum = Assert.Single(sums["Results"]!.AsArray())!;
        Assert.Equal((2, 30), ((int)sum["Count"]!, (int)sum["Total"]!));
        JsonNode counts = await QueryHttpTests.QueryAsync(server, "from index 'JsReduce' where Count = 2");
        Assert.Equal("a", (string?)Assert.Single(counts["Results"]!.AsArray())!["Company"]);
        (await server.SendAsync("POST", "~/counters", """
            {"Documents":[{"DocumentId":"Companies/2",
             "Operations":[{"Type":"Increment","CounterName":"HeartRate","Delta":70}]}]}
            """)).Expect(HttpStatusCode.OK);
        Assert.Equal(["Companies/2"], await IdsAsync(server, "from index 'Counters' where Beat = 70"));
        Assert.Equal(["Companies/2"], await IdsAsync(server, "from index 'JsCounters' where Beat = 70"));
        (await server.SendAsync("POST", "~/timeseries?docId=Companies/1", """
            {"Name":"StockPrices","Appends":[{"Timestamp":"2026-03-01T10:00:00Z","Values":[12.5]}]}
            """)).Expect(HttpStatusCode.NoContent);
        Assert.Equal(["Companies/1"], await IdsAsync(server, "from index 'Series' where Price = 12.5"));
        Assert.Equal(["Companies/1"], await IdsAsync(server, "from index 'JsSeries' where Year = 2026"));
    }

    private static async Task PutAsync(TestServer server, string collection, int number, string properties) =>
        await server.PutAsync(
            $"{collection}/{number}", $$$"""{{{{properties}}},"@metadata":{"@collection":"{{{collection}}}"}}""");

    private static async Task DefineAsync(TestServer server, string name, string map, string? reduce = null) =>
        (await server.SendAsync("PUT", "~/admin/indexes", JsonSerializer.Serialize(new
        {
            Indexes = new[] { new { Name = name, Maps = new[] { map }, Reduce = reduce } },
        }))).Expect(HttpStatusCode.Created);

    private static async Task<string[]> IdsAsync(TestServer server, string query) =>
        QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query));
}
