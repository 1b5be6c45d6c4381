using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Documents.Indexing.Definitions;

namespace FastTests.Server;

/// <summary>Users choose the engine of an index, and get the same answers from both.</summary>
public sealed class IndexEngineHttpTests(IndexEngineHttpTests.Movies movies)
    : IClassFixture<IndexEngineHttpTests.Movies>
{
    private const string Map =
        "from m in docs.Movies select new { m.Title, m.Year, m.Genres, Words = m.Title, "
        + "P = CreateSpatialField(m.Lat, m.Lng) }";

    private const string Sums = "from m in docs.Movies select new { m.Year, Count = 1 }";
    private const string Reduce =
        "from r in results group r by r.Year into g select new { Year = g.Key, Count = g.Sum(x => x.Count) }";

    private readonly TestServer _server = movies.Server;

    [Fact]
    public async Task Queries_of_all_kinds_have_the_same_answer_from_both_engines()
    {
        await PutAsync("OfCorax", "Corax");
        await PutAsync("OfLucene", "Lucene");
        Assert.Equal("Corax", await EngineOfAsync("OfCorax"));
        Assert.Equal("Lucene", await EngineOfAsync("OfLucene"));
        foreach (string query in new[]
        {
            "from index 'X' where Title = 'the moon 3' order by Year, id()",
            "from index 'X' where Year between 1990 and 1995 order by Year as long desc, Title limit 3",
            "from index 'X' where Year in (1990, 1993) and not Genres = 'drama' order by id()",
            "from index 'X' where Genres all in ('drama', 'space') order by id()",
            "from index 'X' where search(Words, 'moon fox') order by score(), id()",
            "from index 'X' where search(Words, 'the fox*', and) order by id()",
            "from index 'X' where startsWith(Title, 'a fox') or endsWith(Title, '7') order by Title",
            "from index 'X' where regex(Title, '^[at].* (3|5)$') order by Title as alphaNumeric",
            "from index 'X' where lucene(Words, 'mon~ AND \"the moon\"') order by id()",
            "from index 'X' where fuzzy(Title = 'the mon 3', 0.8) order by id()",
            "from index 'X' where proximity(search(Words, 'moon the'), 3) order by id()",
            "from index 'X' where exists(Genres) and boost(Year > 1992, 3) order by score(), Year, id()",
            "from index 'X' where spatial.within(P, spatial.circle(300, 10, 12)) "
                + "order by spatial.distance(P, spatial.point(10, 12))",
            "from index 'X' where moreLikeThis(id() = 'm/1', '{\"Fields\":[\"Words\"],"
                + "\"MinimumTermFrequency\":1,\"MinimumDocumentFrequency\":1}') order by id()",
            "from index 'X' order by Year select distinct Year",
            "from index 'X' where Year > 1990 select facet(Genres, sum(Year)), facet(Words)",
            "from index 'X' select suggest(Words, 'mon')",
            "from index 'X' where Year = null order by id()",
            "from index 'X' order by random('seed') limit 2, 3",
        })
        {
            string ours = await AnswerAsync(query, "OfCorax");
            string lucenes = await AnswerAsync(query, "OfLucene");
            if (query.Contains("random", StringComparison.Ordinal))
            {
                // Merges put entries into another order, by which they are drawn.
                Assert.EndsWith("]40", ours, StringComparison.Ordinal);
                Assert.EndsWith("]40", lucenes, StringComparison.Ordinal);
                continue;
            }

            Assert.True(ours == lucenes, $"{query}\n{ours}\n{lucenes}");
            Assert.Contains(":", ours, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_reduce_by_Lucene_counts_what_is_there_after_changes()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await FillAsync(server);
        (await server.SendAsync(
            "PUT", "~/admin/indexes",
            $$"""
            {"Indexes":[{"Name":"Years","Maps":["{{Sums}}"],"Reduce":"{{Reduce}}",
            "Configuration":{"Indexing.Static.SearchEngineType":"Lucene"} }]}
            """)).Expect(HttpStatusCode.Created);
        await server.PutAsync("m/1", """{"Title":"new","Year":1993,"@metadata":{"@collection":"Movies"}}""");
        (await server.SendAsync("DELETE", "~/docs?id=m%2F2")).Expect(HttpStatusCode.NoContent);
        JsonNode answer = await QueryHttpTests.QueryAsync(server, "from index 'Years' where Count > 1 order by Year");
        Assert.Equal(
            "1990:6 1991:5 1992:5 1993:7 1994:6 1995:5 1996:4",
            string.Join(' ', answer["Results"]!.AsArray().Select(one => $"{one!["Year"]}:{one["Count"]}")));
    }

    [Fact]
    public async Task Another_engine_is_built_beside_the_old_one_and_takes_its_place()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await FillAsync(server);
        foreach (string engine in new[] { "Lucene", "Corax", "Lucene" })
        {
            (await PutAsync(server, "Mine", engine)).Expect(HttpStatusCode.Created);
            await Deadline.UntilAsync(async () => await EngineOfAsync(server, "Mine") == engine);

            JsonNode answer = await QueryHttpTests.QueryAsync(
                server, "from index 'Mine' where search(Words, 'moon') order by id()");
            Assert.Equal(20, (int)answer["TotalResults"]!);
            JsonNode definition = (await server.SendAsync("GET", "~/indexes?name=Mine")).Json["Results"]![0]!;
            Assert.Equal(engine, (string?)definition["Configuration"]!["Indexing.Static.SearchEngineType"]);
        }
    }

    [Fact]
    public async Task New_indexes_have_the_engine_of_the_server_and_keep_it_when_that_changes()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(options => options with
        {
            Indexing = options.Indexing with { AutoEngine = IndexEngine.Lucene, StaticEngine = IndexEngine.Lucene },
        });
        await FillAsync(server);
        (await PutAsync(server, "Mine", "")).Expect(HttpStatusCode.Created);
        (await PutAsync(server, "Ours", "Corax")).Expect(HttpStatusCode.Created);
        await QueryHttpTests.QueryAsync(server, "from Movies where Year > 1993");
        Assert.Equal("Lucene", await EngineOfAsync(server, "Mine"));
        Assert.Equal("Corax", await EngineOfAsync(server, "Ours"));
        Assert.Equal("Lucene", await EngineOfAsync(server, "Auto/Movies/ByYear"));
    }

    [Fact]
    public async Task Vectors_and_other_names_of_engines_are_refused()
    {
        HttpAnswer answer = await PutAsync(_server, "Bad", "Other");
        answer.ExpectError(400, "must be Lucene or Corax");
        answer = await _server.SendAsync(
            "PUT", "~/admin/indexes",
            """
            {"Indexes":[{"Name":"Bad","Maps":["from m in docs.Movies select new { V = CreateVector(m.V) }"],
            "Fields":{"V":{"Vector":{"Dimensions":3}}},"Configuration":{"Indexing.Static.SearchEngineType":"Lucene"} }]}
            """);
        answer.ExpectError(400, "'V' has vectors");
        await PutAsync("OfLucene", "Lucene");
        answer = await _server.SendAsync(
            "POST", "~/queries", QueryHttpTests.Body("from index 'OfLucene' where vector.search(Words, [1, 2])"));
        answer.ExpectError(400, "Corax");
    }

    private async Task PutAsync(string name, string engine) => (await PutAsync(_server, name, engine)).Expect(
        HttpStatusCode.Created);

    private static Task<HttpAnswer> PutAsync(TestServer server, string name, string engine) => server.SendAsync(
        "PUT", "~/admin/indexes",
        $$"""
        {"Indexes":[{"Name":"{{name}}","Maps":[{{JsonSerializer.Serialize(Map)}}],
        "Fields":{"Words":{"Indexing":"Search","Storage":"Yes","Suggestions":true} },
        "Configuration":{"Indexing.Static.SearchEngineType":"{{engine}}"} }]}
        """);

    private Task<string> EngineOfAsync(string name) => EngineOfAsync(_server, name);

    private static async Task<string> EngineOfAsync(TestServer server, string name) => (string)(await server.SendAsync(
        "GET", $"~/indexes/stats?name={Uri.EscapeDataString(name)}")).Json["Results"]![0]!["SearchEngineType"]!;

    /// <summary>The results of a query, with scores to three digits.</summary>
    private async Task<string> AnswerAsync(string query, string index)
    {
        JsonNode answer = await QueryHttpTests.QueryAsync(
            _server, query.Replace("'X'", $"'{index}'", StringComparison.Ordinal));
        foreach (JsonNode? result in answer["Results"]!.AsArray())
        {
            if (result?["@metadata"] is JsonObject metadata && metadata["@index-score"] is { } score)
            {
                metadata["@index-score"] = Math.Round((double)score, 3);
            }
        }

        return answer["Results"]!.ToJsonString() + answer["TotalResults"];
    }

    private static async Task FillAsync(TestServer server)
    {
        string[] genres = ["drama", "space", "fox"];
        for (int i = 0; i < 40; i++)
        {
            string year = i == 13 ? "null" : $"{1990 + (i % 7)}";
            await server.PutAsync(
                $"m/{i}",
                $$"""
                {"Title":"{{(i % 2 == 0 ? "a fox" : "The Moon")}} {{i}}","Year":{{year}},
                "Genres":["{{genres[i % 3]}}","{{genres[i % 2]}}"],"Lat":{{10 + (i % 5)}},"Lng":{{10 + (i % 3)}},
                "@metadata":{"@collection":"Movies"} }
                """);
        }
    }

    /// <summary>A server with documents that the tests do not change.</summary>
    public sealed class Movies : IAsyncLifetime
    {
        internal TestServer Server { get; private set; } = null!;

        /// <inheritdoc/>
        public async ValueTask InitializeAsync()
        {
            Server = await TestServer.WithDatabaseAsync();
            await FillAsync(Server);
        }

        /// <inheritdoc/>
        public ValueTask DisposeAsync()
        {
            Server.Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
