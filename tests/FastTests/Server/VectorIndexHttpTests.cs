using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Vectors of indexes that users define: maps in C# and JavaScript, options of fields.</summary>
public sealed class VectorIndexHttpTests
{
    [Theory]
    [InlineData("from i in docs.Items select new { i.Kind, Vec = CreateVector(i.V) }")]
    [InlineData("from i in docs.Items select new { i.Kind, Vec = CreateVector(i.V == null ? null : i.V.ToArray()) }")]
    [InlineData("docs.Items.Select(i => new { i.Kind, _ = CreateField(\"Vec\", CreateVector(i.V)) })")]
    [InlineData("map('Items', i => ({ Kind: i.Kind, Vec: createVector(i.V) }))")]
    [InlineData("map('Items', i => ({ Kind: i.Kind, _: createField('Vec', createVector(i.V)) }))")]
    public async Task A_map_makes_vectors_without_field_options(string map)
    {
        using TestServer server = await VectorHttpTests.WithItemsAsync();
        await PutAsync(server, map, "{}");
        Assert.Equal(["items/a", "items/many", "items/b"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from index 'Mine' where vector.search(Vec, [1, 0.1])")));
        Assert.Equal(["items/b"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from index 'Mine' where vector.search(Vec, [1, 1], 0.99) and Kind = 'x'")));
        Assert.Equal(4, QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from index 'Mine' where exists(Vec)")).Length);
        JsonNode explained = await QueryHttpTests.QueryAsync(
            server, "explain from index 'Mine' where vector.search(Vec, [1, 1]) and Kind = 'x'");
        Assert.Equal(2, explained["Conditions"]!.AsArray().Count);
    }

    [Theory]
    [InlineData("from i in docs.Items select new { Vec = i.V }", "Single", "Int8", "[1, 0.1]")]
    [InlineData("from i in docs.Items select new { Vec = CreateVector(i.V) }", "Single", "Binary", "[1, 0.1]")]
    [InlineData("map('Items', i => ({ Vec: i.Bytes }))", "Int8", "Int8", "[127, 12, 0, 0, 128, 63]")]
    [InlineData("from i in docs.Items select new { Vec = i.Bits }", "Binary", "Binary", "[255]")]
    public async Task Vector_options_of_a_field_decide_the_form_of_its_vectors_and_are_read_back(
        string map, string source, string destination, string wanted)
    {
        using TestServer server = await VectorHttpTests.WithItemsAsync();
        string options = $$"""{"SourceEmbeddingType":"{{source}}","DestinationEmbeddingType":"{{destination}}" """
            + ""","NumberOfEdges":12,"NumberOfCandidatesForIndexing":16}""";
        await PutAsync(server, map, $$"""{"Vec":{"Vector":{{options}} } }""");
        JsonNode kept = (await server.SendAsync("GET", "~/indexes?name=Mine")).Json;
        Assert.True(JsonNode.DeepEquals(
            JsonNode.Parse(options), kept["Results"]![0]!["Fields"]!["Vec"]!["Vector"]), kept.ToJsonString());
        string[] found = QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, $"from index 'Mine' where vector.search(Vec, {wanted}, 0.9)"));
        Assert.Contains("items/a", found);
        Assert.DoesNotContain("items/c", found);
        Assert.Equal(["items/none"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from index 'Mine' where exists(id()) and not exists(Vec) and id() = 'items/none'")));
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(
            $"from index 'Mine' where vector.search(embedding.{(source == "Int8" ? "i1" : "i8")}(Vec), [1])")))
            .ExpectError(400, "line 1, column 39: the index has vectors of");
    }

    [Theory]
    [InlineData("from i in docs.Items select new { i.Kind, Vec = CreateVector(i.V) }")]
    [InlineData("from i in docs.Items select new { i.Kind, Vec = i.V }")]
    [InlineData("map('Items', i => ({ Kind: i.Kind, Vec: createVector(i.V) }))")]
    public async Task A_mapped_value_that_is_no_vector_is_an_index_error_with_its_document(string map)
    {
        using TestServer server = await VectorHttpTests.WithItemsAsync();
        string[] wrong = ["[1,2,3]", "5", "\"?\"", "[1,\"x\"]", "[[1,2,3],[1]]", "{\"A\":1}"];
        for (int i = 0; i < wrong.Length; i++)
        {
            await server.PutAsync(
                $"Items/Odd{i}", $$"""{"V":{{wrong[i]}},"Kind":"odd","@metadata":{"@collection":"Items"} }""");
        }

        await PutAsync(server, map, """{"Vec":{"Vector":{"Dimensions":2}}}""");
        Assert.Equal(wrong.Length, QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from index 'Mine' where Kind = 'odd'")).Length);
        Assert.Empty(QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from index 'Mine' where Kind = 'odd' and exists(Vec)")));
        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors?name=Mine")).Json;
        JsonArray all = errors["Results"]![0]!["Errors"]!.AsArray();
        Assert.Equal(
            Enumerable.Range(0, wrong.Length).Select(i => $"Items/Odd{i}"),
            all.Select(error => (string?)error!["Document"]).Order(StringComparer.Ordinal));
        Assert.All(all, error => Assert.Equal("Vector", (string?)error!["Action"]));
        Assert.Contains(
            "'Vec': The field 'vector.search(Vec)' has vectors of 2 dimensions; this one has 3.",
            all.Select(error => (string?)error!["Error"]));
        Assert.All(
            (await server.SendAsync("GET", "~/indexes/stats?name=Mine")).Json["Results"]!.AsArray(),
            stats => Assert.Equal(
                [0, wrong.Length], new[] { (int)stats!["MapErrors"]!, (int)stats["ErrorsCount"]! }));
    }

    [Theory]
    [InlineData("from i in docs.Items select new { Vec = CreateVector(new[] { new[] { i.N, 0 }, new[] { 0, i.N } }) }")]
    [InlineData("from i in docs.Items select new { Vec = CreateVector(i.L.Select(l => l.Select(n => n * 2))) }")]
    [InlineData("map('Items', i => ({ Vec: createVector(i.L.map(l => l.map(n => n * 2))) }))")]
    public async Task A_map_can_compute_several_vectors_of_a_document(string map)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("items/1", """{"N":1,"L":[[1,0],[0,1]],"@metadata":{"@collection":"Items"}}""");
        await PutAsync(server, map, "{}");
        foreach (string wanted in (string[])["[1, 0]", "[0, 1]"])
        {
            Assert.Equal(["items/1"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
                server, $"from index 'Mine' where vector.search(Vec, {wanted}, 0.99)")));
        }

        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors?name=Mine")).Json;
        Assert.Empty(errors["Results"]![0]!["Errors"]!.AsArray());
    }

    [Fact]
    public async Task A_group_with_a_value_that_is_no_vector_is_found_by_its_other_fields()
    {
        using TestServer server = await VectorHttpTests.WithItemsAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Mine",
             "Maps":["from i in docs.Items select new { i.Kind, Vec = \"?\" }"],
             "Reduce":"from r in results group r by r.Kind into g select new { Kind = g.Key, Vec = g.First().Vec }",
             "Fields":{"Vec":{"Vector":{}}}}]}
            """)).Expect(HttpStatusCode.Created);
        Assert.Single((await QueryHttpTests.QueryAsync(
            server, "from index 'Mine' where Kind = 'x'"))["Results"]!.AsArray());
        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors?name=Mine")).Json;
        Assert.All(errors["Results"]![0]!["Errors"]!.AsArray(), error => Assert.Null(error!["Document"]));
    }

    [Fact]
    public async Task Results_of_a_reduce_have_vectors_by_the_options_of_the_field()
    {
        using TestServer server = await VectorHttpTests.WithItemsAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Mine",
             "Maps":["from i in docs.Items where i.Bits != null select new { i.Kind, i.Bits }"],
             "Reduce":"from r in results group r by r.Kind into g select new { Kind = g.Key, Bits = g.First().Bits }",
             "Fields":{"Bits":{"Vector":{"SourceEmbeddingType":"Binary"}}}}]}
            """)).Expect(HttpStatusCode.Created);
        JsonNode answer = await QueryHttpTests.QueryAsync(
            server, "from index 'Mine' where vector.search(Bits, [15], 0.9)");
        Assert.Equal(["y"], answer["Results"]!.AsArray().Select(one => (string?)one!["Kind"]));
    }

    [Theory]
    [InlineData(
        """{"V":{"Vector":{"SourceEmbeddingType":"Text"}}}""", "SourceEmbeddingType of 'V' is Text: vectors of texts")]
    [InlineData("""{"V":{"Vector":{"SourceEmbeddingType":"Half"}}}""", "must be Single, Int8 or Binary")]
    [InlineData(
        """{"V":{"Vector":{"SourceEmbeddingType":"Int8","DestinationEmbeddingType":"Single"}}}""",
        "cannot be kept as Single")]
    [InlineData("""{"V":{"Vector":{"Dimensions":0}}}""", "Dimensions of 'V' must be a number from 1 to 8192")]
    [InlineData("""{"V":{"Vector":{"Dimensions":9000}}}""", "Dimensions of 'V' must be a number from 1 to 8192")]
    [InlineData("""{"V":{"Vector":{"NumberOfEdges":"x"}}}""", "NumberOfEdges of 'V' must be a number from 1 to")]
    [InlineData("""{"V":{"Vector":{"NumberOfEdges":0}}}""", "NumberOfEdges of 'V' must be a number from 1 to 65536")]
    [InlineData("""{"V":{"Vector":{"NumberOfEdges":70000}}}""", "'V' must be a number from 1 to 65536")]
    [InlineData(
        """{"V":{"Vector":{"NumberOfCandidatesForIndexing":-1}}}""",
        "NumberOfCandidatesForIndexing of 'V' must be a number from 1 to 65536")]
    [InlineData("""{"V":{"Vector":5}}""", "'Vector' of 'V' must be an object")]
    public async Task Invalid_vector_options_are_refused(string fields, string says)
    {
        using TestServer server = await VectorHttpTests.WithItemsAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", Body("from i in docs.Items select new { i.V }", fields)))
            .ExpectError(400, says);
    }

    [Fact]
    public async Task LoadVector_is_refused_as_there_is_no_embedding_model()
    {
        using TestServer server = await VectorHttpTests.WithItemsAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", Body(
            "from i in docs.Items select new { V = LoadVector(\"x\", \"task\") }", "{}")))
            .ExpectError(400, "line 1, column 39: 'LoadVector': vectors of texts are made by a language model");
    }

    private static async Task PutAsync(TestServer server, string map, string fields) =>
        (await server.SendAsync("PUT", "~/admin/indexes", Body(map, fields))).Expect(HttpStatusCode.Created);

    private static string Body(string map, string fields) => $$"""
        {"Indexes":[{"Name":"Mine","Maps":[{{JsonValue.Create(map).ToJsonString()}}],"Fields":{{fields}} }]}
        """;
}
