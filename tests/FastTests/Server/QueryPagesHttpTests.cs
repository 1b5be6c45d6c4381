using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Pages of any size, of results that are found some together and written one by one.</summary>
public sealed class QueryPagesHttpTests
{
    private const int Documents = 50;

    [Theory]
    [InlineData("where Tag in ('x', 'y') order by id()")]
    [InlineData("where Tag in ('x', 'y') order by Rank as long desc")]
    [Trait("Invariant", "HIT-1")]
    [Trait("Invariant", "HIT-2")]
    public async Task Pages_of_a_query_have_each_document_once_and_no_deleted_ones(string condition)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Tags","Maps":[
                "from n in docs.Notes from t in n.Tags select new { Tag = t, n.Rank }"]}]}
            """)).Expect(HttpStatusCode.Created);
        for (int i = 0; i < Documents; i++)
        {
            await server.PutAsync(
                $"notes/{i:D2}", $$$"""{"Tags":["x","y"],"Rank":{{{i}}},"@metadata":{"@collection":"Notes"}}""");
        }

        string query = $"from index 'Tags' {condition}";
        Assert.Equal(Documents, QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query)).Length);
        (await server.SendAsync("POST", "~/admin/indexes/stop")).Expect(HttpStatusCode.NoContent);
        for (int i = 0; i < Documents; i += 7)
        {
            (await server.SendAsync("DELETE", $"~/docs?id=notes/{i:D2}")).Expect(HttpStatusCode.NoContent);
        }

        IEnumerable<string> expected = Enumerable.Range(0, Documents).Where(i => i % 7 != 0)
            .Select(i => $"notes/{i:D2}");
        expected = condition.EndsWith("desc", StringComparison.Ordinal) ? expected.Reverse() : expected;
        foreach (int size in (int[])[7, 8, 9, 16, 17, Documents])
        {
            List<string> found = [];
            string[] page;
            do
            {
                page = QueryHttpTests.Ids(Json(await server.SendAsync(
                    "POST", "~/queries?allowStale=true",
                    $$"""{"Query":"{{query}} limit {{found.Count}}, {{size}}"}""")));
                found.AddRange(page);
            }
            while (page.Length == size);
            Assert.Equal(expected, found);
        }
    }

    [Fact]
    public async Task Answers_of_one_buffer_and_of_several_are_sent_whole()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach (int around in (int[])[16 * 1024, 64 * 1024, 80 * 1024])
        {
            for (int length = around - 600; length <= around + 100; length += 175)
            {
                string text = string.Create(CultureInfo.InvariantCulture, $"{length}{new string('t', length)}");
                await server.PutAsync("notes/long", $$$"""{"Text":"{{{text}}}","@metadata":{"@collection":"Notes"}}""");
                HttpAnswer answer = await server.SendAsync("POST", "~/queries", """{"Query":"from Notes"}""");
                JsonNode only = Assert.Single(Json(answer)["Results"]!.AsArray())!;
                Assert.Equal(text, (string?)only["Text"]);
            }
        }
    }

    private static JsonNode Json(HttpAnswer answer)
    {
        answer.Expect(HttpStatusCode.OK);
        return answer.Json;
    }
}
