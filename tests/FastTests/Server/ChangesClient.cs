using System.Net.WebSockets;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>A client that watches changes, for tests.</summary>
internal sealed class ChangesClient : IDisposable
{
    private readonly ClientWebSocket _socket = new();
    private readonly Queue<JsonNode> _events = new();
    private readonly byte[] _buffer = new byte[1 << 16];
    private int _lastCommand;

    internal WebSocketCloseStatus? CloseStatus => _socket.CloseStatus;

    /// <summary>The message that every connection begins with.</summary>
    internal JsonNode First { get; private set; } = null!;

    internal string? CloseReason => _socket.CloseStatusDescription;

    internal static async Task<ChangesClient> ConnectAsync(TestServer server)
    {
        var client = new ChangesClient();
        client._socket.Options.KeepAliveInterval = TimeSpan.Zero;
        using var limit = Deadline.NewToken();
        await client._socket.ConnectAsync(
            new Uri($"ws://127.0.0.1:{server.Port}/databases/db/changes"), limit.Token);
        client.First = (await client.NextAsync())!;
        return client;
    }

    /// <summary>Sends a command and waits for its confirmation; other events meanwhile are kept.</summary>
    internal async Task<JsonNode> WatchAsync(string command, string? param = null, params string[] parameters)
    {
        int id = ++_lastCommand;
        await SendAsync(new JsonObject
        {
            ["CommandId"] = id,
            ["Command"] = command,
            ["Param"] = param,
            ["Params"] = new JsonArray([.. parameters.Select(text => (JsonNode)text)]),
        }.ToJsonString());
        var others = new List<JsonNode>();
        while (true)
        {
            JsonNode next = (await NextAsync())!;
            if ((string?)next["Type"] == "Confirm" && (int)next["CommandId"]! == id)
            {
                others.ForEach(_events.Enqueue);
                return next;
            }

            Assert.NotEqual("Error", (string?)next["Type"]);
            others.Add(next);
        }
    }

    internal async Task SendAsync(string text)
    {
        using var limit = Deadline.NewToken();
        await _socket.SendAsync(
            Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, endOfMessage: true, limit.Token);
    }

    /// <summary>The next event; null if the server closed the connection, which is then answered.</summary>
    internal async Task<JsonNode?> NextAsync()
    {
        while (_events.Count == 0)
        {
            using var limit = Deadline.NewToken();
            int length = 0;
            ValueWebSocketReceiveResult received;
            do
            {
                received = await _socket.ReceiveAsync(_buffer.AsMemory(length), limit.Token);
                if (received.MessageType == WebSocketMessageType.Close)
                {
                    await AnswerCloseAsync(limit.Token);
                    return null;
                }

                length += received.Count;
            }
            while (!received.EndOfMessage);

            foreach (JsonNode? one in JsonNode.Parse(_buffer.AsSpan(0, length))!.AsArray())
            {
                _events.Enqueue(one!);
            }
        }

        return _events.Dequeue();
    }

    /// <summary>The next event in a few words, such as <c>Put users/1 Users</c>.</summary>
    internal async Task<string> NextDocumentAsync()
    {
        JsonNode value = (await NextAsync())!["Value"]!;
        return $"{value["Type"]} {value["Id"]} {value["CollectionName"]}";
    }

    public void Dispose() => _socket.Dispose();

    private async Task AnswerCloseAsync(CancellationToken limit)
    {
        try
        {
            await _socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, limit);
        }
        catch (WebSocketException)
        {
            // The server did not wait for it.
        }
    }
}
