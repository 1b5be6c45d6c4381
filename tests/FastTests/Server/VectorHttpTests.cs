using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Vector search from the documents to the answers, by queries that make their index.</summary>
public sealed class VectorHttpTests
{
    private static readonly (string Condition, string Says)[] Wrong =
    [
        ("vector.search(V, [1, 2, 3])", "column 35: expected a vector of 2 dimensions, as the index has, not of 3"),
        ("vector.search(V)", "column 18: 'vector.search' takes 2 to 4 arguments, not 1"),
        ("vector.search(V, 'no!')", "column 35: expected a vector: A vector is a list of numbers, or the base64"),
        ("vector.search(V, 5)", "column 35: expected a vector: a list of numbers"),
        ("vector.search(V, [])", "column 35: expected a vector: A vector has one number or more"),
        ("vector.search(V, [1, [2]])", "column 35: expected a vector"),
        ("vector.search(V, [1, x])", "column 39: expected a number, a text or a list, found 'x'"),
        ("vector.search(V, [1, 2)", "column 40: expected ']' after the list"),
        ("vector.search(V, [[[1]]])", "column 37: expected numbers: a list of lists"),
        ("vector.search(V, [1, 2], 7)", "column 43: expected a similarity from 0 to 1"),
        ("vector.search(V, [1, 2], 0, 0)", "column 46: expected how many candidates"),
        ("vector.search(V, [1, 2], 0, -5)", "column 46: expected how many candidates"),
        ("vector.search(V, [1, 2], 0, 'ten')", "column 46: expected how many candidates"),
        ("vector.search(V, [1, 1e999])", "column 39: '1e999' is no number"),
        ("vector.search(V, 'AADAfwAAgD8=')", "column 35: expected a vector"),
        ("fuse(vector.search(V, [1, 2]))", "column 18: 'fuse' takes 2 to 16 arguments, not 1"),
        ("fuse(vector.search(V, [1, 2, 3]), Kind = 'x')", "column 40: expected a vector of 2 dimensions"),
        ("fuse(V, Kind)", "column 23: expected a condition"),
        ("vector.search(embedding.text(V), 'a fox')",
            "column 32: 'embedding.text': vectors of texts are made by a language model"),
        ("vector.search(embedding.text_i8(V, ai.task('t')), 'a fox')",
            "column 32: 'embedding.text_i8': vectors of texts"),
        ("vector.search(V, embedding.text('a', ai.task('t')))", "column 35: 'embedding.text': vectors of texts"),
        ("vector.search(5, [1, 2])", "column 32: expected a field, or embedding.f32_i8"),
        ("vector.search(embedding.i9(V), [1, 2])", "column 32: expected a field, or embedding.f32_i8"),
        ("vector.search(embedding.i8(V, V), [1, 2])", "column 32: 'embedding.i8' takes one field"),
        ("vector.search(embedding.i8(Bytes), [1, 2])",
            "column 53: expected a vector: A vector of Int8 has one number or more"),
        ("vector.search(embedding.i8(Bytes), [1.5, 2])",
            "column 53: expected a vector: A vector of Int8 has whole numbers"),
        ("vector.search(V, embedding.forDoc(5))", "column 52: expected the id of a document"),
        ("Kind = [1, 2]", "column 25: expected a value after '=', found '['"),
    ];

    [Fact]
    public async Task A_vector_search_orders_documents_by_similarity_which_is_their_score()
    {
        using TestServer server = await WithItemsAsync();
        JsonNode answer = await QueryHttpTests.QueryAsync(
            server, "from Items where vector.search(V, $p)", """{"p":[1,0.1]}""");
        Assert.Equal(["items/a", "items/many", "items/b"], QueryHttpTests.Ids(answer));
        Assert.Equal("Auto/Items/ByVector.search(V)", (string?)answer["IndexName"]);
        double score = (double)answer["Results"]![0]!["@metadata"]!["@index-score"]!;
        Assert.Equal(1 / Math.Sqrt(1.01), score, 1e-5);
        Assert.Equal(["items/c"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where vector.search(V, [0, 1], 0.9) and Kind = 'y'")));
        Assert.Equal(["items/a", "items/many"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where vector.search(V, [1, 0], null, 2)")).Order(StringComparer.Ordinal));
        Assert.Equal(["items/b"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where Kind = 'x' and exists(Kind) and not exact(vector.search(V, [1, 0], 0.9))")));
        Assert.Equal(["items/c"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where vector.search(V, embedding.forDoc('ITEMS/C')) order by score() limit 1")));
        Assert.Empty(QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where vector.search(V, embedding.forDoc('items/none'))")));
        Assert.Equal(["items/a", "items/many"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where vector.search(V, [1, 0], 0, 9000000000000000000) limit 2"))
            .Order(StringComparer.Ordinal));
    }

    [Fact]
    [Trait("Invariant", "FUSE-1")]
    public async Task A_fusion_orders_by_the_ranks_of_words_and_of_vectors()
    {
        using TestServer server = await WithItemsAsync();
        JsonNode answer = await QueryHttpTests.QueryAsync(
            server, "from Items where fuse(search(Kind, 'y'), vector.search(V, [0, 1])) limit 2");
        Assert.Equal("items/c", QueryHttpTests.Ids(answer)[0]);
        double score = (double)answer["Results"]![0]!["@metadata"]!["@index-score"]!;
        Assert.InRange(score, (1 / 61.0) + (1 / 63.0), (2 / 61.0) + 1e-6);
        Assert.Equal(["items/c"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where fuse(search(Kind, 'y'), vector.search(V, [0, 1])) and Kind = 'y'")));
    }

    [Fact]
    public async Task Vectors_may_be_lists_of_numbers_lists_of_lists_or_base64_in_documents_and_queries()
    {
        using TestServer server = await WithItemsAsync();
        string base64 = Convert.ToBase64String([0, 0, 128, 63, 0, 0, 0, 0]);
        await server.PutAsync(
            "items/base", $$$"""{"V":"{{{base64}}}","Kind":"z","@metadata":{"@collection":"Items"}}""");
        await server.PutAsync(
            "items/raven", """{"V":{"@vector":[1,0]},"Kind":"z","@metadata":{"@collection":"Items"}}""");
        foreach (string value in (string[])["[1,0]", "[[1,0],[1,1e-7]]", $"\"{base64}\"", """{"@vector":[5,0]}"""])
        {
            JsonNode answer = await QueryHttpTests.QueryAsync(
                server, "from Items where vector.search(V, $p, 0.99) and Kind = 'z'", $$"""{"p":{{value}} }""");
            Assert.Equal(["items/base", "items/raven"], QueryHttpTests.Ids(answer).Order(StringComparer.Ordinal));
        }
    }

    [Theory]
    [InlineData("embedding.f32_i8(V)", "[1, 0.1]")]
    [InlineData("embedding.f32_i1(V)", "[1, 0.1]")]
    [InlineData("embedding.i8(Bytes)", "[127, 12, 0, 0, 128, 63]")]
    [InlineData("embedding.i1(Bits)", "[255]")]
    public async Task Quantized_vectors_are_found(string field, string vector)
    {
        using TestServer server = await WithItemsAsync();
        JsonNode answer = await QueryHttpTests.QueryAsync(
            server, $"from Items where vector.search({field}, {vector}, 0.9)");
        Assert.Contains("items/a", QueryHttpTests.Ids(answer));
        Assert.DoesNotContain("items/c", QueryHttpTests.Ids(answer));
    }

    [Fact]
    public async Task A_value_that_is_no_vector_is_an_index_error_and_its_document_is_found_by_other_fields()
    {
        using TestServer server = await WithItemsAsync();
        await server.PutAsync("Items/Odd", """{"V":[1,2,3],"Kind":"odd","@metadata":{"@collection":"Items"}}""");
        await server.PutAsync("Items/Text", """{"V":"?","Kind":"odd","@metadata":{"@collection":"Items"}}""");
        Assert.Empty(QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where vector.search(V, [1, 0]) and Kind = 'odd'")));
        Assert.Equal(2, QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where Kind = 'odd' and exists(Kind) and not vector.search(V, [1, 0])")).Length);
        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors")).Json;
        string[] found = [.. errors["Results"]!.AsArray().SelectMany(index => index!["Errors"]!.AsArray())
            .Select(error => $"{error!["Document"]}: {error["Error"]}").Distinct()];
        Assert.Contains(
            "Items/Odd: 'V': The field 'vector.search(V)' has vectors of 2 dimensions; this one has 3.", found);
        Assert.Contains(
            found, error => error.StartsWith("Items/Text: 'V': A vector is a list", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_document_with_many_wrong_vectors_is_listed_as_one_index_error()
    {
        using TestServer server = await WithItemsAsync();
        string vectors = string.Join(',', Enumerable.Range(0, 3000).Select(i => $"{{\"E\":[1,2,{i}]}}"));
        await server.PutAsync(
            "items/odd", $$"""{"L":[{"E":[1,2]},{{vectors}}],"Kind":"odd","@metadata":{"@collection":"Items"} }""");
        Assert.Equal(["items/odd"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where vector.search(L[].E, [1, 2])")));
        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors")).Json;
        JsonNode error = Assert.Single(
            errors["Results"]!.AsArray().SelectMany(index => index!["Errors"]!.AsArray()))!;
        Assert.Equal("items/odd", (string?)error["Document"]);
    }

    [Theory]
    [InlineData(15, true)]
    [InlineData(16, false)]
    [Trait("Invariant", "SINK-3")]
    public async Task A_vector_of_a_document_behind_sixteen_values_that_are_no_vectors_is_not_read(
        int count, bool isRead)
    {
        using TestServer server = await WithItemsAsync();
        await server.PutAsync("items/first", """{"L":[{"E":[1,2]}],"@metadata":{"@collection":"Items"}}""");
        string wrong = string.Concat(Enumerable.Repeat("{\"E\":[1,2,3]},", count));
        await server.PutAsync(
            "items/odd", $$"""{"L":[{{wrong}}{"E":[1,2]}],"@metadata":{"@collection":"Items"} }""");
        string[] found = QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Items where vector.search(L[].E, [1, 2])"));
        Assert.Equal(isRead ? ["items/first", "items/odd"] : ["items/first"], found.Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(128, true)]
    [InlineData(129, false)]
    public async Task A_search_by_the_vectors_of_a_document_takes_at_most_128_of_them(int count, bool isAllowed)
    {
        using TestServer server = await WithItemsAsync();
        string vectors = string.Join(',', Enumerable.Range(0, count).Select(i => $"[1,{i}]"));
        await server.PutAsync("Items/Long", $$"""{"V":[{{vectors}}],"@metadata":{"@collection":"Items"} }""");
        const string query = "from Items where vector.search(V, embedding.forDoc('Items/Long'))";
        HttpAnswer answer = await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query));
        if (isAllowed)
        {
            Assert.Contains("Items/Long", QueryHttpTests.Ids(answer.Expect(System.Net.HttpStatusCode.OK).Json));
        }
        else
        {
            answer.ExpectError(400, "line 1, column 35: The document 'items/long' has more than 128 vectors");
        }
    }

    [Fact]
    public async Task After_the_first_vector_of_wrong_dimensions_is_corrected_the_next_vector_decides_the_dimensions()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("p/1", """{"E":[1],"@metadata":{"@collection":"Ps"}}""");
        Assert.Single(QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Ps where vector.search(E, [1])")));
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body(
            "from Ps where vector.search(E, [1, 2, 3])"))).ExpectError(400, "correct its document and reset the index");
        await server.PutAsync("p/1", """{"E":[1,2,3],"@metadata":{"@collection":"Ps"}}""");
        await server.PutAsync("p/2", """{"E":[3,2,1],"@metadata":{"@collection":"Ps"}}""");
        Assert.Equal(["p/1", "p/2"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Ps where vector.search(E, [1, 2, 3])")));
        (await server.SendAsync("DELETE", "~/docs?id=p/1")).Expect(System.Net.HttpStatusCode.NoContent);
        (await server.SendAsync("DELETE", "~/docs?id=p/2")).Expect(System.Net.HttpStatusCode.NoContent);
        Assert.Empty(QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
            server, "from Ps where vector.search(E, [1, 2])")));
    }

    [Fact]
    public async Task An_invalid_vector_search_is_refused_with_its_position()
    {
        using TestServer server = await WithItemsAsync();
        await QueryHttpTests.QueryAsync(server, "from Items where vector.search(V, [1, 0])");
        foreach ((string condition, string says) in Wrong)
        {
            HttpAnswer refused = await server.SendAsync(
                "POST", "~/queries", QueryHttpTests.Body($"from Items where {condition}"));
            JsonNode error = refused.ExpectError(400, says).Json;
            Assert.EndsWith("InvalidQueryException", (string?)error["Type"], StringComparison.Ordinal);
        }
    }

    internal static async Task<TestServer> WithItemsAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("items/a", Item("[1, 0]", "x", "[127, 0, 0, 0, 128, 63]", "[255]"));
        await server.PutAsync("items/b", Item("[1, 1]", "x", "[127, 127, 0, 0, 128, 63]", "[240]"));
        await server.PutAsync("items/c", Item("[-1, 3]", "y", "[-127, 127, 0, 0, 128, 63]", "[15]"));
        await server.PutAsync("items/many", Item("[[0, 1], [1, 0.5], [-1, 0]]", "z", "null", "[]"));
        await server.PutAsync("items/none", """{"Kind":"z","@metadata":{"@collection":"Items"}}""");
        return server;
    }

    private static string Item(string vector, string kind, string bytes, string bits) =>
        $$"""
        {"V":{{vector}},"Kind":"{{kind}}","Bytes":{{bytes}},"Bits":{{bits}},"@metadata":{"@collection":"Items"} }
        """;
}
