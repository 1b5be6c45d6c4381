using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>How many of the nearest are found, of what page, and what else a query asks of them.</summary>
public sealed class VectorPageHttpTests
{
    private const string Near = "from Notes where vector.search(E, [1, 0])";

    [Theory]
    [InlineData(Near, 16)]
    [InlineData(Near + " limit 40", 40)]
    [InlineData(Near + " select distinct Nm", 16)]
    [InlineData(Near + " select distinct Nm limit 40", 40)]
    [InlineData(Near + " select distinct Nm limit 50, 40", 10)]
    [InlineData(Near + " select distinct Two limit 2", 2)]
    [InlineData(Near + " select distinct Two limit 1, 2", 1)]
    [InlineData(Near + " filter N >= 0 limit 40", 40)]
    [InlineData(Near + " filter N > 20 limit 10", 10)]
    [InlineData(Near + " filter N > 20", 39)]
    [InlineData(Near + " filter N > 20 select distinct Nm limit 30, 20", 9)]
    [InlineData("from Notes where vector.search(E, [1, 0], 0, 5) filter N >= 0 limit 40", 5)]
    public async Task A_page_of_a_vector_search_is_full_if_enough_documents_are_near(string query, int count)
    {
        using TestServer server = await WithNotesAsync();
        JsonNode answer = await QueryHttpTests.QueryAsync(server, query);
        Assert.Equal(count, answer["Results"]!.AsArray().Count);
    }

    [Fact]
    public async Task A_change_by_a_vector_search_without_a_limit_changes_all_near_documents()
    {
        using TestServer server = await WithNotesAsync();
        await ChangeAsync(server, "PATCH", Near + " update { this.Seen = true }");
        Assert.Equal(60, (int)(await QueryHttpTests.QueryAsync(
            server, "from Notes where Seen = true"))["TotalResults"]!);
        await ChangeAsync(server, "DELETE", Near + " limit 7");
        Assert.Equal(53, (int)(await QueryHttpTests.QueryAsync(server, "from Notes"))["TotalResults"]!);
        await ChangeAsync(server, "DELETE", Near);
        Assert.Equal(0, (int)(await QueryHttpTests.QueryAsync(server, "from Notes"))["TotalResults"]!);
    }

    [Theory]
    [InlineData("vector.search(E, [1, 0]) and exists(N) and not exact(vector.search(E, [1, 0], 0.999))")]
    [InlineData("exists(N) and not exact(vector.search(E, [1, 0], 0.999)) and vector.search(E, [1, 0])")]
    [InlineData("vector.search(E, [1, 0]) and exists(N) and not (exact(vector.search(E, [1, 0], 0.999)) and N >= 0)")]
    public async Task The_candidates_of_a_vector_search_meet_all_other_conditions(string condition)
    {
        using TestServer server = await WithNotesAsync();
        JsonNode all = await QueryHttpTests.QueryAsync(
            server, "from Notes where exists(N) and not exact(vector.search(E, [1, 0], 0.999)) limit 100");
        int far = all["Results"]!.AsArray().Count;
        Assert.InRange(far, 20, 59);
        string[] nearest = QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, $"from Notes where {condition}"));
        Assert.Equal(
            Enumerable.Range(60 - far, 16).Select(n => $"notes/{n}"), nearest.OrderBy(id => int.Parse(id[6..], null)));
    }

    [Fact]
    [Trait("Invariant", "HIT-2")]
    public async Task Further_entries_of_a_document_and_equal_rows_count_as_skipped_and_not_as_results()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 0; i < 30; i++)
        {
            await server.PutAsync($"items/{i}", $$"""
                {"N":{{i % 10}},"L":[1,2,3,4,5],"@metadata":{"@collection":"Items"} }
                """);
        }

        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"F","Maps":["from i in docs.Items from l in i.L select new { i.N, l }"]}]}
            """)).Expect(HttpStatusCode.Created);
        foreach ((string page, int skipped) in new[] { ("", 140), (" limit 4", 0), (" limit 8, 4", 140) })
        {
            JsonNode answer = await QueryHttpTests.QueryAsync(server, $"from index 'F' select distinct N{page}");
            Assert.Equal([10, skipped], new[] { (int)answer["TotalResults"]!, (int)answer["SkippedResults"]! });
        }

        JsonNode all = await QueryHttpTests.QueryAsync(server, "from index 'F' select N");
        Assert.Equal([150, 120, 30], new[]
        {
            (int)all["TotalResults"]!, (int)all["SkippedResults"]!, all["Results"]!.AsArray().Count,
        });
    }

    internal static async Task<TestServer> WithNotesAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 0; i < 60; i++)
        {
            await server.PutAsync($"notes/{i}", $$"""
                {"E":[10,{{i / 10.0}}],"N":{{i}},"Nm":"n{{i}}","Two":{{i / 30}},"@metadata":{"@collection":"Notes"} }
                """);
        }

        return server;
    }

    private static async Task ChangeAsync(TestServer server, string method, string query)
    {
        string body = method == "PATCH"
            ? $"{{\"Query\":{QueryHttpTests.Body(query)}}}"
            : QueryHttpTests.Body(query);
        long id = (long)(await server.SendAsync(method, "~/queries", body)).Json["OperationId"]!;
        Assert.Equal("Completed", (string?)(await OperationHttpTests.EndAsync(server, id))["Status"]);
    }
}
