using System.Net;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Workers over a WebSocket: what they are sent, what ends them, and what is wrong.</summary>
public sealed class SubscriptionWebSocketTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private static int _count;

    private readonly string _name = $"w{Interlocked.Increment(ref _count)}";
    private readonly byte[] _buffer = new byte[1 << 18];

    private TestServer Server => fixture.Server;

    [Fact]
    [Trait("Invariant", "WIRE-2")]
    [Trait("Invariant", "SOCK-3")]
    public async Task Each_message_of_a_batch_is_a_text_frame_and_the_next_batch_follows_the_acknowledgement()
    {
        await CreateAsync($"from C{_name} as d include d.Boss, counters('likes')");
        await PutAsync("boss", "\"Long\":\"" + new string('x', 70_000) + "\"", "Bosses");
        await PutAsync("1", $"\"Boss\":\"{_name}/boss\"");
        await PutAsync("2", "\"N\":2");
        using ClientWebSocket socket = await ConnectAsync("&max=1");
        Assert.Equal("ConnectionStatus Accepted", await StatusAsync(socket));
        JsonNode data = (await NextAsync(socket))!;
        Assert.Equal("Data", (string?)data["Type"]);
        Assert.Equal($"{_name}/1", (string?)data["Data"]!["@metadata"]!["@id"]);
        JsonNode includes = (await NextAsync(socket))!;
        Assert.Equal(70_000, ((string)includes["Includes"]![$"{_name}/boss"]!["Long"]!).Length);
        JsonNode counters = (await NextAsync(socket))!;
        Assert.Equal("likes", (string?)counters["IncludedCounterNames"]![$"{_name}/1"]![0]);
        Assert.Equal("""{"Type":"EndOfBatch"}""", (await NextAsync(socket))!.ToJsonString());
        string vector = (string)data["Data"]!["@metadata"]!["@change-vector"]!;
        await SendAsync(socket, $$"""{"Type":"Acknowledge","ChangeVector":"{{vector}}"}""");
        Assert.Equal("""{"Type":"Confirm"}""", (await NextAsync(socket))!.ToJsonString());
        data = (await NextAsync(socket))!;
        Assert.Equal($"{_name}/2", (string?)data["Data"]!["@metadata"]!["@id"]);
    }

    [Fact]
    public async Task Time_series_are_sent_along_in_a_message_of_their_own()
    {
        await CreateAsync($"from C{_name} as d include timeseries('Heart', last(2)), timeseries(d, 'Other')");
        await PutAsync("1", "\"N\":1");
        (await Server.SendAsync("POST", $"~/timeseries?docId={_name}/1", """
            {"Name":"Heart","Appends":[{"Timestamp":"2026-01-01T00:00:00Z","Values":[1]},
            {"Timestamp":"2026-01-01T00:00:01Z","Values":[2]},
            {"Timestamp":"2026-01-01T00:00:02Z","Values":[3],"Tag":"a"}]}
            """)).Expect(HttpStatusCode.NoContent);
        using ClientWebSocket socket = await ConnectAsync("");
        await StatusAsync(socket);
        Assert.Equal("Data", (string?)(await NextAsync(socket))!["Type"]);
        JsonNode message = (await NextAsync(socket))!;
        Assert.Equal("TimeSeriesIncludes", (string?)message["Type"]);
        JsonNode of = message["TimeSeriesIncludes"]![$"{_name}/1"]!;
        JsonNode range = Assert.Single(of["Heart"]!.AsArray())!;
        Assert.Equal("2026-01-01T00:00:01.0000000Z", (string?)range["From"]);
        Assert.Equal(["[2]", "[3]"], range["Entries"]!.AsArray().Select(entry => entry!["Values"]!.ToJsonString()));
        Assert.Empty(Assert.Single(of["Other"]!.AsArray())!["Entries"]!.AsArray());
        Assert.Equal("EndOfBatch", (string?)(await NextAsync(socket))!["Type"]);
    }

    [Fact]
    [Trait("Invariant", "SOCK-4")]
    public async Task What_a_client_that_is_gone_had_is_sent_to_the_next_one_which_ends_when_there_is_no_more()
    {
        await CreateAsync();
        await PutAsync("1", "\"N\":1");
        using (ClientWebSocket gone = await ConnectAsync(""))
        {
            await StatusAsync(gone);
            Assert.Equal("Data", (string?)(await NextAsync(gone))!["Type"]);
            gone.Abort();
        }

        using ClientWebSocket next = await ConnectAsync("&strategy=WaitForFree&closeWhenEmpty=true");
        Assert.Equal("ConnectionStatus Accepted", await StatusAsync(next));
        Assert.Equal($"{_name}/1", (string?)(await NextAsync(next))!["Data"]!["@metadata"]!["@id"]);
        await NextAsync(next);
        await SendAsync(next, """{"Type":"Acknowledge"}""");
        Assert.Equal("Confirm", (string?)(await NextAsync(next))!["Type"]);
        JsonNode closed = (await NextAsync(next))!;
        Assert.Equal(("Closed", false), ((string)closed["Status"]!, (bool)closed["Data"]!["CanReconnect"]!));
        Assert.Null(await NextAsync(next));
        Assert.Equal(WebSocketCloseStatus.NormalClosure, next.CloseStatus);
    }

    [Fact]
    public async Task Workers_of_WebSockets_sockets_and_leases_keep_to_the_same_strategies()
    {
        await CreateAsync();
        using SubscriptionClient there = SubscriptionClient.Connect(Server.Port, _name);
        using (ClientWebSocket refused = await ConnectAsync(""))
        {
            Assert.Equal("ConnectionStatus InUse", await StatusAsync(refused));
            Assert.Null(await NextAsync(refused));
        }

        using ClientWebSocket taking = await ConnectAsync("&strategy=TakeOver");
        Assert.Equal("InUse", (string?)there.Read()["Status"]);
        Assert.Equal("ConnectionStatus Accepted", await StatusAsync(taking));
        (await Server.SendAsync("POST", $"~/subscriptions/batch?name={_name}")).ExpectError(409, "Concurrent");
        (await Server.SendAsync("POST", $"~/subscriptions/drop?name={_name}")).Expect(HttpStatusCode.NoContent);
        JsonNode closed = (await NextAsync(taking))!;
        Assert.Equal(("Closed", false), ((string)closed["Status"]!, (bool)closed["Data"]!["CanReconnect"]!));
    }

    [Theory]
    [InlineData("{\"Type\":\"Acknowledge\"}", "no batch")]
    [InlineData("{\"Type\":\"Data\"}", "sends Acknowledge")]
    [InlineData("[]", "must be a JSON object")]
    [InlineData("{", "no JSON")]
    [Trait("Invariant", "SOCK-2")]
    public async Task What_a_client_may_not_send_ends_it_with_the_reason(string message, string says)
    {
        await CreateAsync();
        using ClientWebSocket socket = await ConnectAsync("");
        await StatusAsync(socket);
        await SendAsync(socket, message);
        JsonNode error = (await NextAsync(socket))!;
        Assert.Equal("Error", (string?)error["Type"]);
        Assert.Contains(says, (string?)error["Message"], StringComparison.Ordinal);
        Assert.Null(await NextAsync(socket));
    }

    [Theory]
    [InlineData(5_000, WebSocketMessageType.Text, WebSocketCloseStatus.MessageTooBig)]
    [InlineData(5, WebSocketMessageType.Binary, WebSocketCloseStatus.InvalidMessageType)]
    public async Task A_message_that_is_too_long_or_no_text_closes_with_its_status(
        int length, WebSocketMessageType type, WebSocketCloseStatus status)
    {
        await CreateAsync();
        using ClientWebSocket socket = await ConnectAsync("");
        await StatusAsync(socket);
        using var limit = Deadline.NewToken();
        await socket.SendAsync(new byte[length], type, endOfMessage: true, limit.Token);
        Assert.Equal("Error", (string?)(await NextAsync(socket))!["Type"]);
        Assert.Null(await NextAsync(socket));
        Assert.Equal(status, socket.CloseStatus);
    }

    [Fact]
    public async Task What_is_wrong_with_the_request_is_an_answer_of_HTTP()
    {
        await CreateAsync();
        (await GetAsync("?name=none")).ExpectError(400, "none");
        (await GetAsync("")).ExpectError(400, "'name' is missing");
        (await GetAsync($"?name={_name}&strategy=Best")).ExpectError(400, "Strategy must be one of");
        (await GetAsync($"?name={_name}&max=0")).ExpectError(400, "max");
        (await GetAsync($"?name={_name}")).ExpectError(426, "Upgrade: websocket");
    }

    [Fact]
    public async Task A_server_that_stops_says_that_the_client_may_come_back()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        await server.SendAsync("PUT", "~/subscriptions", "{\"Name\":\"all\",\"Query\":\"from @all_docs\"}");
        using ClientWebSocket socket = await ConnectAsync("", server.Port, "all");
        await StatusAsync(socket);
        Task stopping = Task.Run(server.Dispose);
        JsonNode closed = (await NextAsync(socket))!;
        Assert.Equal(("Closed", true), ((string)closed["Status"]!, (bool)closed["Data"]!["CanReconnect"]!));
        Assert.Null(await NextAsync(socket));
        Assert.Equal(WebSocketCloseStatus.EndpointUnavailable, socket.CloseStatus);
        await stopping.WaitAsync(Deadline.Hang);
    }

    private Task<HttpAnswer> GetAsync(string query) => Server.SendAsync("GET", $"~/subscriptions/ws{query}");

    private async Task<ClientWebSocket> ConnectAsync(string more, int? port = null, string? name = null)
    {
        var socket = new ClientWebSocket();
        socket.Options.KeepAliveInterval = TimeSpan.Zero;
        using var limit = Deadline.NewToken();
        await socket.ConnectAsync(
            new Uri($"ws://127.0.0.1:{port ?? Server.Port}/databases/db/subscriptions/ws?name={name ?? _name}{more}"),
            limit.Token);
        return socket;
    }

    private async Task<string> StatusAsync(ClientWebSocket socket)
    {
        JsonNode message = (await NextAsync(socket))!;
        return $"{message["Type"]} {message["Status"]}";
    }

    /// <summary>The next message; null if the server has closed the connection, which is answered.</summary>
    private async Task<JsonNode?> NextAsync(ClientWebSocket socket)
    {
        using var limit = Deadline.NewToken();
        int length = 0;
        ValueWebSocketReceiveResult received;
        do
        {
            received = await socket.ReceiveAsync(_buffer.AsMemory(length), limit.Token);
            length += received.Count;
        }
        while (!received.EndOfMessage);

        if (received.MessageType != WebSocketMessageType.Close)
        {
            return JsonNode.Parse(_buffer.AsSpan(0, length));
        }

        await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, limit.Token);
        return null;
    }

    private static async Task SendAsync(ClientWebSocket socket, string text)
    {
        using var limit = Deadline.NewToken();
        await socket.SendAsync(
            Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, endOfMessage: true, limit.Token);
    }

    private async Task CreateAsync(string? query = null) => (await Server.SendAsync(
        "PUT", "~/subscriptions", $"{{\"Name\":\"{_name}\",\"Query\":\"{query ?? $"from C{_name}"}\"}}"))
        .Expect(HttpStatusCode.Created);

    private Task<string> PutAsync(string id, string members, string? collection = null) => Server.PutAsync(
        $"{_name}/{id}", $"{{{members},\"@metadata\":{{\"@collection\":\"{collection ?? $"C{_name}"}\"}}}}");
}
