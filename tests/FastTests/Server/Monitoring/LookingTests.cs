using System.IO.Compression;
using System.Net;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;
using Microsoft.Extensions.Logging;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Monitoring;

namespace FastTests.Server.Monitoring;

/// <summary>What an operator looks at: slow and running requests, the log, the traffic, reports.</summary>
public sealed class LookingTests
{
    [Fact]
    public async Task Slow_requests_and_queries_are_kept_with_what_they_did()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { SlowRequestMin = TimeSpan.Zero, SlowQueryMin = TimeSpan.Zero });
        (await server.SendAsync("POST", "~/queries", """{"Query":"from As"}""")).Expect(HttpStatusCode.OK);
        (await server.SendAsync("GET", "/admin/requests/running?key=canary")).Expect(HttpStatusCode.OK);

        // A request is noted after its answer was sent.
        JsonNode[] slow = [];
        await Deadline.UntilAsync(async () =>
        {
            slow = [.. (await server.SendAsync("GET", "/admin/requests/slow")).Expect(HttpStatusCode.OK)
                .Json["Results"]!.AsArray().Select(one => one!)];
            return slow.Any(one => (string?)one["Path"] == "/admin/requests/running");
        });
        JsonNode query = slow.Single(one => (string?)one["Route"] == "/databases/*/queries");
        Assert.Equal(
            ("POST", "db", 200, "from As"),
            ((string?)query["Method"], (string?)query["Database"], (int)query["Status"]!, (string?)query["Detail"]));
        Assert.DoesNotContain(slow, one => one.ToJsonString().Contains("canary", StringComparison.Ordinal));
        JsonNode ofDatabase = (await server.SendAsync("GET", "~/debug/queries/slow")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("from As", (string?)Assert.Single(ofDatabase["Results"]!.AsArray())!["Detail"]);
    }

    [Fact]
    public void The_ring_keeps_the_last_and_cuts_long_texts()
    {
        var ring = new SlowRing();
        for (int i = 0; i < SlowRing.Capacity + 10; i++)
        {
            ring.Add(new SlowRequest(default, $"{i}", "GET", "", "/", "", 200, i, new string('x', 5000), ""));
        }

        SlowRequest[] kept = ring.List();
        Assert.Equal((SlowRing.Capacity + 10, SlowRing.Capacity), (ring.Count, kept.Length));
        Assert.Equal(($"{SlowRing.Capacity + 9}", "10"), (kept[0].Id, kept[^1].Id));
        Assert.Equal(SlowRing.DetailLengthMax + 3, kept[0].Detail.Length);
    }

    [Fact]
    public async Task A_running_query_is_listed_and_killed_by_its_database_alone()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { ScriptStepsMax = long.MaxValue, ScriptTimeMax = Deadline.Hang * 10 });
        (await server.SendAsync("PUT", "/admin/databases?name=other", "{\"DatabaseName\":\"other\"}"))
            .Expect(HttpStatusCode.Created);
        await server.PutAsync("a/1", """{"@metadata":{"@collection":"As"}}""");
        Task<HttpAnswer> endless = server.SendAsync(
            "POST", "~/queries",
            """
            {"Query":"declare function f(a) { while (true) {} } from As as a select f(a)",
            "QueryParameters":{"p":"canary"}}
            """);
        JsonNode? running = null;
        await Deadline.UntilAsync(async () =>
        {
            running = (await server.SendAsync("GET", "~/debug/queries/running")).Expect(HttpStatusCode.OK)
                .Json["Results"]!.AsArray().FirstOrDefault(one => (string?)one!["IndexName"] == "collection/As");
            return running is not null;
        });
        Assert.Contains("while (true)", (string?)running!["Query"], StringComparison.Ordinal);
        Assert.DoesNotContain("canary", running.ToJsonString(), StringComparison.Ordinal);
        string id = $"{running["QueryId"]}";
        Assert.Empty((await ReadAsync(server, "/databases/other/debug/queries/running"))["Results"]!.AsArray());
        (await server.SendAsync("POST", $"/databases/other/debug/queries/kill?id={id}"))
            .Expect(HttpStatusCode.NotFound);
        (await server.SendAsync("POST", $"~/debug/queries/kill?id={id}&indexName=Else"))
            .Expect(HttpStatusCode.NotFound);
        (await server.SendAsync("POST", $"~/debug/queries/kill?id={id}&indexName=collection/as"))
            .Expect(HttpStatusCode.NoContent);
        (await endless).ExpectError(400, "Cancelled");
        await server.AssertServesAsync();
    }

    [Fact]
    [Trait("Row", "62")]
    public async Task Only_so_many_may_watch_at_a_time()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        Broadcast<SeenRequest> traffic = server.Host.State.Traffic;
        List<WatchQueue<SeenRequest>> all = [];
        while (traffic.TryWatch() is { } watch)
        {
            all.Add(watch);
        }

        Assert.Equal(Broadcast<SeenRequest>.WatchesMax, all.Count);
        (await server.SendAsync("GET", "/admin/traffic-watch")).ExpectError(503, "must end first");
        await server.PutAsync("a/1", "{}");
        traffic.Unwatch(all[0]);
        using WebSocket socket = await ConnectAsync(server, "/admin/traffic-watch?resourceName=db");
        JsonNode seen = await HearAsync(socket, () => server.PutAsync("a/2", "{}"));
        Assert.Equal("PUT", (string?)seen["HttpMethod"]);
        Assert.Null(traffic.TryWatch());
    }

    [Fact]
    [Trait("Row", "62")]
    public async Task The_log_can_be_read_watched_and_downloaded()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using WebSocket watch = await ConnectAsync(server, "/admin/logs/watch?level=Warn");
        ILogger log = server.Host.State.Loggers.CreateLogger("Test.Part");
        JsonNode line = await HearAsync(watch, () =>
        {
            log.LogInformation("not this");
            log.LogWarning("a line\nwith a break");
            return Task.CompletedTask;
        });
        Assert.Equal(
            ("Warn", "Test.Part", "a line\\u000Awith a break"),
            ((string?)line["Level"], (string?)line["Source"], (string?)line["Message"]));
        JsonNode lines = (await server.SendAsync("GET", "/admin/logs/lines?source=test.part&level=Info&count=5"))
            .Expect(HttpStatusCode.OK).Json;
        Assert.Contains(lines["Results"]!.AsArray(), one => (string?)one!["Message"] == "not this");
        (await server.SendAsync("GET", "/admin/logs/lines?level=Loud")).Expect(HttpStatusCode.BadRequest);
        HttpAnswer zip = (await server.SendAsync("GET", "/admin/logs/download?from=2000-01-01T00:00:00Z"))
            .Expect(HttpStatusCode.OK);
        Assert.Contains("not this", TextsOf(zip)["log.txt"], StringComparison.Ordinal);
        HttpAnswer none = (await server.SendAsync("GET", "/admin/logs/download?to=2000-01-01T00:00:00Z"))
            .Expect(HttpStatusCode.OK);
        Assert.Equal("", TextsOf(none)["log.txt"]);
        (await server.SendAsync("GET", "/admin/logs/download?to=noon")).Expect(HttpStatusCode.BadRequest);
        (await server.SendAsync("GET", "/admin/logs/watch")).Expect((HttpStatusCode)426);
    }

    [Fact]
    [Trait("Row", "62")]
    public async Task The_traffic_of_a_database_can_be_watched()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using WebSocket watch = await ConnectAsync(server, "/admin/traffic-watch?resourceName=DB");
        JsonNode seen = await HearAsync(watch, async () =>
        {
            (await server.SendAsync("GET", "/build/version?canary=1")).Expect(HttpStatusCode.OK);
            await server.PutAsync("canary/1", "{}");
        });
        Assert.Equal(
            ("PUT", "/databases/db/docs", 201, "db"),
            ((string?)seen["HttpMethod"], (string?)seen["RequestUri"], (int)seen["ResponseStatusCode"]!,
                (string?)seen["DatabaseName"]));
        Assert.Equal("127.0.0.1", (string?)seen["ClientIP"]);
        Assert.DoesNotContain("canary", seen.ToJsonString(), StringComparison.Ordinal);
        await watch.CloseAsync(WebSocketCloseStatus.NormalClosure, null, TestContext.Current.CancellationToken);
        await Deadline.UntilAsync(() => Task.FromResult(!server.Host.State.Traffic.IsWatched));
    }

    [Fact]
    [Trait("Row", "62")]
    public void One_who_reads_too_slowly_loses_the_oldest_and_is_told_how_many()
    {
        var source = new Broadcast<string>();
        source.Add("before");
        WatchQueue<string> queue = source.TryWatch()!;
        Assert.False(queue.WhenNews().IsCompleted);
        for (int i = 0; i < WatchQueue<string>.CountMax + 3; i++)
        {
            source.Add($"{i}");
        }

        Assert.True(queue.WhenNews().IsCompleted);
        string[] taken = queue.Take(out long lost);
        Assert.Equal((3, WatchQueue<string>.CountMax, "3"), (lost, taken.Length, taken[0]));
        Assert.False(queue.WhenNews().IsCompleted);
        source.Unwatch(queue);
        Assert.False(source.IsWatched);
    }

    [Fact]
    public async Task The_package_has_all_reports_and_neither_documents_nor_secrets()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string key = Convert.ToBase64String([.. Enumerable.Range(65, 32).Select(i => (byte)i)]);
        await server.PutAsync("canary/1", """{"X":"canary-value","@metadata":{"@collection":"As"}}""");
        (await server.SendAsync("POST", "~/queries", """{"Query":"from As where X = 'canary-value'"}"""))
            .Expect(HttpStatusCode.OK);
        (await server.SendAsync("POST", "~/admin/periodic-backup", new JsonObject
        {
            ["Name"] = "nightly",
            ["FullBackupFrequency"] = "0 1 * * 0",
            ["LocalSettings"] = new JsonObject { ["FolderPath"] = Path.Combine(Path.GetTempPath(), "raven-none") },
            ["BackupEncryptionSettings"] = new JsonObject
            {
                ["EncryptionMode"] = "UseProvidedKey", ["Key"] = key,
            },
        }.ToJsonString())).Expect(HttpStatusCode.OK);
        Dictionary<string, string> ofServer = TextsOf(
            (await server.SendAsync("GET", "/admin/debug/info-package")).Expect(HttpStatusCode.OK));
        Dictionary<string, string> ofDatabase = TextsOf(
            (await server.SendAsync("GET", "~/debug/info-package")).Expect(HttpStatusCode.OK));
        Assert.Contains("server.json", ofServer.Keys);
        Assert.Contains("record.json", ofDatabase.Keys);
        foreach ((string name, string text) in ofServer.Concat(ofDatabase))
        {
            Assert.True(text.Length > 0 || name == "log.txt", name);
            Assert.DoesNotContain("canary", text, StringComparison.Ordinal);
            Assert.DoesNotContain(key, text, StringComparison.Ordinal);
            if (name.EndsWith(".json", StringComparison.Ordinal))
            {
                Assert.NotNull(JsonNode.Parse(text));
            }
        }
    }

    [Fact]
    public async Task Reports_say_where_memory_time_and_large_documents_are()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        byte[] noise = new byte[5 << 20];
        new Random(7).NextBytes(noise);
        await server.PutAsync("large/1", $"{{\"X\":\"{Convert.ToBase64String(noise)}\"}}");
        JsonNode memory = await ReadAsync(server, "/admin/debug/memory/stats");
        Assert.True((long)memory["ManagedHeap"]! > 0);
        Assert.True((long)memory["Process"]!["VmRSS"]! > 0 || !OperatingSystem.IsLinux());
        JsonNode threads = await ReadAsync(server, "/admin/debug/threads/runaway");
        Assert.True((int)threads["Count"]! > 3 || !OperatingSystem.IsLinux());
        Assert.NotNull((await ReadAsync(server, "/admin/debug/cpu/stats"))["ThreadPool"]);
        Assert.True((bool)(await ReadAsync(server, "/admin/debug/databases/idle"))["Databases"]![0]!["IsLoaded"]!);
        Assert.True((int)(await ReadAsync(server, "/admin/metrics"))["Requests"]!["Count"]! > 0);
        Assert.Equal(1, (int)(await ReadAsync(server, "/databases/db/metrics"))["Docs"]!["Changes"]!);
        JsonNode disk = (await ReadAsync(server, "/databases/db/debug/io-metrics"))["Environments"]![0]!;
        Assert.Equal(("db", "Documents"), ((string?)disk["Name"], (string?)disk["Type"]));
        Assert.True((long)disk["JournalWrite"]!["Count"]! > 0);
        JsonNode large = Assert.Single(
            (await ReadAsync(server, "/databases/db/debug/documents/huge"))["Results"]!.AsArray())!;
        Assert.Equal("large/1", (string?)large["Id"]);
        Assert.True((long)large["Size"]! > 5 << 20);
        Assert.True((await ReadAsync(server, "/debug/routes"))["Routes"]!.AsArray().Count > 200);
        Assert.Equal(
            server.Host.State.Id.ToString(), (string?)(await ReadAsync(server, "/debug/server-id"))["ServerId"]);
        Assert.Empty((await ReadAsync(server, "/databases/db/debug/queries/cache/list"))["Results"]!.AsArray());
        Assert.Empty((await ReadAsync(server, "/databases/db/operations"))["Results"]!.AsArray());
        Assert.Equal(0, (int)(await ReadAsync(server, "/databases/db/notifications"))["TotalResults"]!);
        Assert.Equal(0, (int)(await ReadAsync(server, "/server/notifications"))["TotalResults"]!);
        (await server.SendAsync("GET", "/setup/alive")).Expect(HttpStatusCode.NoContent);
    }

    [Fact]
    public async Task A_stopped_index_is_an_alert_while_it_has_stopped()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using WebSocket watch = await ConnectAsync(server, "/databases/db/notification-center/watch");
        (await server.SendAsync("PUT", "~/admin/indexes", new JsonObject
        {
            ["Indexes"] = new JsonArray(new JsonObject
            {
                ["Name"] = "Bad",
                ["Maps"] = new JsonArray("from a in docs.As select new { X = 1 / (a.X - a.X) }"),
            }),
        }.ToJsonString())).Expect(HttpStatusCode.Created);
        for (int i = 0; i < 120; i++)
        {
            await server.PutAsync($"a/{i}", """{"X":1,"@metadata":{"@collection":"As"}}""");
        }

        JsonNode alert = await ReadAsync(watch);
        Assert.Equal(
            ("IndexStopped", "Bad", "Error"),
            ((string?)alert["AlertType"], (string?)alert["Source"], (string?)alert["Severity"]));
        JsonNode now = await ReadAsync(server, "/databases/db/notifications");
        Assert.Equal("AlertRaised/IndexStopped/db/Bad", (string?)Assert.Single(now["Results"]!.AsArray())!["Id"]);
    }

    [Fact]
    public async Task A_drained_server_says_that_it_is_not_ready_and_still_answers()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("GET", "/healthz/ready")).Expect(HttpStatusCode.OK);
        (await server.SendAsync("POST", "/admin/drain")).Expect(HttpStatusCode.OK);
        HttpAnswer not = (await server.SendAsync("GET", "/healthz/ready")).Expect(HttpStatusCode.ServiceUnavailable);
        Assert.Equal("Draining", (string?)not.Json["Status"]);
        (await server.SendAsync("GET", "/healthz")).Expect(HttpStatusCode.OK);
        await server.AssertServesAsync();
        (await server.SendAsync("POST", "/admin/drain?enable=false")).Expect(HttpStatusCode.OK);
        (await server.SendAsync("GET", "/healthz/ready")).Expect(HttpStatusCode.OK);
    }

    [Fact]
    public void A_line_of_a_thread_is_read_whatever_its_name_is()
    {
        var thread = MachineFigures.ThreadOf(
            "4242 (.NET (a) b) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 17 0 12 0 0");
        Assert.Equal((4242, ".NET (a) b", 'S', 2.5, 0.5), thread);
        Assert.Null(MachineFigures.ThreadOf("nonsense"));
    }

    private static async Task<JsonNode> ReadAsync(TestServer server, string path) =>
        (await server.SendAsync("GET", path)).Expect(HttpStatusCode.OK).Json;

    private static async Task<WebSocket> ConnectAsync(TestServer server, string path)
    {
        var socket = new ClientWebSocket();
        using var limit = Deadline.NewToken();
        await socket.ConnectAsync(new Uri($"ws://127.0.0.1:{server.Port}{path}"), limit.Token);
        return socket;
    }

    /// <summary>The next message; what makes it is done until it comes: a watch begins after the handshake.</summary>
    private static async Task<JsonNode> HearAsync(WebSocket socket, Func<Task> make)
    {
        Task<JsonNode> heard = ReadAsync(socket);
        await Deadline.UntilAsync(async () =>
        {
            await make();
            return heard.IsCompleted;
        });
        return await heard;
    }

    private static async Task<JsonNode> ReadAsync(WebSocket socket)
    {
        byte[] buffer = new byte[1 << 16];
        using var limit = Deadline.NewToken();
        int length = 0;
        while (true)
        {
            WebSocketReceiveResult read = await socket.ReceiveAsync(
                new ArraySegment<byte>(buffer, length, buffer.Length - length), limit.Token);
            length += read.Count;
            if (read.EndOfMessage)
            {
                Assert.Equal(WebSocketMessageType.Text, read.MessageType);
                return JsonNode.Parse(buffer.AsSpan(0, length))!;
            }
        }
    }

    private static Dictionary<string, string> TextsOf(HttpAnswer answer)
    {
        using var zip = new ZipArchive(new MemoryStream(answer.Bytes), ZipArchiveMode.Read);
        return zip.Entries.ToDictionary(entry => entry.FullName, entry =>
        {
            using var reader = new StreamReader(entry.Open(), Encoding.UTF8);
            return reader.ReadToEnd();
        });
    }
}
