using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>A worker of a subscription that sends and reads bytes itself.</summary>
internal sealed class SubscriptionClient : IDisposable
{
    internal const string Header =
        "{\"DatabaseName\":\"db\",\"Operation\":\"Subscription\",\"OperationVersion\":53000,\"AuthorizeInfo\":null,"
        + "\"LicensedFeatures\":{\"dataCompression\":false}}";

    private readonly TcpClient _client = new();
    private readonly Stream _stream;
    private readonly List<byte> _received = [];

    internal SubscriptionClient(int port)
    {
        _client.Connect("127.0.0.1", port);
        _client.NoDelay = true;
        _client.ReceiveTimeout = (int)Deadline.Hang.TotalMilliseconds;
        _stream = _client.GetStream();
    }

    /// <summary>A worker that was let in.</summary>
    internal static SubscriptionClient Connect(int port, string name, string options = "")
    {
        var client = new SubscriptionClient(port);
        client.Send(Header);
        Assert.Equal("Ok", (string?)client.Read()["Status"]);
        client.Send(Options(name, options));
        JsonNode status = client.Read();
        Assert.Equal("ConnectionStatus Accepted", $"{status["Type"]} {status["Status"]}");
        return client;
    }

    internal static string Options(string name, string more = "") =>
        $"{{\"SubscriptionName\":\"{name}\",\"TimeToWaitBeforeConnectionRetry\":\"00:00:05\","
        + $"\"MaxDocsPerBatch\":4096{more}}}";

    internal void Send(string text) => _stream.Write(Encoding.UTF8.GetBytes(text));

    /// <summary>The next message; white space before it is skipped.</summary>
    internal JsonNode Read()
    {
        while (true)
        {
            if (TryParse(out JsonNode? message))
            {
                return message!;
            }

            byte[] buffer = new byte[64 * 1024];
            int count = _stream.Read(buffer);
            Assert.True(count > 0, $"The connection has ended; there is '{Encoding.UTF8.GetString([.. _received])}'.");
            _received.AddRange(buffer.AsSpan(0, count));
        }
    }

    /// <summary>The ids of the documents up to the end of the batch.</summary>
    internal string[] ReadBatch()
    {
        List<string> ids = [];
        while (true)
        {
            JsonNode message = Read();
            switch ((string?)message["Type"])
            {
                case "Data":
                    ids.Add((string)message["Data"]!["@metadata"]!["@id"]!);
                    break;
                case "EndOfBatch":
                    return [.. ids];
                default:
                    Assert.Fail($"This was not expected: {message}");
                    break;
            }
        }
    }

    internal void Acknowledge()
    {
        Send("{\"Type\":\"Acknowledge\"}");
        Assert.Equal("Confirm", (string?)Read()["Type"]);
    }

    /// <summary>Whether the server ends the connection, and sends nothing more.</summary>
    internal bool IsEnded()
    {
        byte[] buffer = new byte[1024];
        return _received.TrueForAll(one => char.IsWhiteSpace((char)one)) && _stream.Read(buffer) == 0;
    }

    public void Dispose() => _client.Dispose();

    private bool TryParse(out JsonNode? message)
    {
        message = null;
        byte[] bytes = [.. _received];
        int start = Array.FindIndex(bytes, one => !char.IsWhiteSpace((char)one));
        if (start < 0)
        {
            return false;
        }

        var reader = new Utf8JsonReader(bytes.AsSpan(start), isFinalBlock: false, default);
        if (!JsonDocument.TryParseValue(ref reader, out JsonDocument? document))
        {
            return false;
        }

        using (document)
        {
            message = JsonNode.Parse(document.RootElement.GetRawText());
        }

        _received.RemoveRange(0, start + (int)reader.BytesConsumed);
        return true;
    }
}
