using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Documents;
using Raven.Documents.Rows;

namespace FastTests.Server;

/// <summary>Compaction over HTTP: everything stays, the file shrinks, and requests continue.</summary>
public sealed class CompactionHttpTests
{
    private const string Compact = """{"DatabaseName":"db","Documents":true}""";

    private static readonly string[] Everything =
    [
        "~/docs?pageSize=1000", "~/docs?startsWith=users/&pageSize=1000", "~/stats/detailed",
        "~/collections/stats/detailed",
        "~/revisions?id=users/1", "~/revisions/bin", "~/counters?docId=users/2", "~/cmpxchg?startsWith=",
        "~/debug/identities", "~/revisions/config", "~/expiration/config", "~/streams/docs?format=jsonl",
        "~/attachments?id=users/3&name=note", "/admin/databases?name=db",
    ];

    [Fact]
    public async Task After_a_compaction_the_whole_database_is_there_and_its_file_is_smaller()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await FillAsync(server);
        string[] before = await AllAsync(server);
        JsonNode state = await CompactAsync(server);
        Assert.Equal("Completed", (string?)state["Status"]);
        Assert.True((long)state["Progress"]!["Processed"]! > 0);
        double after = (double)state["Result"]!["SizeAfterCompactionInMb"]!;
        Assert.True(after * 2 < (double)state["Result"]!["SizeBeforeCompactionInMb"]!, state.ToJsonString());
        Assert.Equal(before, await AllAsync(server));

        await server.PutAsync("users/1", """{"New":1,"@metadata":{"@collection":"Users"}}""");
        await server.SendAsync("DELETE", "~/docs?id=users/3");
        await server.AssertServesAsync();
        Assert.Equal("Completed", (string?)(await CompactAsync(server))["Status"]);
        (await server.SendAsync("GET", "~/attachments?id=users/3&name=note")).ExpectError(404, "note");
    }

    [Fact]
    [Trait("Invariant", "DB-2")]
    public async Task Changes_during_a_compaction_wait_and_none_of_them_is_lost()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("counted", "{}");
        bool isDone = false;
        Task<int>[] writers = [.. Enumerable.Range(0, 4).Select(number => Task.Run(async () =>
        {
            int written = 0;
            for (; !Volatile.Read(ref isDone); written++)
            {
                await server.PutAsync($"w{number}/{written}", "{}");
                (await server.SendAsync(
                    "POST", "~/counters", """
                    {"Documents":[{"DocumentId":"counted",
                        "Operations":[{"Type":"Increment","CounterName":"n","Delta":1}]}]}
                    """)).Expect(HttpStatusCode.OK);
                (await server.SendAsync("GET", $"~/docs?id=w{number}/{written}")).Expect(HttpStatusCode.OK);
            }

            return written;
        }))];
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal("Completed", (string?)(await CompactAsync(server))["Status"]);
        }

        Volatile.Write(ref isDone, true);
        int[] counts = await Task.WhenAll(writers);
        JsonNode counters = (await server.SendAsync("GET", "~/counters?docId=counted")).Json;
        Assert.Equal(counts.Sum(), (int)counters["Counters"]![0]!["TotalValue"]!);
        Assert.Equal(counts.Sum() + 1, (int)(await server.SendAsync("GET", "~/stats")).Json["CountOfDocuments"]!);
    }

    [Fact]
    public async Task An_upload_that_runs_during_a_compaction_is_completed_in_the_copy()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        string half = new('x', 500_000);
        using var connection = new RawConnection(server.Port);
        connection.Send(
            "PUT /databases/db/attachments?id=a&name=big HTTP/1.1\r\n"
            + "Host: localhost\r\nContent-Length: 1000000\r\n\r\n");
        connection.Send(half);
        await Deadline.UntilAsync(() => HasUpload(server));
        Assert.Equal("Completed", (string?)(await CompactAsync(server))["Status"]);
        connection.Send(half);
        Assert.Equal(201, connection.Receive().Status);
        HttpAnswer answer = await server.SendAsync("GET", "~/attachments?id=a&name=big");
        Assert.Equal(half + half, answer.Expect(HttpStatusCode.OK).Text);
    }

    [Fact]
    [Trait("Invariant", "IDXP-1")]
    public async Task An_index_continues_at_its_position_after_its_compaction()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Users/Ages",
                "Maps":["from u in docs.Users select new { u.Age, Friend = LoadDocument(u.Friend, \"Users\").Name }"]},
             {"Name":"Users/Counts","Maps":["from u in docs.Users select new { u.Age, N = 1 }"],
                "Reduce":"from r in results group r by r.Age into g select new { Age = g.Key, N = g.Sum(x => x.N) }"}]}
            """)).Expect(HttpStatusCode.Created);
        await QueryHttpTests.QueryAsync(server, "from index 'Users/Ages' where Age = 30");
        (await server.SendAsync("DELETE", "~/docs?id=users/carl")).Expect(HttpStatusCode.NoContent);
        await QueryHttpTests.QueryAsync(server, "from index 'Users/Counts' where Age = 30");
        JsonNode before = (await server.SendAsync("GET", "~/indexes/stats?name=Users/Ages")).Json["Results"]![0]!;
        JsonNode ended = await CompactAsync(
            server, """{"DatabaseName":"db","Indexes":["Users/Ages","users/counts"]}""");
        Assert.True((string?)ended["Status"] == "Completed", ended.ToJsonString());
        Assert.InRange((double)ended["Result"]!["SizeAfterCompactionInMb"]!, 0.001, 1000);
        Assert.Equal(["users/anna"], QueryHttpTests.Ids(
            await QueryHttpTests.QueryAsync(server, "from index 'Users/Ages' where Age = 30")));
        JsonNode after = (await server.SendAsync("GET", "~/indexes/stats?name=Users/Ages")).Json["Results"]![0]!;
        Assert.Equal((int)before["MapAttempts"]!, (int)after["MapAttempts"]!);
        Assert.Equal(2, (int)after["EntriesCount"]!);

        // What loaded another document, and what groups, follow changes as before.
        await server.PutAsync("users/anna", """{"Name":"Eve","Age":40,"@metadata":{"@collection":"Users"}}""");
        Assert.Equal(["users/bert"], QueryHttpTests.Ids(
            await QueryHttpTests.QueryAsync(server, "from index 'Users/Ages' where Friend = 'eve'")));
        JsonNode counts = await QueryHttpTests.QueryAsync(server, "from index 'Users/Counts'");
        Assert.Equal(["40:2"], counts["Results"]!.AsArray().Select(one => $"{one!["Age"]}:{one["N"]}"));
    }

    [Theory]
    [InlineData("{}", 400, "DatabaseName")]
    [InlineData("""{"DatabaseName":"db"}""", 400, "nothing to compact")]
    [InlineData("""{"DatabaseName":"db","Indexes":["a"]}""", 404, "There is no index 'a'")]
    [InlineData("""{"DatabaseName":"db","Indexes":[1]}""", 400, "Indexes must be names")]
    [InlineData("""{"DatabaseName":"none","Documents":true}""", 503, "none")]
    public async Task A_compaction_of_what_does_not_exist_is_refused_with_its_status(
        string body, int status, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "/admin/compact", body)).ExpectError(status, says);
    }

    private static async Task<JsonNode> CompactAsync(TestServer server, string body = Compact)
    {
        HttpAnswer started = (await server.SendAsync("POST", "/admin/compact", body)).Expect(HttpStatusCode.OK);
        Assert.Equal("A", (string?)started.Json["OperationNodeTag"]);
        HttpAnswer state = started;
        await Deadline.UntilAsync(async () =>
        {
            state = await server.SendAsync("GET", $"/operations/state?id={started.Json["OperationId"]}");
            return (string?)state.Expect(HttpStatusCode.OK).Json["Status"] != "InProgress";
        });
        return state.Json;
    }

    private static async Task<string[]> AllAsync(TestServer server)
    {
        List<string> all = [];
        foreach (string path in Everything)
        {
            string text = (await server.SendAsync("GET", path)).Expect(HttpStatusCode.OK).Text;
            if (text.Contains("\"SizeOnDisk\"", StringComparison.Ordinal))
            {
                JsonNode statistics = JsonNode.Parse(text)!;
                statistics["SizeOnDisk"] = null;
                text = statistics.ToJsonString();
            }

            all.Add(text);
        }

        return [.. all];
    }

    private static bool HasUpload(TestServer server)
    {
        Assert.True(server.Host.State.Databases.TryGet("db", out Database? database));
        using DocumentSnapshot snapshot = database.BeginRead();
        return snapshot.Transaction.TryOpenTree(AttachmentSchema.Uploads) is { Count: > 0 };
    }

    /// <summary>Something of each kind, and most of it deleted again.</summary>
    private static async Task FillAsync(TestServer server)
    {
        await server.SendAsync(
            "POST", "~/admin/revisions/config", """{"Collections":{"Users":{"MinimumRevisionsToKeep":5}}}""");
        await server.SendAsync(
            "POST", "~/admin/expiration/config", """{"Disabled":false,"DeleteFrequencyInSec":3600}""");
        string body = new('z', 60_000);
        for (int i = 0; i < 300; i++)
        {
            await server.PutAsync(
                $"big/{i}", $"{{\"N\":{i},\"Body\":\"{body}\",\"@metadata\":{{\"@collection\":\"Big\"}}}}");
        }

        for (int i = 0; i < 20; i++)
        {
            for (int version = 0; version < 3; version++)
            {
                await server.PutAsync(
                    $"users/{i}", $"{{\"Version\":{version},\"@metadata\":{{\"@collection\":\"Users\"}}}}");
            }
        }

        for (int i = 0; i < 299; i++)
        {
            (await server.SendAsync("DELETE", $"~/docs?id=big/{i}")).Expect(HttpStatusCode.NoContent);
        }

        (await server.SendAsync("DELETE", "~/docs?id=users/7")).Expect(HttpStatusCode.NoContent);
        await server.SendAsync(
            "POST", "~/counters", """
            {"Documents":[{"DocumentId":"users/2","Operations":[{"Type":"Increment","CounterName":"likes","Delta":5}]}]}
            """);
        await server.SendAsync("PUT", "~/cmpxchg?key=k&index=0", """{"Object":{"x":1}}""");
        await server.SendAsync("POST", "~/identity/next?name=users%7C");
        var bytes = new ByteArrayContent(Encoding.UTF8.GetBytes(new string('a', 70_000)));
        (await server.SendAsync("PUT", "~/attachments?id=users/3&name=note&contentType=text/plain", bytes))
            .Expect(HttpStatusCode.Created);
        await server.PutAsync("expiring", """{"@metadata":{"@expires":"2099-01-01T00:00:00Z"}}""");
    }
}
