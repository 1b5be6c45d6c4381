using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using FastTests.Server;

namespace SlowTests.Server;

/// <summary>Clients that stop reading, or leave, hold nothing back.</summary>
[Trait(Category.Shard, "server")]
[Trait(Category.Run, Category.Ci)]
public sealed class SlowClientTests
{
    private const int Documents = 300;

    [Theory]
    [InlineData("streams/docs")]
    [InlineData("streams/docs?startsWith=d&format=jsonl")]
    [InlineData("docs?start=0&pageSize=100000")]
    [Trait("Invariant", "PACE-1")]
    public async Task A_client_that_stops_reading_holds_no_snapshot(string path)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string text = new('t', 100_000);
        foreach (int i in Enumerable.Range(0, Documents))
        {
            await server.PutAsync($"d/{i}", $"{{\"T\":\"{text}\"}}");
        }

        await AssertHoldsNothingAsync(server, path, Documents * text.Length);
    }

    [Fact]
    public async Task A_client_that_stops_reading_a_list_of_revisions_or_values_holds_no_snapshot()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            options => options with { ResponseBufferSizeBytesMax = 1 << 20 });
        (await server.SendAsync("POST", "~/admin/revisions/config", """{"Default":{}}""")).Expect(HttpStatusCode.OK);
        string text = new('t', 100_000);
        foreach (int i in Enumerable.Range(0, Documents / 2))
        {
            await server.PutAsync("a", $"{{\"N\":{i},\"T\":\"{text}\"}}");
            (await server.SendAsync("PUT", $"~/cmpxchg?key=k/{i:000}&index=0", $"{{\"Object\":\"{text}{i}\"}}"))
                .Expect(HttpStatusCode.OK);
        }

        string body = await AssertHoldsNothingAsync(server, "revisions?id=a&pageSize=1000", 14_000_000);
        Assert.All(
            Enumerable.Range(0, Documents / 2), i => Assert.Contains($"\"N\":{i},", body, StringComparison.Ordinal));
        body = await AssertHoldsNothingAsync(server, "cmpxchg?startsWith=k/", 14_000_000);
        Assert.All(
            Enumerable.Range(0, Documents / 2), i => Assert.Contains($"\"k/{i:000}\"", body, StringComparison.Ordinal));
    }

    /// <summary>
    /// Below the limit of the buffer (8 MB) the whole answer is made first, and its snapshot released: nothing is
    /// renewed for it, and a write that comes before the client reads is not in it.
    /// </summary>
    [Theory]
    [InlineData("by ids")]
    [InlineData("by prefix")]
    [InlineData("by query")]
    [Trait("Invariant", "QRY-2")]
    public async Task An_answer_that_fits_into_the_buffer_is_of_one_snapshot_which_is_not_held_for_the_client(
        string way)
    {
        const int count = 70;
        using TestServer server = await TestServer.WithDatabaseAsync();
        string text = new('t', 100_000);
        foreach (int i in Enumerable.Range(0, count))
        {
            await server.PutAsync($"d/{i}", $"{{\"V\":\"old\",\"T\":\"{text}\"}}");
        }

        string path = way switch
        {
            "by ids" => "docs?" + string.Join('&', Enumerable.Range(0, count).Select(i => $"id=d/{i}")),
            "by prefix" => "docs?startsWith=d/&pageSize=1000",
            _ => "queries?query=from%20%40all_docs",
        };
        string body = await AssertHoldsNothingAsync(server, path, count * text.Length, async () =>
        {
            foreach (int i in Enumerable.Range(0, count))
            {
                await server.PutAsync($"d/{i}", "{\"V\":\"new\"}");
            }
        });
        Assert.Contains("Content-Length: ", body[..1000], StringComparison.Ordinal);
        Assert.Equal(count, Regex.Count(body, "\"V\":\"old\""));
        Assert.DoesNotContain("\"V\":\"new\"", body, StringComparison.Ordinal);
    }

    /// <summary>Asks, reads nothing until no snapshot is held, and then all.</summary>
    private static async Task<string> AssertHoldsNothingAsync(
        TestServer server, string path, long bytes, Func<Task>? meanwhile = null)
    {
        using var client = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 8192 };
        await client.ConnectAsync("127.0.0.1", server.Port);
        client.Send(Encoding.ASCII.GetBytes($"GET /databases/db/{path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        byte[] head = new byte[1000];
        int headLength = await client.ReceiveAsync(head);
        Assert.True(headLength > 0);
        await (meanwhile?.Invoke() ?? Task.CompletedTask);
        long age = long.MaxValue;
        for (int looks = 0; age > 500 && looks < 3; looks++)
        {
            // By then the sockets are full and the server waits.
            await Task.Delay(1000);
            JsonNode report = (await server.SendAsync("GET", "~/debug/storage/report")).Json;
            age = (long)report["OldestReaderMilliseconds"]!;
        }

        // Held for the client's sake it would be older by the second; how soon a busy machine answers is not asked.
        Assert.True(age <= 500, $"A snapshot was held for {age} ms.");

        // A client that continues to read gets all of it.
        StringBuilder body = new StringBuilder().Append(Encoding.Latin1.GetString(head, 0, headLength));
        byte[] piece = new byte[1 << 20];
        while (body.Length < bytes || !IsWhole(body))
        {
            int count = await client.ReceiveAsync(piece).WaitAsync(TimeSpan.FromSeconds(10));
            Assert.True(count > 0, $"closed after {body.Length} bytes");
            body.Append(Encoding.Latin1.GetString(piece, 0, count));
        }

        // Without the lengths of the chunks.
        return Regex.Replace(body.ToString(), "\r\n[0-9a-f]+\r\n", "");
    }

    /// <summary>A whole answer has its length in front; one in chunks ends with an empty one.</summary>
    private static bool IsWhole(StringBuilder answer)
    {
        string begin = answer.ToString(0, Math.Min(answer.Length, 1000));
        Match length = Regex.Match(begin, "Content-Length: ([0-9]+)\r\n");
        int bodyAt = begin.IndexOf("\r\n\r\n", StringComparison.Ordinal) + 4;
        return length.Success
            ? answer.Length >= bodyAt + int.Parse(length.Groups[1].Value, CultureInfo.InvariantCulture)
            : answer.ToString(answer.Length - 5, 5).Equals("0\r\n\r\n", StringComparison.Ordinal);
    }
}
