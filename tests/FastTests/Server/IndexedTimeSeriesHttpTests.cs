using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Indexes over time series, in both languages: they follow entries that come, change and go.</summary>
public sealed class IndexedTimeSeriesHttpTests
{
    [Theory]
    [InlineData("~/admin/indexes", "from s in timeSeries.Companies.Stock from e in s.Entries "
        + "select new { V = e.Values[0], Y = e.Timestamp.Year, T = e.Tag, D = s.DocumentId }")]
    [InlineData("~/admin/indexes", "timeSeries[\"Companies\"][\"stock\"].SelectMany(s => s.Entries, (s, e) => "
        + "new { V = e.Value, Y = e.Timestamp.Year, T = e.Tag, D = s.DocumentId })")]
    [InlineData("~/indexes", "timeSeries.map('Companies', 'Stock', s => s.Entries.map(e => "
        + "({ V: e.Values[0], Y: e.Timestamp.getFullYear(), T: e.Tag, D: s.DocumentId })))")]
    [InlineData("~/indexes", "timeSeries.map('Companies', s => s.Name == 'Stock' ? s.Entries.map(e => "
        + "({ V: e.Value, Y: e.Timestamp.getFullYear(), T: e.Tag, D: s.DocumentId })) : null)")]
    public async Task Entries_are_mapped_again_when_their_series_changes(string path, string map)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await PutAsync(server, "companies/1", "Companies");
        await PutAsync(server, "companies/2", "Companies");
        await PutAsync(server, "users/1", "Users");
        await AppendAsync(server, "companies/1", "Stock", (2025, 7, "a"), (2026, 8, null));
        await AppendAsync(server, "companies/1", "Other", (2025, 7, null));
        await AppendAsync(server, "users/1", "Stock", (2025, 7, null));
        (await server.SendAsync("PUT", path, Definition("I", map))).Expect(HttpStatusCode.Created);
        const string seven = "from index 'I' where V = 7 and Y = 2025";
        Assert.Equal(["companies/1"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, seven)));
        JsonNode tagged = await QueryHttpTests.QueryAsync(server, "from index 'I' where T = 'a'");
        Assert.Equal(1, (int)tagged["TotalResults"]!);

        // A new entry, a late one, one that is replaced, a range that is deleted, and a whole series.
        await AppendAsync(server, "companies/2", "Stock", (2026, 1, null));
        await AppendAsync(server, "companies/2", "Stock", (2025, 7, null));
        Assert.Equal(
            ["companies/1", "companies/2"],
            QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, seven)).Order(StringComparer.Ordinal));
        await AppendAsync(server, "companies/1", "Stock", (2025, 9, null));
        Assert.Equal(["companies/2"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, seven)));
        await DeleteAsync(server, "companies/2", """{"To":"2025-12-31"}""");
        Assert.Empty(QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, seven)));
        await DeleteAsync(server, "companies/2", "{}");
        Assert.Equal(["companies/1"], QueryHttpTests.Ids(
            await QueryHttpTests.QueryAsync(server, "from index 'I' where Y > 2000")).Distinct());

        JsonNode definition = (await server.SendAsync("GET", "~/indexes?name=I")).Json["Results"]![0]!;
        Assert.Equal("TimeSeries", (string?)definition["SourceType"]);
        JsonNode stats = (await server.SendAsync("GET", "~/indexes/stats?name=I")).Json["Results"]![0]!;
        Assert.Equal(2, (int)stats["EntriesCount"]!);
    }

    [Fact]
    public async Task Segments_are_reduced_and_an_index_has_one_kind_of_source()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await PutAsync(server, "companies/1", "Companies");
        await PutAsync(server, "companies/2", "Companies");
        await AppendAsync(server, "companies/1", "Stock", (2024, 1, null), (2025, 2, null));
        await AppendAsync(server, "companies/2", "Stock", (2024, 10, null));
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"I",
             "Maps":["from s in timeSeries.Companies select new { N = s.Name, S = s.Sum[0], C = s.Count }"],
             "Reduce":"from r in results group r by r.N into g select new { N = g.Key, S = g.Sum(x => x.S),
                C = g.Sum(x => x.C) }"}]}
            """.ReplaceLineEndings(" "))).Expect(HttpStatusCode.Created);
        JsonNode row = (await QueryHttpTests.QueryAsync(server, "from index 'I'"))["Results"]![0]!;
        Assert.Equal((13, 3), ((int)(double)row["S"]!, (int)row["C"]!));
        await AppendAsync(server, "companies/2", "Stock", (2025, 7, null));
        row = (await QueryHttpTests.QueryAsync(server, "from index 'I'"))["Results"]![0]!;
        Assert.Equal((20, 4), ((int)(double)row["S"]!, (int)row["C"]!));
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"K","Maps":["from s in timeSeries select new { s.Name }",
             "from d in docs.Companies select new { d.Name }"]}]}
            """)).ExpectError(400, "one kind");
    }

    private static string Definition(string name, string map) =>
        "{\"Indexes\":[{\"Name\":\"" + name + "\",\"Maps\":[" + JsonSerializer.Serialize(map) + "]}]}";

    private static Task<string> PutAsync(TestServer server, string id, string collection) =>
        server.PutAsync(id, "{\"@metadata\":{\"@collection\":\"" + collection + "\"}}");

    private static async Task AppendAsync(
        TestServer server, string id, string name, params (int Year, int Value, string? Tag)[] entries)
    {
        string appends = string.Join(',', entries.Select(entry => JsonSerializer.Serialize(new
        {
            Timestamp = $"{entry.Year}-06-01T00:00:00Z",
            Values = new[] { entry.Value },
            entry.Tag,
        })));
        (await server.SendAsync(
            "POST", $"~/timeseries?docId={id}", "{\"Name\":\"" + name + "\",\"Appends\":[" + appends + "]}"))
            .Expect(HttpStatusCode.NoContent);
    }

    private static async Task DeleteAsync(TestServer server, string id, string range) => (await server.SendAsync(
        "POST", $"~/timeseries?docId={id}", "{\"Name\":\"Stock\",\"Deletes\":[" + range + "]}"))
        .Expect(HttpStatusCode.NoContent);
}
