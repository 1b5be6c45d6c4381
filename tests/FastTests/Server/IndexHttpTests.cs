using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Indexes over HTTP: made, changed, paused, broken, reset, deleted.</summary>
public sealed class IndexHttpTests
{
    private const string ByName = """
        {"Indexes":[{"Name":"Users/ByName","Maps":["map('Users', u => ({ Name: u.Name, Age: u.Age, Text: u.Text }))"],
         "Fields":{"Text":{"Indexing":"Search"},"Name":{"Storage":"Yes"}}}]}
        """;

    [Fact]
    public async Task A_static_index_answers_queries_and_is_listed_with_its_statistics()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        HttpAnswer put = await server.SendAsync("PUT", "~/admin/indexes", ByName);
        Assert.Equal("Users/ByName", (string?)put.Expect(HttpStatusCode.Created).Json["Results"]![0]!["Index"]);
        JsonNode answer = await QueryHttpTests.QueryAsync(
            server, "from index 'Users/ByName' where search(Text, 'fox') and Age > 30");
        Assert.Equal(["users/bert"], QueryHttpTests.Ids(answer));
        answer = await QueryHttpTests.QueryAsync(
            server, "from index 'users/byname' where Name = 'anna' select Name, Address.City as City");
        Assert.Equal("Rome", (string?)answer["Results"]![0]!["City"]);

        JsonNode got = (await server.SendAsync("GET", "~/indexes?name=Users/ByName")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("JavaScriptMap", (string?)got["Results"]![0]!["Type"]);
        Assert.Equal("Search", (string?)got["Results"]![0]!["Fields"]!["Text"]!["Indexing"]);
        JsonNode stats = (await server.SendAsync("GET", "~/indexes/stats")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal(3, (int)stats["Results"]![0]!["EntriesCount"]!);
        Assert.Equal(3, (int)stats["Results"]![0]!["MapAttempts"]!);

        JsonNode record = (await server.SendAsync("GET", "/admin/databases?name=db")).Json;
        Assert.Equal(
            got["Results"]![0]!.ToJsonString(), record["Indexes"]!["Users/ByName"]!.ToJsonString());
        Assert.Equal("Users/ByName", record["Indexes"]!.AsObject().Single().Key);
        JsonNode made = record["IndexesHistory"]!["Users/ByName"]!.AsArray().Single()!;
        Assert.Equal(got["Results"]![0]!.ToJsonString(), made["Definition"]!.ToJsonString());
        Assert.True((DateTime)made["CreatedAt"]! > new DateTime(2020, 1, 1));
        JsonNode terms = (await server.SendAsync(
            "GET", "~/indexes/terms?name=Users/ByName&field=Name&pageSize=2")).Json;
        Assert.Equal("[\"anna\",\"bert\"]", terms["Terms"]!.ToJsonString());
        JsonNode overall = (await server.SendAsync("GET", "~/stats")).Json;
        Assert.Equal(1, (int)overall["CountOfIndexes"]!);
        Assert.False((bool)overall["Indexes"]![0]!["IsStale"]!);
    }

    [Fact]
    [Trait("Invariant", "IDXC-2")]
    public async Task A_changed_index_definition_is_built_side_by_side_and_replaces_the_old_index()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", ByName)).Expect(HttpStatusCode.Created);
        await QueryHttpTests.QueryAsync(server, "from index 'Users/ByName'");
        string changed = ByName.Replace("Age: u.Age", "Years: u.Age", StringComparison.Ordinal);
        (await server.SendAsync("PUT", "~/admin/indexes", changed)).Expect(HttpStatusCode.Created);
        await Deadline.UntilAsync(async () =>
        {
            JsonNode names = (await server.SendAsync("GET", "~/indexes?namesOnly=true")).Json["Results"]!;
            JsonNode answer = await QueryHttpTests.QueryAsync(server, "from index 'Users/ByName' where Years > 30");
            return names.AsArray().Count == 1 && QueryHttpTests.Ids(answer) is ["users/bert"];
        });
        (await server.SendAsync("DELETE", "~/indexes?name=Users/ByName")).Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("GET", "~/indexes?name=Users/ByName")).Expect(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task A_paused_index_answers_as_stale_and_catches_up_when_it_is_resumed()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        const string query = "from Users where Age > 30";
        await QueryHttpTests.QueryAsync(server, query);
        (await server.SendAsync("POST", "~/admin/indexes/stop")).Expect(HttpStatusCode.NoContent);
        await server.PutAsync("users/dora", """{"Age":35,"@metadata":{"@collection":"Users"}}""");
        JsonNode stale = await QueryHttpTests.QueryAsync(server, query);
        Assert.True((bool)stale["IsStale"]!);
        Assert.Equal(["users/bert"], QueryHttpTests.Ids(stale));
        HttpAnswer refused = await server.SendAsync(
            "POST", "~/queries",
            $$"""{"Query":"{{query}}","WaitForNonStaleResults":true,"WaitForNonStaleResultsTimeout":"00:00:00.05"}""");
        Assert.Equal("System.TimeoutException", (string?)refused.ExpectError(400, "non stale").Json["Type"]);

        // The client for Node.js says it in milliseconds.
        refused = await server.SendAsync(
            "POST", "~/queries",
            $$"""{"Query":"{{query}}","WaitForNonStaleResults":true,"WaitForNonStaleResultsTimeout":40}""");
        refused.ExpectError(400, "stands still, and a wait of 00:00:00.0400000");
        (await server.SendAsync("POST", "~/admin/indexes/start")).Expect(HttpStatusCode.NoContent);
        JsonNode fresh = await QueryHttpTests.QueryAsync(server, query);
        Assert.False((bool)fresh["IsStale"]!);
        Assert.Equal(2, QueryHttpTests.Ids(fresh).Length);
    }

    [Fact]
    public async Task Documents_whose_map_throws_are_listed_as_errors_and_too_many_of_them_stop_the_index()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Bad","Maps":[
                "map('Users', u => { if (u.Bad) { throw new Error('no ' + u.Bad); } return { Age: u.Age }; })"]}]}
            """)).Expect(HttpStatusCode.Created);
        await server.PutAsync("users/bad", """{"Bad":"way","@metadata":{"@collection":"Users"}}""");
        Assert.Equal(3, QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, "from index 'Bad'")).Length);
        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors?name=Bad")).Json["Results"]![0]!["Errors"]!;
        Assert.Equal("users/bad", (string?)Assert.Single(errors.AsArray())!["Document"]);
        Assert.Contains("no way", (string?)errors[0]!["Error"], StringComparison.Ordinal);

        string documents = string.Join(',', Enumerable.Range(0, 120).Select(i =>
            $$$"""
            {"Type":"PUT","Id":"users/b{{{i}}}","Document":{"Bad":"{{{i}}}","@metadata":{"@collection":"Users"} } }
            """));
        (await server.SendAsync("POST", "~/bulk_docs", $$"""{"Commands":[{{documents}}]}"""))
            .Expect(HttpStatusCode.Created);
        JsonNode stopped = await QueryHttpTests.QueryAsync(server, "from index 'Bad'");
        await Deadline.UntilAsync(async () => (string?)(await server.SendAsync("GET", "~/indexes/stats?name=Bad"))
            .Json["Results"]![0]!["State"] == "Error");
        Assert.Equal(3, QueryHttpTests.Ids(stopped).Length);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_document_whose_group_key_is_too_deep_is_an_error_and_other_groups_are_complete()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        string deep = string.Concat(Enumerable.Repeat("{\"A\":", 100)) + "1" + new string('}', 100);
        await server.PutAsync("users/deep", $$$"""{"Age":{{{deep}}},"@metadata":{"@collection":"Users"}}""");
        JsonNode groups = await QueryHttpTests.QueryAsync(server, "from Users group by Age select Age, count()");
        Assert.Equal(2, groups["Results"]!.AsArray().Count);
        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors")).Json["Results"]![0]!["Errors"]!;
        Assert.Equal("users/deep", (string?)Assert.Single(errors.AsArray())!["Document"]);
        await server.PutAsync("users/deep", """{"Age":30,"@metadata":{"@collection":"Users"}}""");
        groups = await QueryHttpTests.QueryAsync(
            server, "from Users group by Age where Age = 30 select Age, count() as Count");
        Assert.Equal(3, (int)groups["Results"]![0]!["Count"]!);
    }

    [Fact]
    [Trait("Invariant", "SINK-2")]
    public async Task A_stored_field_is_projected_at_any_depth_of_nesting()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        string deep = string.Concat(Enumerable.Repeat("{\"A\":", 100)) + "1" + new string('}', 100);
        await server.PutAsync("deep/1", $$$"""{"D":{{{deep}}},"@metadata":{"@collection":"Deep"}}""");
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Deep","Maps":["from d in docs.Deep select new { d.D }"],
             "Fields":{"D":{"Storage":"Yes"}}}]}
            """)).Expect(HttpStatusCode.Created);
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/queries", QueryHttpTests.Body("from index 'Deep' select D"));
        Assert.StartsWith(
            $"{{\"Results\":[{{\"D\":{deep},", answer.Expect(HttpStatusCode.OK).Text, StringComparison.Ordinal);
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body("from Users select facet(id('deep/1'))")))
            .ExpectError(400, "the document 'deep/1' describes no facets");
    }

    [Theory]
    [InlineData("""{"Name":"A","Maps":["map('Users', u => ({"]}""", "line")]
    [InlineData("""{"Name":"","Maps":["map('Users', u => ({}))"]}""", "name")]
    [InlineData("""{"Name":"A","Maps":[]}""", "no map")]
    [InlineData("""{"Name":"A\u0001","Maps":["map('Users', u => ({}))"]}""", "control characters")]
    [InlineData("""{"Name":"Auto/A","Maps":["map('Users', u => ({}))"]}""", "Auto/A")]
    [InlineData("""{"Name":"A","Maps":["map('Users', u => ({}))"],"Fields":{"X":{"Analyzer":"Nope"}}}""", "Nope")]
    public async Task An_invalid_index_definition_is_refused_and_makes_no_index(string definition, string says)
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", $$"""{"Indexes":[{{definition}}]}""")).ExpectError(400, says);
        JsonNode names = (await server.SendAsync("GET", "~/indexes?namesOnly=true")).Json["Results"]!;
        Assert.Empty(names.AsArray());
    }

    [Fact]
    [Trait("Invariant", "REF-1")]
    public async Task A_map_that_reads_other_documents_runs_again_when_they_change()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"ByCity","Maps":[
                "map('Users', u => { const f = load(u.Friend, 'Users'); return { Friend: f ? f.Name : 'none' }; })"]}]}
            """)).Expect(HttpStatusCode.Created);
        const string query = "from index 'ByCity' where Friend = ";
        Assert.Equal(["users/bert"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query + "'anna'")));
        await server.PutAsync("users/anna", """{"Name":"Zoe","@metadata":{"@collection":"Users"}}""");
        Assert.Empty(QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query + "'anna'")));
        Assert.Equal(["users/bert"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query + "'zoe'")));
        (await server.SendAsync("DELETE", "~/docs?id=users/anna")).Expect(HttpStatusCode.NoContent);
        Assert.Equal(
            ["users/bert", "users/carl"],
            QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query + "'none'")).Order());
        await server.PutAsync("users/anna", """{"Name":"Eve","@metadata":{"@collection":"Users"}}""");
        Assert.Equal(["users/bert"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, query + "'eve'")));
    }

    [Fact]
    public async Task Deletions_and_patches_by_query_change_the_documents_that_the_query_finds()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await EndAsync(server, await server.SendAsync(
            "PATCH", "~/queries",
            """
            {"Query":{"Query":"from Users as u where u.Age = $a update { u.Age += $by; }",
                "QueryParameters":{"a":30,"by":5}}}
            """));
        JsonNode older = await QueryHttpTests.QueryAsync(server, "from Users where Age = 35");
        Assert.Equal(["users/anna", "users/carl"], QueryHttpTests.Ids(older).Order());
        JsonNode state = await EndAsync(server, await server.SendAsync(
            "DELETE", "~/queries?allowStale=&details=", """{"Query":"from Users where Age = 35"}"""));
        Assert.Equal(2, (int)state["Result"]!["Processed"]!);
        Assert.Equal(["users/bert"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(server, "from Users")));
        JsonNode failed = await EndAsync(server, await server.SendAsync(
            "PATCH", "~/queries", """{"Query":{"Query":"from Users update { throw new Error('mine'); }"}}"""),
            "Faulted");
        Assert.Contains("mine", (string?)failed["Result"]!["Message"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_automatic_index_is_deleted_after_its_time_and_made_again_by_the_next_query()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(options => options with
        {
            Indexing = options.Indexing with { AutoDeleteAfter = TimeSpan.FromMilliseconds(200) },
        });
        await server.PutAsync("users/1", """{"Age":30,"@metadata":{"@collection":"Users"}}""");
        await FindAsync();
        await Deadline.UntilAsync(async () => (await server.SendAsync("GET", "~/indexes?namesOnly=true"))
            .Json["Results"]!.AsArray().Count == 0);
        await FindAsync();
        return;

        async Task FindAsync()
        {
            JsonNode answer = await QueryHttpTests.QueryAsync(server, "from Users where Age = 30");
            Assert.Equal(["users/1"], QueryHttpTests.Ids(answer));
        }
    }

    [Fact]
    public async Task A_query_after_a_batch_that_waited_for_indexes_finds_its_documents()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await QueryHttpTests.QueryAsync(server, "from Users where Age > 30");
        for (int i = 0; i < 20; i++)
        {
            (await server.SendAsync(
                "POST", "~/bulk_docs?waitForIndexesTimeout=00:00:15&waitForIndexThrow=true",
                $$$"""
                {"Commands":[{"Type":"PUT","Id":"users/n{{{i}}}",
                    "Document":{"Age":{{{100 + i}}},"@metadata":{"@collection":"Users"} } }]}
                """))
                .Expect(HttpStatusCode.Created);
            HttpAnswer now = await server.SendAsync(
                "POST", "~/queries?allowStale=true", $$"""{"Query":"from Users where Age = {{100 + i}}"}""");
            Assert.Single(now.Json["Results"]!.AsArray());
        }
    }

    [Theory]
    [InlineData("waitForIndexesTimeout=soon", "waitForIndexesTimeout")]
    [InlineData("waitForIndexesTimeout=00:00:15&waitForIndexThrow=perhaps", "waitForIndexThrow")]
    [InlineData("waitForIndexesTimeout=00:00:15&waitForSpecificIndex=%ff", "waitForSpecificIndex")]
    public async Task A_batch_with_an_invalid_wait_for_indexes_is_refused_before_it_is_written(
        string query, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(
            "POST", $"~/bulk_docs?{query}", """{"Commands":[{"Type":"PUT","Id":"a","Document":{}}]}""");
        answer.ExpectError(400, says);
        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.NotFound);
    }

    private static async Task<JsonNode> EndAsync(TestServer server, HttpAnswer begun, string status = "Completed")
    {
        long id = (long)begun.Expect(HttpStatusCode.OK).Json["OperationId"]!;
        JsonNode state = null!;
        await Deadline.UntilAsync(async () =>
        {
            state = (await server.SendAsync("GET", $"~/operations/state?id={id}")).Json;
            return (string?)state["Status"] != "InProgress";
        });
        Assert.Equal(status, (string?)state["Status"]);
        return state;
    }

}
