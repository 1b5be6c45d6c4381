using System.Diagnostics;
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

    /// <summary>Asks, reads nothing until no snapshot is held, and then all.</summary>
    private static async Task<string> AssertHoldsNothingAsync(TestServer server, string path, long bytes)
    {
        using var client = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 8192 };
        await client.ConnectAsync("127.0.0.1", server.Port);
        client.Send(Encoding.ASCII.GetBytes($"GET /databases/db/{path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        byte[] head = new byte[1000];
        int headLength = await client.ReceiveAsync(head);
        Assert.True(headLength > 0);
        var watch = Stopwatch.StartNew();
        long age = long.MaxValue;
        while (age > 500 && watch.Elapsed < TimeSpan.FromSeconds(10))
        {
            // By then the sockets are full and the server waits.
            await Task.Delay(1000);
            JsonNode report = (await server.SendAsync("GET", "~/debug/storage/report")).Json;
            age = (long)report["OldestReaderMilliseconds"]!;
        }

        Assert.True(watch.Elapsed < TimeSpan.FromSeconds(3), $"A snapshot was held for {age} ms.");

        // Who reads on gets all of it.
        StringBuilder body = new StringBuilder().Append(Encoding.Latin1.GetString(head, 0, headLength));
        byte[] piece = new byte[1 << 20];
        while (body.Length < bytes || !body.ToString(body.Length - 5, 5).Equals("0\r\n\r\n", StringComparison.Ordinal))
        {
            int count = await client.ReceiveAsync(piece).WaitAsync(TimeSpan.FromSeconds(10));
            Assert.True(count > 0, $"closed after {body.Length} bytes");
            body.Append(Encoding.Latin1.GetString(piece, 0, count));
        }

        // Without the lengths of the chunks.
        return Regex.Replace(body.ToString(), "\r\n[0-9a-f]+\r\n", "");
    }
}
