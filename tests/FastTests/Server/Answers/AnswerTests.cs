using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Server.Http.Routing;

namespace FastTests.Server.Answers;

/// <summary>
/// Every member that a client of RavenDB reads of an answer is there, of its type, and in its format: a client that
/// does not find one fails, or shows 0 and false.
/// </summary>
public sealed class AnswerTests(AnswerFixture fixture) : IClassFixture<AnswerFixture>
{
    private const string Docs = "/databases/*/docs";
    private const string Queries = "/databases/*/queries";
    private const string Changes = "/databases/*/changes";
    private const string BulkDocs = "/databases/*/bulk_docs";

    private readonly IReadOnlyDictionary<string, AnswerMember[]> _table = AnswerTable.Read();

    [Fact]
    [Trait("Fault", "E2")]
    public async Task Every_answer_has_all_members_that_clients_read()
    {
        var walker = new AnswerWalker(_table);
        WalkMade(walker);
        foreach ((string method, string path, string variant, string url, string? body) in Calls())
        {
            await WalkAsync(walker, method, path, variant, url, body);
        }

        await WalkBatchAsync(walker);
        await WalkStreamsAsync(walker);
        await WalkChangesAsync(walker);
        await WalkErrorsAsync(walker);
        await WalkDatabasesAsync(walker);
        await new FeatureAnswers(fixture.Server, walker, HeadOf).WalkAsync();
        string[] findings = [.. walker.Findings()];
        Assert.True(findings.Length == 0, string.Join('\n', findings));
    }

    [Fact]
    [Trait("Fault", "A23")]
    public async Task Endpoints_of_clients_that_are_not_served_answer_with_501_and_never_with_404()
    {
        Route[] routes = [.. RouteTable.Default.Routes
            .Where(route => route.Summary.StartsWith("Not served", StringComparison.Ordinal))];
        Assert.NotEmpty(routes);
        foreach (Route route in routes)
        {
            string method = HttpVerbs.Name(route.Verb);
            HttpAnswer answer = await fixture.Server.SendAsync(
                method, route.Path.Replace("*", "db", StringComparison.Ordinal), method == "GET" ? null : "{}");
            answer.ExpectError(501, "is not served by this server");
            Assert.Equal("System.NotSupportedException", (string?)answer.Json["Type"]);
        }
    }

    private IEnumerable<(string Method, string Path, string Variant, string Url, string? Body)> Calls()
    {
        const string included = "counter=likes&cmpxchg=key&include=Boss&timeseries=Heart"
            + "&revisionsBefore=2100-01-01T00:00:00.0000000Z";
        yield return ("GET", Docs, "200;", $"~/docs?id=users/1&id=users/2&{included}", null);
        yield return ("GET", Docs, "200;", "~/docs?startsWith=users/&pageSize=1", null);
        yield return ("GET", Docs, "conditional", "~/docs?id=users/1", null);
        yield return ("POST", Docs, "loading", $"~/docs?{included}", """{"Ids":["users/1","users/2"]}""");
        yield return ("PUT", Docs, "", "~/docs?id=users/4", """{"@metadata":{"@collection":"Users"}}""");
        yield return (
            "PATCH", Docs, "200;", "~/docs?id=users/4&debug=true&test=true", """{"Patch":{"Script":"this.A = 1"}}""");
        yield return ("PATCH", Docs, "200;", "~/docs?id=users/4", """{"Patch":{"Script":"this.A = 1"}}""");
        yield return ("GET", "/databases/*/hilo/next", "", "~/hilo/next?tag=people", null);
        yield return ("GET", "/databases/*/debug/identities", "", "~/debug/identities", null);
        yield return ("GET", "/databases/*/revisions", "", "~/revisions?id=users/1", null);
        yield return ("GET", "/databases/*/revisions/count", "", "~/revisions/count?id=users/1", null);
        yield return ("GET", "/databases/*/revisions/bin", "", "~/revisions/bin", null);
        yield return ("GET", "/databases/*/counters", "", "~/counters?docId=users/1&counter=likes&counter=none", null);
        yield return ("GET", "/databases/*/counters", "", "~/counters?docId=users/1&full=true", null);
        yield return ("GET", "/databases/*/cmpxchg", "", "~/cmpxchg?key=key", null);
        yield return ("DELETE", "/databases/*/cmpxchg", "", "~/cmpxchg?key=none&index=0", null);
        yield return ("GET", "/databases/*/operations/next-operation-id", "", "~/operations/next-operation-id", null);
        foreach (string prefix in new[] { "~", "" })
        {
            string path = $"{(prefix.Length > 0 ? "/databases/*" : "")}/operations/state";
            string ended = $"{prefix}/operations/state?id={fixture.EndedOperation}";
            string failed = $"{prefix}/operations/state?id={fixture.FailedOperation}";
            yield return ("GET", path, "status", ended, null);
            yield return ("GET", path, "status", failed, null);
            yield return ("GET", path, "when Status", failed, null);
        }

        yield return ("POST", "/databases/*/multi_get", "", "~/multi_get",
            """{"Requests":[{"Url":"/databases/db/docs","Query":"?id=users/1"}]}""");
        yield return ("POST", "/databases/*/attachments/bulk", "", "~/attachments/bulk",
            """{"Attachments":[{"DocumentId":"users/1","Name":"a.txt"}]}""");
        foreach ((string Method, string Path, string Variant, string Url, string? Body) call in
            QueryCalls().Concat(IndexCalls()).Concat(ServerCalls()))
        {
            yield return call;
        }
    }

    private static IEnumerable<(string Method, string Path, string Variant, string Url, string? Body)> QueryCalls()
    {
        const string included = "include Boss, counters('likes'), cmpxchg('key'), revisions('2100-01-01'), timings(), "
            + "timeseries('Heart', last(1))";
        yield return ("POST", Queries, "also GET", "~/queries", Query($"from Users where Age > 1 {included}"));
        yield return ("POST", Queries, "also GET", "~/queries?addTimeSeriesNames=true",
            Query("from Users as u select timeseries(from u.Heart) as Heart"));
        yield return ("POST", Queries, "also GET", "~/queries",
            Query("from index 'Users/Map' where search(Text, 'fox') include highlight(Text, 18, 1), explanations()"));
        yield return ("POST", Queries, "also GET", "~/queries", Query("from Users filter Age > 1 select Name"));
        yield return ("POST", Queries, "counters", "~/queries", Query("from Users include counters('likes')"));
        yield return ("POST", Queries, "facet", "~/queries",
            Query("from index 'Users/Map' select facet(Age, sum(Age), min(Age), max(Age), avg(Age))"));
        yield return ("POST", Queries, "facet", "~/queries",
            Query("from index 'Users/Map' select facet(Age < 35, Age >= 35, sum(Age), min(Age), max(Age), avg(Age))"));
        yield return ("POST", Queries, "suggestion", "~/queries",
            Query("from index 'Users/Map' select suggest(Text, 'quik')"));
        yield return ("POST", Queries, "explain", "~/queries?debug=explain", Query("from Users where Unknown = 1"));
        yield return ("DELETE", Queries, "", "~/queries",
            Query("from Users where Name = 'nobody'"));
        yield return ("PATCH", Queries, "", "~/queries",
            """{"Query":{"Query":"from Users where Name = 'nobody' update { this.A = 1; }"}}""");
    }

    private static IEnumerable<(string Method, string Path, string Variant, string Url, string? Body)> IndexCalls()
    {
        const string index = """{"Indexes":[{"Name":"More","Maps":["map('Users', u => ({ Name: u.Name }))"]}]}""";
        yield return ("PUT", "/databases/*/indexes", "", "~/indexes", index);
        yield return ("GET", "/databases/*/indexes", "also", "~/indexes", null);
        yield return ("GET", "/databases/*/indexes", "namesOnly", "~/indexes?namesOnly=true", null);
        yield return ("GET", "/databases/*/indexes/stats", "", "~/indexes/stats", null);
        yield return ("GET", "/databases/*/indexes/status", "", "~/indexes/status", null);
        yield return ("GET", "/databases/*/indexes/errors", "", "~/indexes/errors", null);
        yield return ("GET", "/databases/*/indexes/terms", "", "~/indexes/terms?name=Users/Map&field=Name", null);
        yield return ("POST", "/databases/*/indexes/has-changed", "", "~/indexes/has-changed",
            """{"Name":"More","Maps":["map('Users', u => ({ Name: u.Name }))"]}""");
    }

    private static IEnumerable<(string Method, string Path, string Variant, string Url, string? Body)> ServerCalls()
    {
        foreach (string path in new[]
        {
            "stats", "stats/essential", "stats/detailed", "collections/stats", "collections/stats/detailed",
            "configuration/client", "admin/record",
        })
        {
            yield return ("GET", $"/databases/*/{path}", "", $"~/{path}", null);
        }

        foreach (string url in new[]
        {
            "/configuration/client", "/admin/databases?name=db", "/databases?namesOnly=true", "/topology?name=db",
            "/cluster/topology", "/cluster/node-info", "/build/version", "/admin/logs/configuration",
        })
        {
            yield return ("GET", url.Split('?')[0], "", url, null);
        }

        const string enforce = "admin/revisions/config/enforce";
        yield return ("POST", $"/databases/*/{enforce}", "", $"~/{enforce}", "{}");
        yield return ("POST", "/admin/compact", "", "/admin/compact", """{"DatabaseName":"db","Documents":true}""");
    }

    private static string Query(string text) =>
        new JsonObject { ["Query"] = text, ["WaitForNonStaleResults"] = true }.ToJsonString();

    private string HeadOf(string method, string path, string variant) =>
        _table.Keys.Single(head => (head == $"{method} {path}"
            || head.StartsWith($"{method} {path} | ", StringComparison.Ordinal))
            && head.Contains(variant, StringComparison.Ordinal));

    private async Task WalkAsync(
        AnswerWalker walker, string method, string path, string variant, string url, string? body)
    {
        HttpAnswer answer = await fixture.Server.SendAsync(method, url, body);
        Assert.True(answer.Status is 200 or 201, $"{method} {url}: {answer.Status} {answer.Text}");
        walker.Walk(HeadOf(method, path, variant), First(answer.Bytes));
    }

    /// <summary>The JSON that an answer begins with; bytes of attachments may follow it.</summary>
    private static JsonElement First(byte[] bytes)
    {
        var reader = new Utf8JsonReader(bytes, isFinalBlock: true, default);
        return JsonElement.ParseValue(ref reader);
    }

    /// <summary>The requests that made the database were answered, too.</summary>
    private void WalkMade(AnswerWalker walker)
    {
        foreach ((string method, string url, JsonElement answer) in fixture.Made)
        {
            string path = url.Split('?')[0].Replace("~", "/databases/*", StringComparison.Ordinal);
            walker.Walk(HeadOf(method, path, path == BulkDocs ? "TransactionIndex" : ""), answer);
        }
    }

    private async Task WalkBatchAsync(AnswerWalker walker)
    {
        HttpAnswer wide = await fixture.Server.SendAsync("POST", "~/bulk_docs", """
            {"TransactionMode":"ClusterWide","Commands":[
              {"Type":"CompareExchangePUT","Id":"wide","Document":{"Object":1},"Index":0},
              {"Type":"CompareExchangeDELETE","Id":"nothing","Index":0}]}
            """);
        Assert.True(wide.Status == 201, wide.Text);
        JsonElement all = First(wide.Bytes);
        walker.Walk(HeadOf("POST", BulkDocs, "TransactionIndex"), all);
        WalkEntries(walker, all);
        HttpAnswer batch = await fixture.Server.SendAsync("POST", "~/bulk_docs", """
            {"Commands":[
              {"Type":"PUT","Id":"users/5","Document":{"@metadata":{"@collection":"Users"}}},
              {"Type":"PUT","Id":"users/6","Document":{"@metadata":{"@collection":"Users"}}},
              {"Type":"PATCH","Id":"users/5","Patch":{"Script":"this.A = 1"},"ReturnDocument":true},
              {"Type":"BatchPATCH","Ids":[{"Id":"users/5"}],"Patch":{"Script":"this.B = 1"}},
              {"Type":"AttachmentCOPY","Id":"users/1","Name":"a.txt",
               "DestinationId":"users/5","DestinationName":"b.txt"},
              {"Type":"AttachmentMOVE","Id":"users/5","Name":"b.txt",
               "DestinationId":"users/6","DestinationName":"c.txt"},
              {"Type":"AttachmentDELETE","Id":"users/6","Name":"c.txt"},
              {"Type":"Counters","Id":"users/5","Counters":{"DocumentId":"users/5","Operations":[
                {"Type":"Increment","CounterName":"likes","Delta":1}]}},
              {"Type":"ForceRevisionCreation","Id":"plain/1"},
              {"Type":"TimeSeries","Id":"users/5","TimeSeries":{"Name":"Heart","Appends":[
                {"Timestamp":"2026-01-01T00:00:00.0000000Z","Values":[1]}]}},
              {"Type":"TimeSeriesCopy","Id":"users/5","Name":"Heart","DestinationId":"users/6",
               "DestinationName":"Heart"},
              {"Type":"DELETE","Id":"users/6"}]}
            """);
        Assert.True(batch.Status == 201, batch.Text);
        WalkEntries(walker, First(batch.Bytes));
        using var parts = new MultipartFormDataContent
        {
            { new StringContent("""
                {"Commands":[{"Type":"AttachmentPUT","Id":"users/5","Name":"d","ContentType":"text/plain"}]}
                """), "main" },
            { new StringContent("bytes"), "d" },
        };
        HttpAnswer put = await fixture.Server.SendAsync("POST", "~/bulk_docs", parts);
        Assert.True(put.Status == 201, put.Text);
        WalkEntries(walker, First(put.Bytes));
    }

    private void WalkEntries(AnswerWalker walker, JsonElement batch)
    {
        foreach (JsonElement entry in batch.GetProperty("Results").EnumerateArray())
        {
            string type = entry.GetProperty("Type").GetString()!;
            string head = _table.Keys.Single(head => head.Contains(BulkDocs, StringComparison.Ordinal)
                && (head.EndsWith($" of Type {type}", StringComparison.Ordinal)
                    || head.Contains($" of Type {type},", StringComparison.Ordinal)));
            walker.Walk(head, First(JsonSerializer.SerializeToUtf8Bytes(new { Results = new[] { entry } })));
        }
    }

    private async Task WalkStreamsAsync(AnswerWalker walker)
    {
        const string query = """{"Query":"from Users"}""";
        await WalkAsync(walker, "POST", "/databases/*/streams/queries", "without", "~/streams/queries", query);
        await WalkAsync(walker, "GET", "/databases/*/streams/docs", "without", "~/streams/docs", null);
        HttpAnswer lines = await fixture.Server.SendAsync("POST", "~/streams/queries?format=jsonl", query);
        string[] two = lines.Text.Split('\n');
        walker.Walk(
            HeadOf("POST", "/databases/*/streams/queries", "jsonl"),
            JsonDocument.Parse($"{two[0][..^1]},{two[1][1..]}").RootElement);
        HttpAnswer documents = await fixture.Server.SendAsync("GET", "~/streams/docs?format=jsonl");
        walker.Walk(HeadOf("GET", "/databases/*/streams/docs", "jsonl"), First(documents.Bytes));
    }

    private async Task WalkChangesAsync(AnswerWalker walker)
    {
        using ChangesClient client = await ChangesClient.ConnectAsync(fixture.Server);
        walker.Walk(HeadOf("GET", Changes, "first message"), Element(client.First));
        foreach (string what in new[]
        {
            "watch-docs", "watch-indexes", "watch-counters", "watch-operations", "watch-all-timeseries",
        })
        {
            walker.Walk(HeadOf("GET", Changes, "Confirm"), Element(await client.WatchAsync(what)));
        }

        await client.SendAsync("""{"CommandId":99,"Command":"nothing"}""");
        await fixture.Server.PutAsync("users/7", "{}");
        await fixture.Server.SendAsync("POST", "~/counters", """
            {"Documents":[{"DocumentId":"users/7","Operations":[{"Type":"Increment","CounterName":"a","Delta":3}]}]}
            """);
        await fixture.Server.SendAsync("POST", "~/timeseries?docId=users/7", """
            {"Name":"Heart","Appends":[{"Timestamp":"2026-01-01T00:00:00.0000000Z","Values":[1]}]}
            """);
        await fixture.Server.SendAsync(
            "PUT", "~/indexes", """{"Indexes":[{"Name":"Newest","Maps":["map('Users', u => ({ Age: u.Age }))"]}]}""");

        await fixture.Server.SendAsync(
            "PATCH", "~/queries", """{"Query":{"Query":"from Users where id() = 'users/7' update { this.A = 1; }"}}""");
        var wanted = new HashSet<string>
        {
            "DocumentChange", "IndexChange", "CounterChange", "OperationStatusChange", "TimeSeriesChange", "Error",
        };
        while (wanted.Count > 0)
        {
            JsonElement message = Element((await client.NextAsync())!);
            string type = message.GetProperty("Type").GetString()!;
            wanted.Remove(type);
            if (_table.Keys.SingleOrDefault(head => head.StartsWith($"GET {Changes}", StringComparison.Ordinal)
                && (head.EndsWith($"Type {type}", StringComparison.Ordinal)
                    || head.Contains($"Type {type} ", StringComparison.Ordinal))) is { } known)
            {
                walker.Walk(known, message);
            }
        }
    }

    private async Task WalkErrorsAsync(AnswerWalker walker)
    {
        HttpAnswer wrong = await fixture.Server.SendAsync("GET", "~/nothing");
        walker.Walk(HeadOf("*", "*", "error answers"), First(wrong.Bytes));
        HttpAnswer conflict = await fixture.Server.SendAsync(
            "PUT", "~/docs?id=users/1", "{}", "If-Match: A:1-AAAAAAAAAAAAAAAAAAAAAA");
        Assert.Equal(409, conflict.Status);
        walker.Walk(HeadOf("*", "*", "409"), First(conflict.Bytes));
    }

    private async Task WalkDatabasesAsync(AnswerWalker walker)
    {
        await WalkAsync(walker, "PUT", "/admin/databases", "", "/admin/databases?name=other", "{}");
        foreach (string way in new[] { "disable", "enable" })
        {
            string path = $"/admin/databases/{way}";
            await WalkAsync(walker, "POST", path, "", path, """{"DatabaseNames":["other"]}""");
        }

        await WalkAsync(
            walker, "DELETE", "/admin/databases", "", "/admin/databases",
            """{"DatabaseNames":["other"],"HardDelete":true}""");
    }

    private static JsonElement Element(JsonNode node) => JsonDocument.Parse(node.ToJsonString()).RootElement;
}
