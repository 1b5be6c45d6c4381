using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Queries over HTTP: what was written before a query arrived is in its answer.</summary>
public sealed class QueryHttpTests
{
    [Theory]
    [InlineData("from Users", "anna bert carl")]
    [InlineData("from users", "anna bert carl")]
    [InlineData("from @all_docs", "anna bert carl 1")]
    [InlineData("from Users where Name = 'anna'", "anna")]
    [InlineData("from Users where Age > 30", "bert")]
    [InlineData("from Users where Age between 30 and 40 order by Age desc", "bert anna carl")]
    [InlineData("from Users order by Name desc", "carl bert anna")]
    [InlineData("from Users order by Name limit 1, 1", "bert")]
    [InlineData("from Users as u where u.Address.City = 'rome'", "anna")]
    [InlineData("from Users where Tags = 'x' order by Name", "anna carl")]
    [InlineData("from Users where Lines[].Product = 'tea'", "bert")]
    [InlineData("from Users where exact(Name = 'Anna')", "anna")]
    [InlineData("from Users where exact(Name = 'anna')", "")]
    [InlineData("from Users where search(Text, 'fox')", "anna bert")]
    [InlineData("from Users where startsWith(Name, 'b')", "bert")]
    [InlineData("from Users where id() = 'USERS/anna'", "anna")]
    [InlineData("from Users where id() in ('users/bert', 'users/none')", "bert")]
    [InlineData("from Users where startsWith(id(), 'users/a')", "anna")]
    [InlineData("from Users where id() = 'users/anna' and Age = 30", "anna")]
    [InlineData("from Users where startsWith(id(), 'Users/') and Age = 30 order by id()", "anna carl")]
    [InlineData("from Users where Name in ('anna', 'carl') order by Name", "anna carl")]
    [InlineData("from @all_docs where Total = 5", "1")]
    public async Task A_query_finds_the_documents_that_were_written_before_it(string query, string expected)
    {
        using TestServer server = await WithUsersAsync();
        JsonNode answer = await QueryAsync(server, query);
        string[] ids = Ids(answer);
        Assert.Equal(
            expected.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(id =>
                id == "1" ? "orders/1" : $"users/{id}"),
            query.Contains("order by", StringComparison.Ordinal)
                ? ids
                : ids.OrderBy(id => id == "orders/1").ThenBy(id => id));
        Assert.False((bool)answer["IsStale"]!);
        Assert.Equal(query.Contains("limit", StringComparison.Ordinal) ? 3 : ids.Length, (int)answer["TotalResults"]!);
    }

    [Fact]
    public async Task A_query_makes_its_automatic_index_and_later_queries_extend_it()
    {
        using TestServer server = await WithUsersAsync();
        Assert.Equal("collection/Users", (string?)(await QueryAsync(server, "from Users"))["IndexName"]);
        JsonNode first = await QueryAsync(server, "from Users where Name = 'anna'");
        Assert.Equal("Auto/Users/ByName", (string?)first["IndexName"]);
        JsonNode second = await QueryAsync(server, "from Users where Age = 30");
        Assert.Equal("Auto/Users/ByAgeAndName", (string?)second["IndexName"]);
        JsonNode third = await QueryAsync(server, "from Users where Name = 'bert' order by Age");
        Assert.Equal("Auto/Users/ByAgeAndName", (string?)third["IndexName"]);
        JsonNode searched = await QueryAsync(server, "from Users where search(Name, 'bert')");
        Assert.Equal("Auto/Users/ByAgeAndSearch(Name)", (string?)searched["IndexName"]);
    }

    [Fact]
    public async Task Groups_are_counted_and_summed_and_follow_changes_of_documents()
    {
        using TestServer server = await WithUsersAsync();
        const string byAge = "from Users group by Age order by Age select Age, count() as Count";
        JsonNode answer = await QueryAsync(server, byAge);
        Assert.Equal([(30, 2), (40, 1)], answer["Results"]!.AsArray().Select(one =>
            ((int)one!["Age"]!, (int)one["Count"]!)));
        Assert.Equal("Auto/Users/ByCountReducedByAge", (string?)answer["IndexName"]);
        await server.PutAsync("users/anna", """{"Age":40,"Points":7,"@metadata":{"@collection":"Users"}}""");
        answer = await QueryAsync(server, byAge);
        Assert.Equal([(30, 1), (40, 2)], answer["Results"]!.AsArray().Select(one =>
            ((int)one!["Age"]!, (int)one["Count"]!)));
        answer = await QueryAsync(server, "from Users group by Age where count() > 1 select Age, sum(Points) as Sum");
        Assert.Equal(7, (int)Assert.Single(answer["Results"]!.AsArray())!["Sum"]!);
    }

    [Fact]
    public async Task Facets_suggestions_and_highlights_are_answered_from_the_index()
    {
        using TestServer server = await WithUsersAsync();
        JsonNode facets = (await QueryAsync(
            server, "from Users select facet(Age, sum(Age)), facet(Age < 35, Age >= 35) as Ranges"))["Results"]!;
        Assert.Equal(["30", "40"], facets[0]!["Values"]!.AsArray().Select(one => (string?)one!["Range"]));
        Assert.Equal([2, 1], facets[0]!["Values"]!.AsArray().Select(one => (int)one!["Count"]!));
        Assert.Equal([60.0, 40.0], facets[0]!["Values"]!.AsArray().Select(one => (double)one!["Sum"]!));
        Assert.Equal("Ranges", (string?)facets[1]!["Name"]);
        Assert.Equal(["Age < 35", "Age >= 35"], facets[1]!["Values"]!.AsArray().Select(one => (string?)one!["Range"]));
        Assert.Equal([2, 1], facets[1]!["Values"]!.AsArray().Select(one => (int)one!["Count"]!));
        JsonNode words = (await QueryAsync(server, "from Users select suggest(Name, 'Ana')"))["Results"]!;
        Assert.Equal("[\"anna\"]", words[0]!["Suggestions"]!.ToJsonString());
        JsonNode found = await QueryAsync(
            server, "from Users where search(Text, 'moon') include highlight(Text, 50, 1)");
        Assert.Contains(
            ">moon</b>", (string?)found["Highlightings"]!["Text"]!["users/bert"]![0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_query_after_an_update_or_deletion_finds_the_new_state()
    {
        using TestServer server = await WithUsersAsync();
        Assert.Equal(["users/bert"], Ids(await QueryAsync(server, "from Users where Age > 30")));
        for (int round = 0; round < 5; round++)
        {
            await server.PutAsync(
                "Users/ANNA", $$$"""{"Name":"A","Age":{{{50 + round}}},"@metadata":{"@collection":"Users"}}""");
            JsonNode answer = await QueryAsync(server, "from Users where Age > 45");
            Assert.Equal(50 + round, (int)Assert.Single(answer["Results"]!.AsArray())!["Age"]!);
            (await server.SendAsync("DELETE", "~/docs?id=users/anna")).Expect(HttpStatusCode.NoContent);
            Assert.Empty(Ids(await QueryAsync(server, "from Users where Age > 45")));
        }
    }

    [Fact]
    public async Task Projections_includes_and_loads_answer_with_the_selected_values()
    {
        using TestServer server = await WithUsersAsync();
        JsonNode answer = await QueryAsync(
            server, "from Users as u where u.Age = 40 load u.Friend as f select u.Name, u.Address.City as City, "
                + "id() as Key, f.Name as FriendName, u.Lines[].Product as Products");
        JsonNode row = Assert.Single(answer["Results"]!.AsArray())!;
        Assert.Equal("Bert", (string?)row["Name"]);
        Assert.Equal("Oslo", (string?)row["City"]);
        Assert.Equal("users/bert", (string?)row["Key"]);
        Assert.Equal("Anna", (string?)row["FriendName"]);
        Assert.Equal("[\"Tea\",\"Rice\"]", row["Products"]!.ToJsonString());
        Assert.True((bool)row["@metadata"]!["@projection"]!);
        Assert.Equal("users/bert", (string?)row["@metadata"]!["@id"]);

        JsonNode scripted = await QueryAsync(
            server,
            "declare function up(t) { return t.toUpperCase(); } from Users as u where u.Age = 40 "
                + "load u.Friend as f select { N: up(u.Name) + $s, F: f.Name, I: id(u) }",
            """{"s":"!"}""");
        row = Assert.Single(scripted["Results"]!.AsArray())!;
        Assert.Equal("BERT!", (string?)row["N"]);
        Assert.Equal("Anna", (string?)row["F"]);
        Assert.Equal("users/bert", (string?)row["I"]);

        JsonNode included = await QueryAsync(server, "from Users where Age = 40 include Friend");
        Assert.Equal("Anna", (string?)included["Includes"]!["users/anna"]!["Name"]);
        JsonNode distinct = await QueryAsync(server, "from Users select distinct Age");
        Assert.Equal([30, 40], distinct["Results"]!.AsArray().Select(one => (int)one!["Age"]!).Order());
    }

    [Fact]
    public async Task Distinct_rows_are_paged_and_counted_by_rows()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string documents = string.Join(',', Enumerable.Range(0, 40).Select(i => $$$"""
            {"Type":"PUT","Id":"items/{{{i}}}","Document":{"A":{{{i % 7}}},"B":1,"@metadata":{"@collection":"Items"} } }
            """));
        (await server.SendAsync("POST", "~/bulk_docs", $$"""{"Commands":[{{documents}}]}"""))
            .Expect(HttpStatusCode.Created);
        List<int> found = [];
        for (int skip = 0; skip < 9; skip += 3)
        {
            JsonNode page = await QueryAsync(
                server, $"from Items where B = 1 order by A as long select distinct A limit {skip}, 3");
            Assert.Equal(7, (int)page["TotalResults"]!);
            found.AddRange(page["Results"]!.AsArray().Select(row => (int)row!["A"]!));
        }

        Assert.Equal(Enumerable.Range(0, 7), found);
    }

    [Fact]
    public async Task A_query_that_the_client_has_the_answer_of_is_answered_with_304_until_a_change()
    {
        using TestServer server = await WithUsersAsync();
        const string body = """{"Query":"from Users where Age = 30"}""";
        HttpAnswer first = await server.SendAsync("POST", "~/queries", body);
        (await server.SendAsync("POST", "~/queries", body, $"If-None-Match: {first.ETag}"))
            .Expect(HttpStatusCode.NotModified);
        await server.PutAsync("users/dora", """{"Age":30,"@metadata":{"@collection":"Users"}}""");
        HttpAnswer second = await server.SendAsync("POST", "~/queries", body, $"If-None-Match: {first.ETag}");
        Assert.Equal(3, second.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray().Count);
    }

    [Fact]
    public async Task A_stream_of_a_query_has_a_line_of_statistics_and_then_one_line_per_result()
    {
        using TestServer server = await WithUsersAsync();
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/streams/queries?format=jsonl", """{"Query":"from Users order by Name"}""");
        string[] lines = answer.Expect(HttpStatusCode.OK).Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(3, (int)JsonNode.Parse(lines[0])!["Stats"]!["TotalResults"]!);
        Assert.Equal(
            ["Anna", "Bert", "Carl"], lines[1..].Select(line => (string?)JsonNode.Parse(line)!["Item"]!["Name"]));
    }

    [Theory]
    [InlineData("from Users where", "line 1, column 17")]
    [InlineData("from Users where Age = $p", "'$p'")]
    [InlineData("from Users where frob(Age)", "'frob'")]
    [InlineData("from Users limit $p", "'$p'")]
    [InlineData("from Users select count()", "expected a field to project")]
    [InlineData("from Users as u select { A: nothing.c }", "ReferenceError")]
    [InlineData("from Users update { this.A = 1 }", "PATCH")]
    public async Task An_invalid_query_is_refused_with_400_and_the_reason(string query, string says)
    {
        using TestServer server = await WithUsersAsync();
        (await server.SendAsync("POST", "~/queries", Body(query))).ExpectError(400, says);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_query_of_a_missing_index_is_answered_with_404()
    {
        using TestServer server = await WithUsersAsync();
        HttpAnswer answer = await server.SendAsync("POST", "~/queries", Body("from index 'None'"));
        answer.ExpectError(404, "There is no index 'None'");
        Assert.EndsWith("IndexDoesNotExistException", (string?)answer.Json["Type"], StringComparison.Ordinal);
    }

    internal static async Task<TestServer> WithUsersAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/anna", """
            {"Name":"Anna","Age":30,"Address":{"City":"Rome"},"Tags":["x","y"],"Text":"the red fox",
             "@metadata":{"@collection":"Users"}}
            """);
        await server.PutAsync("users/bert", """
            {"Name":"Bert","Age":40,"Address":{"City":"Oslo"},"Friend":"users/anna",
             "Lines":[{"Product":"Tea"},{"Product":"Rice"}],"Text":"a fox and a moon",
             "@metadata":{"@collection":"Users"}}
            """);
        await server.PutAsync("users/carl", """
            {"Name":"Carl","Age":30,"Tags":["x"],"Text":"nothing","@metadata":{"@collection":"Users"}}
            """);
        await server.PutAsync("orders/1", """{"Total":5,"@metadata":{"@collection":"Orders"}}""");
        return server;
    }

    internal static async Task<JsonNode> QueryAsync(TestServer server, string query, string parameters = "{}") =>
        (await server.SendAsync("POST", "~/queries", Body(query, parameters))).Expect(HttpStatusCode.OK).Json;

    internal static string[] Ids(JsonNode answer) =>
        [.. answer["Results"]!.AsArray().Select(one => (string)one!["@metadata"]!["@id"]!)];

    internal static string Body(string query, string parameters = "{}") =>
        $$"""{"Query":{{JsonSerializer.Serialize(query)}},"QueryParameters":{{parameters}}}""";
}
