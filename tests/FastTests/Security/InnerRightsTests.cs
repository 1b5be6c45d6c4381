using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Operations;

namespace FastTests.Security;

/// <summary>What needs more than the right of its route: the handler looks closer.</summary>
public sealed class InnerRightsTests(SecuredServer secured) : IClassFixture<SecuredServer>
{
    [Theory]
    [InlineData("R", "red")]
    [InlineData("K", "red")]
    [InlineData("M", "")]
    [InlineData("O", "blue,db,red")]
    [Trait("Security", "25")]
    public void Only_the_databases_that_a_caller_may_read_are_listed(string caller, string expected)
    {
        foreach (string query in new[] { "?namesOnly=true", "" })
        {
            InMemoryRequest answer = secured.Send(caller, "GET", "/databases" + query);
            IEnumerable<string> names = Json(answer)["Databases"]!.AsArray()
                .Select(one => one is JsonValue ? (string)one! : (string)one!["Name"]!);
            Assert.Equal(expected, string.Join(',', names.Order()));
        }
    }

    [Fact]
    [Trait("Security", "25")]
    public void The_topology_of_a_database_is_for_those_who_may_read_it()
    {
        Assert.Equal(200, secured.Send("R", "GET", "/topology?name=red").StatusCode);
        AssertForbidden(secured.Send("R", "GET", "/topology?name=blue"), "Read", "blue");
        AssertForbidden(secured.Send("R", "GET", "/topology?name=none"), "Read", "none");
        Assert.Equal(503, secured.Send("O", "GET", "/topology?name=none").StatusCode);
    }

    [Fact]
    [Trait("Security", "97")]
    [Trait("Row", "97")]
    public void An_operation_is_for_who_started_it_and_for_administrators()
    {
        const string revert = """{"Time":"2026-11-20T00:00:00.0000000Z","WindowInSec":1}""";
        InMemoryRequest started = secured.Send("A", "POST", "/databases/red/revisions/revert", revert);
        Assert.True(started.StatusCode == 200, started.Answer);
        long id = (long)Json(started)["OperationId"]!;
        RunningOperation operation = secured.Server.State.Operations.Find("red", id)!;
        Assert.NotNull(operation.Starter);
        string state = $"/databases/red/operations/state?id={id}";
        Assert.Equal(200, secured.Send("A", "GET", state).StatusCode);
        AssertForbidden(secured.Send("W", "GET", state), "Admin", "red");
        AssertForbidden(secured.Send("W", "POST", $"/databases/red/operations/kill?id={id}"), "Admin", "red");
        Assert.Equal(200, secured.Send("A", "GET", $"/operations/state?id={id}").StatusCode);
        Assert.Equal(403, secured.Send("W", "GET", $"/operations/state?id={id}").StatusCode);
        Assert.Equal(200, secured.Send("O", "GET", $"/operations/state?id={id}").StatusCode);
        Assert.Equal(404, secured.Send("W", "GET", "/operations/state?id=999999").StatusCode);
    }

    [Fact]
    [Trait("Security", "97")]
    [Trait("Row", "97")]
    public void Who_may_only_read_forbids_no_operation_of_others_that_is_to_come()
    {
        OperationRegistry operations = secured.Server.State.Operations;
        Assert.Equal(400, secured.Send("R", "POST", "/databases/red/operations/kill?id=7001").StatusCode);
        Assert.Null(operations.Find("red", 7001));
        Assert.Equal(400, secured.Send("W", "POST", "/databases/red/operations/kill?id=7002").StatusCode);
        Assert.Equal(OperationStatus.Canceled, operations.Find("red", 7002)!.State.Status);
    }

    [Theory]
    [InlineData("Indexing.MapBatchSize", 204)]
    [InlineData("Security.Certificate.Path", 400)]
    [InlineData("Indexing.Static.Exec", 400)]
    [InlineData("DataDir", 400)]
    [InlineData("Indexing.TempPath", 400)]
    [InlineData("Indexing.CSharp", 400)]
    [InlineData("Logs.Path", 400)]
    [InlineData("Something.Else", 400)]
    [InlineData("key", 400)]
    [Trait("Security", "18")]
    public void A_database_is_given_settings_of_a_database_only(string key, int status)
    {
        string body = $$"""{"{{key}}":"1"}""";
        string before = Record();
        foreach (string caller in new[] { "A", "O" })
        {
            InMemoryRequest answer = secured.Send(caller, "PUT", "/databases/red/admin/configuration/settings", body);
            Assert.True(answer.StatusCode == status, answer.Answer);
        }

        if (status != 204)
        {
            Assert.Equal(before, Record());
        }

        string Record() => secured.Send("A", "GET", "/databases/red/admin/record").Answer;
    }

    [Fact]
    [Trait("Security", "18")]
    public void A_record_has_no_settings_of_the_server()
    {
        InMemoryRequest answer = secured.Send(
            "O", "PUT", "/admin/databases?name=green",
            """{"DatabaseName":"green","Settings":{"Security.Certificate.Path":"/etc/passwd"}}""");
        Assert.Equal(400, answer.StatusCode);
        Assert.False(secured.Server.State.Databases.TryGet("green", out _));
    }

    [Fact]
    [Trait("Security", "18")]
    public void No_other_way_sets_for_a_database_what_belongs_to_the_server()
    {
        const string settings =
            """{"Security.Certificate.Load.Exec":"/bin/sh","DataDir":"/","Logs.Path":"/x","Indexing.TempPath":"/"}""";
        string body = $"{{\"DatabaseName\":\"red\",\"Settings\":{settings}}}";
        string before = Record();
        InMemoryRequest update = secured.Request(secured.Caller("O"), "PUT", "/admin/databases?name=red", body);
        update.Request["ETag"] = $"{Json(secured.Send("O", "GET", "/admin/databases?name=red"))["Etag"]}";
        Assert.Equal(400, secured.Server.Send(update));
        foreach ((string method, string target, int ofOperator) in new[]
        {
            ("PUT", "/admin/databases?name=red", 400), ("POST", "/admin/restore/database", 400),
            ("PUT", "/admin/configuration/server-wide/backup", 400),
        })
        {
            Assert.Equal(403, secured.Send("A", method, target, body).StatusCode);
            Assert.Equal(ofOperator, secured.Send("O", method, target, body).StatusCode);
        }

        foreach (string caller in new[] { "A", "O" })
        {
            Assert.Equal(
                501, secured.Send(caller, "PUT", "/databases/red/admin/queue-sink", body).StatusCode);
            Assert.Equal(501, secured.Send(caller, "PUT", "/databases/red/admin/connection-strings", body).StatusCode);
        }

        Assert.Equal(before, Record());

        string Record() => secured.Send("O", "GET", "/admin/databases?name=red").Answer;
    }

    [Theory]
    [InlineData("""{"Name":"js","Maps":["map('Docs', d => { return { X: d.X }; })"]}""", "W", 201)]
    [InlineData("""{"Name":"cs","Maps":["from d in docs select new { d.X }"]}""", "W", 403)]
    [InlineData("""{"Name":"more","Maps":["map('Docs', d => { return { X: one() }; })"],""" +
        """ "AdditionalSources":{"a":"function one() { return 1; }"}}""", "W", 403)]
    [InlineData("""{"Name":"more","Maps":["map('Docs', d => { return { X: one() }; })"],""" +
        """ "AdditionalSources":{"a":"function one() { return 1; }"}}""", "A", 201)]
    [Trait("Security", "30")]
    public void Who_may_write_documents_puts_indexes_in_JavaScript_alone(string index, string caller, int status)
    {
        InMemoryRequest answer = secured.Send(
            caller, "PUT", "/databases/red/indexes", $$"""{"Indexes":[{{index}}]}""");
        Assert.True(answer.StatusCode == status, answer.Answer);
        string name = (string)JsonNode.Parse(index)!["Name"]!;
        Assert.Equal(status == 201, secured.Server.State.Databases.TryGet("red", out Database? red)
            && red.Indexes.Find(name) is not null);
        foreach (string method in new[] { "DELETE", "RESET" })
        {
            AssertForbidden(secured.Send("W", method, $"/databases/red/indexes?name={name}"), "Admin", "red");
        }

        secured.Send("A", "DELETE", $"/databases/red/indexes?name={name}");
    }

    [Fact]
    [Trait("Security", "30")]
    public void Who_may_write_documents_puts_no_index_at_all_if_an_option_says_so_and_locks_none()
    {
        using var strict = new SecuredServer(
            routes: null, configureServer: options => options with { RequiresAdminForJavaScriptIndexes = true });
        const string index = """{"Indexes":[{"Name":"js","Maps":["map('Docs', d => { return { X: d.X }; })"]}]}""";
        AssertForbidden(strict.Send("W", "PUT", "/databases/red/indexes", index), "Admin", "red");
        Assert.True(strict.Server.State.Databases.TryGet("red", out Database? red));
        Assert.Empty(red.Indexes.All);
        Assert.Equal(201, strict.Send("A", "PUT", "/databases/red/indexes", index).StatusCode);
        foreach ((string route, string body) in new[]
        {
            ("set-lock", """{"IndexNames":["js"],"Mode":"LockedError"}"""),
            ("set-priority", """{"IndexNames":["js"],"Priority":"High"}"""),
        })
        {
            AssertForbidden(strict.Send("W", "POST", $"/databases/red/indexes/{route}", body), "Admin", "red");
        }

        Assert.Equal(IndexLockMode.Unlock, red.Indexes.Find("js")!.Definition.LockMode);
    }

    [Fact]
    [Trait("Security", "28")]
    public void Who_may_only_read_changes_no_counter_though_most_operations_are_reads()
    {
        Assert.Equal(201, secured.Send("W", "PUT", "/databases/red/docs?id=counted", "{}").StatusCode);
        string get = """{"Type":"Get","CounterName":"likes"}""";
        string gets = string.Join(',', Enumerable.Repeat(get, 50));
        Assert.Equal(200, Post("R", gets).StatusCode);
        foreach (string change in new[]
        {
            """{"Type":"Increment","CounterName":"likes","Delta":1}""",
            """{"Type":"Put","CounterName":"x","Delta":1}""",
            """{"Type":"Delete","CounterName":"likes"}""",
        })
        {
            AssertForbidden(Post("R", $"{gets},{change}"), "ReadWrite", "red");
        }

        InMemoryRequest none = secured.Send("R", "GET", "/databases/red/counters?docId=counted&counter=likes");
        Assert.Contains("[null]", none.Answer, StringComparison.Ordinal);
        Assert.Equal(200, Post("W", """{"Type":"Increment","CounterName":"likes","Delta":1}""").StatusCode);

        InMemoryRequest Post(string caller, string operations) => secured.Send(
            caller, "POST", "/databases/red/counters",
            $$"""{"Documents":[{"DocumentId":"counted","Operations":[{{operations}}]}]}""");
    }

    [Fact]
    [Trait("Security", "26")]
    public void Each_request_of_a_multi_get_is_gated_by_itself()
    {
        Assert.Equal(201, secured.Send("W", "PUT", "/databases/red/docs?id=seen", """{"X":1}""").StatusCode);
        InMemoryRequest answer = secured.Send("R", "POST", "/databases/red/multi_get", """
            {"Requests":[
              {"Url":"/databases/red/docs","Query":"?id=seen"},
              {"Url":"/databases/red/docs","Query":"?id=seen","Method":"DELETE"},
              {"Url":"/databases/red/queries","Method":"PATCH","Content":"{}"},
              {"Url":"/admin/databases","Query":"?name=red"},
              {"Url":"/databases/red/admin/analyzers"},
              {"Url":"/databases/blue/docs","Query":"?id=a"},
              {"Url":"http://127.0.0.1/databases/red/docs"},
              {"Url":"/databases/red/multi_get","Method":"POST","Content":"{}"},
              {"Url":"/databases/red/docs","Query":"?id=seen"}]}
            """);
        Assert.Equal(
            [200, 400, 400, 400, 403, 400, 404, 400, 200],
            Json(answer)["Results"]!.AsArray().Select(one => (int)one!["StatusCode"]!));
        Assert.Equal(200, secured.Send("R", "GET", "/databases/red/docs?id=seen").StatusCode);
    }

    [Theory]
    [InlineData("POST", "/databases/red/bulk_docs")]
    [InlineData("POST", "/databases/red/bulk_insert")]
    [InlineData("PUT", "/databases/red/docs?id=a")]
    [InlineData("PATCH", "/databases/red/queries")]
    [Trait("Security", "27")]
    [Trait("Security", "28")]
    public void A_write_of_who_may_only_read_is_refused_before_its_body_is_read(string method, string target)
    {
        InMemoryRequest answer = secured.Send("R", method, target, """{"Commands":[{"Type":"DELETE","Id":"seen"}]}""");
        AssertForbidden(answer, "ReadWrite", "red");
        Assert.False(answer.WasBodyRead);
    }

    private static void AssertForbidden(InMemoryRequest answer, string right, string database)
    {
        Assert.True(answer.StatusCode == 403, answer.Answer);
        JsonNode error = Json(answer);
        Assert.Contains("AuthorizationException", (string)error["Type"]!, StringComparison.Ordinal);
        Assert.Contains($"the right {right} to the database '{database}'", (string)error["Message"]!,
            StringComparison.Ordinal);
    }

    private static JsonNode Json(InMemoryRequest answer) => JsonNode.Parse(answer.Answer)!;
}
