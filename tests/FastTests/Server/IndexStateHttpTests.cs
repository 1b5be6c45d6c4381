using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Reports on indexes to clients: states, changes, errors and their types.</summary>
public sealed class IndexStateHttpTests
{
    private const string Two = """
        {"Indexes":[{"Name":"A","Maps":["map('Users', u => ({ Age: u.Age }))"]},
         {"Name":"B","Maps":["map('Users', u => ({ Name: u.Name }))"]}]}
        """;

    [Fact]
    [Trait("Fault", "A1")]
    public async Task Indexing_of_a_database_is_paused_only_by_a_call_without_an_index_name()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/admin/indexes/stop")).Expect(HttpStatusCode.NoContent);
        Assert.Equal("Paused", await StatusAsync(server));
        (await server.SendAsync("PUT", "~/indexes", Two)).Expect(HttpStatusCode.Created);
        Assert.Equal("Paused: A Paused, B Paused", await StatusAsync(server, isWhole: true));
        (await server.SendAsync("POST", "~/admin/indexes/start")).Expect(HttpStatusCode.NoContent);
        Assert.Equal("Running: A Running, B Running", await StatusAsync(server, isWhole: true));

        (await server.SendAsync("POST", "~/admin/indexes/stop?name=A")).Expect(HttpStatusCode.NoContent);
        Assert.Equal("Running: A Paused, B Running", await StatusAsync(server, isWhole: true));
        (await server.SendAsync("POST", "~/admin/indexes/stop?name=B")).Expect(HttpStatusCode.NoContent);
        Assert.Equal("Running: A Paused, B Paused", await StatusAsync(server, isWhole: true));
    }

    [Fact]
    public async Task Indexing_of_a_database_that_is_switched_off_stays_so_until_it_is_switched_on()
    {
        string folder = Directory.CreateTempSubdirectory("raven-switched-").FullName;
        Raven.Server.Options.ServerOptions Configure(Raven.Server.Options.ServerOptions options) =>
            options with { RunInMemory = false, DataDirectory = folder };
        using (TestServer server = await TestServer.WithDatabaseAsync(Configure))
        {
            (await server.SendAsync("PUT", "~/indexes", Two)).Expect(HttpStatusCode.Created);
            JsonNode answer = (await server.SendAsync("POST", "/admin/databases/indexing?name=DB&enable=false"))
                .Expect(HttpStatusCode.OK).Json;
            Assert.Equal(
                ("DB", true, true),
                ((string?)answer["Name"], (bool)answer["Success"]!, (bool)answer["Disabled"]!));
            Assert.Equal("Paused: A Paused, B Paused", await StatusAsync(server, isWhole: true));
            (await server.SendAsync("POST", "/admin/databases/indexing?name=none&enable=true"))
                .ExpectError(503, "does not exist");
            (await server.SendAsync("POST", "/admin/databases/indexing?name=db")).ExpectError(400, "'enable'");
        }

        using (var server = new TestServer(Configure))
        {
            Assert.Equal("Paused: A Paused, B Paused", await StatusAsync(server, isWhole: true));
            (await server.SendAsync("POST", "/admin/databases/indexing?name=db&enable=true"))
                .Expect(HttpStatusCode.OK);
            Assert.Equal("Running: A Running, B Running", await StatusAsync(server, isWhole: true));

            // It is a setting of the database, and as such another way to the same.
            (await server.SendAsync("PUT", "~/admin/configuration/settings", """{"indexing.disable":true}"""))
                .Expect(HttpStatusCode.NoContent);
            Assert.Equal("Paused: A Paused, B Paused", await StatusAsync(server, isWhole: true));
        }

        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    [Trait("Fault", "E27")]
    public async Task Changes_of_an_index_are_reported_with_the_types_that_clients_know()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("PUT", "~/indexes", Two)).Expect(HttpStatusCode.Created);
        using ChangesClient changes = await ChangesClient.ConnectAsync(server);
        await changes.WatchAsync("watch-index", "A");
        foreach ((string type, string path, string? body) in new (string, string, string?)[]
        {
            ("PriorityChanged", "~/indexes/set-priority", """{"IndexNames":["A"],"Priority":"Low"}"""),
            ("LockModeChanged", "~/indexes/set-lock", """{"IndexNames":["A"],"Mode":"LockedIgnore"}"""),
            ("IndexPaused", "~/admin/indexes/stop?name=A", null),
            ("IndexDemotedToDisabled", "~/admin/indexes/disable?name=A", null),
        })
        {
            (await server.SendAsync("POST", path, body)).Expect(HttpStatusCode.NoContent);
            JsonNode told = await NextAsync(changes);
            Assert.Equal((type, "A"), ((string?)told["Type"], (string?)told["Name"]));
        }

        // Resuming has no event: the next one reported is what comes after.
        (await server.SendAsync("POST", "~/admin/indexes/enable?name=A")).Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("DELETE", "~/indexes?name=A")).Expect(HttpStatusCode.NoContent);
        Assert.Equal("IndexRemoved", (string?)(await NextAsync(changes))["Type"]);
    }

    [Fact]
    [Trait("Fault", "E35")]
    public async Task An_index_option_without_effect_is_refused_if_its_value_is_unknown()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach ((string option, string message) in new[]
        {
            ("\"DeploymentMode\":\"x\"", "DeploymentMode of the index 'A' must be one of Parallel, Rolling."),
            ("\"ArchivedDataProcessingBehavior\":\"x\"", "must be one of ExcludeArchived, IncludeArchived, Archived"),
            ("\"Fields\":{\"Age\":{\"TermVector\":\"x\"}}", "TermVector of 'Age' of the index 'A' must be"),
        })
        {
            HttpAnswer refused = await PutAsync(server, option);
            Assert.Equal(400, refused.Status);
            Assert.Contains(message, (string?)refused.Json["Message"], StringComparison.Ordinal);
        }
    }

    [Fact]
    [Trait("Fault", "E35")]
    public async Task An_index_option_without_effect_is_updated_when_the_maps_stay_the_same()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await PutAsync(server, "\"DeploymentMode\":\"Parallel\"")).Expect(HttpStatusCode.Created);
        (await PutAsync(
            server, "\"DeploymentMode\":\"Rolling\",\"ArchivedDataProcessingBehavior\":\"ExcludeArchived\""))
            .Expect(HttpStatusCode.Created);
        JsonNode index = (await server.SendAsync("GET", "~/indexes")).Expect(HttpStatusCode.OK).Json["Results"]!
            .AsArray().Single()!;
        Assert.Equal(
            ("Rolling", "ExcludeArchived"),
            ((string?)index["DeploymentMode"], (string?)index["ArchivedDataProcessingBehavior"]));
        JsonNode stats = (await server.SendAsync("GET", "~/indexes/stats?name=A")).Json["Results"]![0]!;
        Assert.Equal("ExcludeArchived", (string?)stats["ArchivedDataProcessingBehavior"]);
    }

    [Fact]
    [Trait("Fault", "E35")]
    public async Task Index_statistics_count_reduces_references_and_output_documents()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", """{"N":1,"Boss":"users/2","@metadata":{"@collection":"Users"}}""");
        await server.PutAsync("users/2", """{"N":2,"@metadata":{"@collection":"Users"}}""");
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[
             {"Name":"Map","Maps":[
             "from u in docs.Users from n in new[] {1,2,3} select new {B = LoadDocument(u.Boss, \"Users\").N, N = n}"]},
             {"Name":"Sum","Maps":["from u in docs.Users select new { K = u.N % 2, C = 1 }"],
              "Reduce":"from r in results group r by r.K into g select new { K = g.Key, C = 1 / (g.Key - 1) }"}]}
            """)).Expect(HttpStatusCode.Created);
        await QueryHttpTests.QueryAsync(server, "from index 'Map'");
        await QueryHttpTests.QueryAsync(server, "from index 'Sum'");
        Assert.Equal(
            ("0 0 0", "  ", 3), CountsOf(await StatsAsync(server, "Map")));
        Assert.Equal(
            ("0 0 0", "2 1 1", 1), CountsOf(await StatsAsync(server, "Sum")));
        await server.PutAsync("users/2", """{"N":4,"@metadata":{"@collection":"Users"}}""");
        JsonNode found = await QueryHttpTests.QueryAsync(server, "from index 'Map' where B = 4 and N = 1");
        Assert.Equal(["users/1"], QueryHttpTests.Ids(found));
        Assert.Equal(
            ("1 1 0", "  ", 3), CountsOf(await StatsAsync(server, "Map")));
    }

    private static async Task<JsonNode> StatsAsync(TestServer server, string name) =>
        (await server.SendAsync("GET", $"~/indexes/stats?name={name}")).Expect(HttpStatusCode.OK).Json["Results"]![0]!;

    private static (string References, string Reduces, int Outputs) CountsOf(JsonNode stats) => (
        $"{stats["MapReferenceAttempts"]} {stats["MapReferenceSuccesses"]} {stats["MapReferenceErrors"]}",
        $"{stats["ReduceAttempts"]} {stats["ReduceSuccesses"]} {stats["ReduceErrors"]}",
        (int)stats["MaxNumberOfOutputsPerDocument"]!);

    private static Task<HttpAnswer> PutAsync(TestServer server, string option) => server.SendAsync(
        "PUT", "~/indexes",
        $$"""{"Indexes":[{"Name":"A","Maps":["map('Users', u => ({ Age: u.Age }))"],{{option}}}]}""");

    [Fact]
    [Trait("Fault", "A13")]
    public async Task A_missing_index_and_a_key_that_is_too_long_are_refused_with_the_types_that_clients_know()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        Expect(
            await server.SendAsync("PUT", "~/indexes", Two.Replace(
                "]}]", "],\"Fields\":{\"Name\":{\"Analyzer\":\"Nope\"}}}]", StringComparison.Ordinal)),
            "Documents.Analyzers.AnalyzerDoesNotExistException", "Cannot find analyzer type 'Nope' for field: Name");
        Expect(
            await server.SendAsync("POST", "~/queries", """{"Query":"from Users order by custom(Name, 'Nope')"}"""),
            "Documents.Sorters.SorterDoesNotExistException", "There is no sorter with 'Nope' name");
        string key = new('k', 600);
        const string tooBig = "CompareExchangeKeyTooBigException";
        Expect(await server.SendAsync("PUT", $"~/cmpxchg?key={key}&index=0", "{\"Object\":1}"), tooBig, "600 bytes");
        string command =
            $"{{\"Type\":\"CompareExchangePUT\",\"Id\":\"{key}\",\"Index\":0,\"Document\":{{\"Object\":1}}}}";
        Expect(
            await server.SendAsync(
                "POST", "~/bulk_docs", $"{{\"Commands\":[{command}],\"TransactionMode\":\"ClusterWide\"}}"),
            tooBig, "cannot exceed 512 bytes");
        foreach ((string method, string path) in new[]
        {
            ("GET", "~/indexes/errors?name=None"), ("DELETE", "~/indexes/errors?name=None"),
            ("GET", "~/indexes/stats?name=None"), ("GET", "~/indexes/staleness?name=None"),
            ("GET", "~/indexes/terms?name=None&field=a"), ("GET", "~/indexes/performance?name=None"),
            ("RESET", "~/indexes?name=None"), ("POST", "~/admin/indexes/stop?name=None"),
            ("POST", "~/admin/indexes/start?name=None"), ("POST", "~/admin/indexes/enable?name=None"),
            ("POST", "~/admin/indexes/disable?name=None"),
        })
        {
            Expect(
                await server.SendAsync(method, path), "Documents.Indexes.IndexDoesNotExistException",
                "There is no index 'None'");
        }

        // Of these clients make an empty answer, as they should.
        (await server.SendAsync("GET", "~/indexes?name=None")).ExpectError(404, "There is no index 'None'");
    }

    [Fact]
    [Trait("Fault", "A13")]
    public async Task A_batch_whose_wait_for_indexes_times_out_reports_it_with_the_words_that_clients_search_for()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/indexes", Two)).Expect(HttpStatusCode.Created);
        (await server.SendAsync("POST", "~/admin/indexes/stop?name=A")).Expect(HttpStatusCode.NoContent);
        JsonNode late = (await server.SendAsync(
            "POST", "~/bulk_docs?waitForIndexesTimeout=00:00:05&waitForIndexThrow=true",
            """
            {"Commands":[{"Type":"PUT","Id":"users/x","Document":{"Age":1,"@metadata":{"@collection":"Users"}}}]}
            """)).Json;
        Assert.Equal("Raven.Client.Exceptions.RavenTimeoutException", (string?)late["Type"]);
        Assert.Contains(
            "indexes has caught up with the changes as of etag: ", (string?)late["Message"], StringComparison.Ordinal);
        Assert.Contains("otal paused indexes: 1", (string?)late["Message"], StringComparison.Ordinal);
        Assert.Single(late["Results"]!.AsArray());
    }

    [Fact]
    [Trait("Fault", "E10")]
    public async Task An_operation_that_allows_stale_results_still_waits_for_an_index_made_for_it()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        JsonNode begun = (await server.SendAsync(
            "DELETE", "~/queries?allowStale=true", """{"Query":"from Users where Age = 40"}""")).Json;
        string path = $"~/operations/state?id={(long)begun["OperationId"]!}";
        JsonNode state;
        do
        {
            state = (await server.SendAsync("GET", path)).Json;
        }
        while ((string?)state["Status"] == "InProgress");
        Assert.Equal("Completed", (string?)state["Status"]);
        Assert.Equal(1, (int)state["Result"]!["Total"]!);
    }

    private static async Task<JsonNode> NextAsync(ChangesClient changes)
    {
        JsonNode told;
        do
        {
            told = (await changes.NextAsync())!;
        }
        while ((string?)told["Type"] != "IndexChange");
        return told["Value"]!;
    }

    private static void Expect(HttpAnswer answer, string type, string says)
    {
        JsonNode error = answer.ExpectError(400, says).Json;
        Assert.Equal($"Raven.Client.Exceptions.{type}", (string?)error["Type"]);
    }

    private static async Task<string> StatusAsync(TestServer server, bool isWhole = false)
    {
        JsonNode status = (await server.SendAsync("GET", "~/indexes/status")).Expect(HttpStatusCode.OK).Json;
        string indexes = string.Join(
            ", ", status["Indexes"]!.AsArray().Select(one => $"{one!["Name"]} {one["Status"]}"));
        return isWhole ? $"{status["Status"]}: {indexes}" : (string)status["Status"]!;
    }
}
