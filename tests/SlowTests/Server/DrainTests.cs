using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using FastTests.Server;
using SlowTests.Support;

namespace SlowTests.Server;

/// <summary>What a process that is asked to stop does with its running requests.</summary>
[Trait(Category.Shard, "server")]
public sealed class DrainTests : IDisposable
{
    /// <summary>Far more than a stop takes, and less than a script that nothing ends.</summary>
    private static readonly TimeSpan ExitLimit = TimeSpan.FromSeconds(15);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-drain-").FullName;
    private readonly HttpClient _client = new();

    public void Dispose()
    {
        _client.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [Trait(Category.Run, Category.Ci)]
    [InlineData("TERM")]
    [InlineData("INT")]
    public async Task A_stopping_server_answers_running_requests_whole_and_refuses_new_connections(string signal)
    {
        using ServerProcess server = await StartAsync(drainSecondsMax: 30);
        using var upload = BeginUpload(server);
        Task<HttpResponseMessage> patch = PatchAsync(server, scriptMilliseconds: 1500);
        await WaitUntilRunsAsync(server, "PATCH", "PUT");

        server.Signal(signal);
        WaitUntilRefused(server);
        Assert.False(patch.IsCompleted, "The script was to run on while nobody new is let in.");
        upload.Send("\"}");
        (int status, _, string body) = upload.Receive();
        Assert.Equal(201, status);
        Assert.Equal("uploaded", (string?)JsonNode.Parse(body)!["Id"]);
        using HttpResponseMessage patched = await patch;
        Assert.Equal(HttpStatusCode.OK, patched.StatusCode);
        string answer = await patched.Content.ReadAsStringAsync();
        Assert.Equal(1, (int)JsonNode.Parse(answer)!["ModifiedDocument"]!["Patched"]!);
        Assert.Equal(0, server.ExitCodeWithin(ExitLimit));

        using ServerProcess again = ServerProcess.Start(_folder);
        JsonArray kept = await ReadAsync(again, "a", "uploaded");
        Assert.Equal((1, 3), ((int)kept[0]!["Patched"]!, kept[1]!["Text"]!.ToString().Length));
    }

    [Theory]
    [Trait(Category.Run, Category.Ci)]
    [InlineData("TERM")]
    [InlineData("INT")]
    public async Task A_request_that_takes_longer_than_the_drain_time_is_aborted_and_changes_nothing(string signal)
    {
        using ServerProcess server = await StartAsync(drainSecondsMax: 1);
        using var upload = BeginUpload(server);
        Task<HttpResponseMessage> patch = PatchAsync(server, scriptMilliseconds: 60_000);
        await WaitUntilRunsAsync(server, "PATCH", "PUT");

        long begin = Stopwatch.GetTimestamp();
        server.Signal(signal);
        await Assert.ThrowsAsync<HttpRequestException>(() => patch);
        Assert.True(Stopwatch.GetElapsedTime(begin) > TimeSpan.FromSeconds(0.9), "It was cut before its time.");
        Assert.Null(upload.ReceiveStatusOrClose());
        Assert.Equal(0, server.ExitCodeWithin(ExitLimit));

        using ServerProcess again = ServerProcess.Start(_folder);
        JsonArray kept = await ReadAsync(again, "a", "uploaded");
        Assert.Null(kept[0]!["Patched"]);
        Assert.Null(kept[1]);
    }

    [Theory]
    [InlineData("docs?start=0&pageSize=1000")]
    [InlineData("streams/docs")]
    [InlineData("queries?query=from%20@all_docs")]
    public async Task A_stopping_server_sends_an_answer_that_is_being_read_to_its_end(string path)
    {
        const int Documents = 300;
        using ServerProcess server = await StartAsync(drainSecondsMax: 30);
        string text = new('t', 100_000);
        string commands = string.Join(
            ',', Enumerable.Range(1, Documents - 1).Select(
                i => $$"""{"Id":"d/{{i}}","Type":"PUT","Document":{"T":"{{text}}"} }"""));
        (await SendAsync(server, "POST", "/databases/db/bulk_docs", $$"""{"Commands":[{{commands}}]}"""))
            .EnsureSuccessStatusCode();
        using HttpResponseMessage answer = await _client.GetAsync(
            $"{server.Url}/databases/db/{path}", HttpCompletionOption.ResponseHeadersRead);
        await WaitUntilRunsAsync(server, $"/databases/db/{path.Split('?')[0]}");

        server.Signal("TERM");
        WaitUntilRefused(server);
        JsonNode whole = (await JsonNode.ParseAsync(await answer.Content.ReadAsStreamAsync()))!;
        Assert.Equal(Documents, whole["Results"]!.AsArray().Count);
        Assert.Equal(0, server.ExitCodeWithin(ExitLimit));
    }

    /// <summary>It lasts as long as its client likes, so that there is no point in waiting for it.</summary>
    [Fact]
    public async Task A_stopping_server_ends_an_open_bulk_insert_at_once()
    {
        using ServerProcess server = await StartAsync(drainSecondsMax: 30);
        const string Command = """[{"Id":"b","Type":"PUT","Document":{"N":1}}""";
        using (var bulk = new RawConnection(new Uri(server.Url).Port))
        {
            bulk.Send("POST /databases/db/bulk_insert?id=7 HTTP/1.1\r\nHost: localhost\r\n"
                + $"Transfer-Encoding: chunked\r\n\r\n{Command.Length:x}\r\n{Command}\r\n");
            await WaitUntilRunsAsync(server, "POST");

            server.Signal("TERM");
            (int status, string head, string body) = bulk.Receive();
            Assert.Equal(503, status);
            Assert.Contains("Connection: close", head, StringComparison.Ordinal);
            Assert.Contains("stopping", body, StringComparison.Ordinal);
        }

        Assert.Equal(0, server.ExitCodeWithin(ExitLimit));
    }

    /// <summary>A server with a database and a document, whose scripts may take their time.</summary>
    private async Task<ServerProcess> StartAsync(int drainSecondsMax)
    {
        ServerProcess server = ServerProcess.Start(
            _folder, $"--Shutdown.DrainSecondsMax={drainSecondsMax}", "--Scripting.TimeMillisecondsMax=120000",
            "--Scripting.StepsMax=1000000000000", "--Scripting.MemoryBytesMax=10000000000",
            "--Limits.ResponseBufferSizeBytesMax=65536");
        (await SendAsync(server, "PUT", "/admin/databases?name=db", """{"DatabaseName":"db"}"""))
            .EnsureSuccessStatusCode();
        (await SendAsync(server, "PUT", "/databases/db/docs?id=a", "{}")).EnsureSuccessStatusCode();
        return server;
    }

    /// <summary>A document of which the last two bytes are not sent.</summary>
    private static RawConnection BeginUpload(ServerProcess server)
    {
        var upload = new RawConnection(new Uri(server.Url).Port);
        const string Begin = "{\"Text\":\"all";
        upload.Send("PUT /databases/db/docs?id=uploaded HTTP/1.1\r\nHost: localhost\r\n"
            + $"Content-Length: {Begin.Length + 2}\r\n\r\n{Begin}");
        return upload;
    }

    private Task<HttpResponseMessage> PatchAsync(ServerProcess server, int scriptMilliseconds) => SendAsync(
        server, "PATCH", "/databases/db/docs?id=a",
        JsonSerializer.Serialize(new
        {
            Patch = new
            {
                Script = $"const end = Date.now() + {scriptMilliseconds}; while (Date.now() < end); this.Patched = 1;",
            },
        }));

    private async Task<HttpResponseMessage> SendAsync(ServerProcess server, string method, string path, string body)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), server.Url + path)
        {
            Content = new StringContent(body, Encoding.UTF8, "application/json"),
        };
        return await _client.SendAsync(request);
    }

    private async Task<JsonArray> ReadAsync(ServerProcess server, params string[] ids)
    {
        string query = string.Join('&', ids.Select(id => $"id={id}"));
        string read = await _client.GetStringAsync($"{server.Url}/databases/db/docs?{query}");
        return JsonNode.Parse(read)!["Results"]!.AsArray();
    }

    /// <summary>Until the server says that it is at requests of these methods or paths.</summary>
    private async Task WaitUntilRunsAsync(ServerProcess server, params string[] told)
    {
        long begin = Stopwatch.GetTimestamp();
        while (true)
        {
            string running = await _client.GetStringAsync($"{server.Url}/admin/requests/running");
            if (told.All(text => running.Contains(text, StringComparison.Ordinal)))
            {
                return;
            }

            Assert.True(Stopwatch.GetElapsedTime(begin) < TimeSpan.FromSeconds(10), running);
            await Task.Delay(10);
        }
    }

    private static void WaitUntilRefused(ServerProcess server)
    {
        long begin = Stopwatch.GetTimestamp();
        SocketError answer = SocketError.Success;
        while (answer != SocketError.ConnectionRefused)
        {
            Assert.True(Stopwatch.GetElapsedTime(begin) < TimeSpan.FromSeconds(10), "Connections are still taken.");
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            try
            {
                socket.Connect(IPAddress.Loopback, new Uri(server.Url).Port);
            }
            catch (SocketException e)
            {
                answer = e.SocketErrorCode;
            }
        }
    }
}
