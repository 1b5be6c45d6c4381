using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Documents;
using Raven.Documents.Indexing;

namespace SlowTests.Server;

/// <summary>Clients of streams of queries that stop reading, and read on when documents have changed.</summary>
[Trait(Category.Shard, "server")]
[Trait(Category.Run, Category.Ci)]
public sealed class SlowQueryClientTests
{
    private const int Documents = 300;
    private const int Changed = 250;
    private const int Deleted = 260;

    private static readonly string Text = new('t', 40_000);

    private static readonly string[] InPlace =
        [.. Enumerable.Range(0, Documents).Where(i => i != Deleted).Select(i => $"{i} {(i == Changed ? 'v' : 't')}")];

    private static readonly string[] ByChange =
    [
        .. Enumerable.Range(0, Documents).Where(i => i is not (Changed or Deleted)).Select(i => $"{i} t"),
        $"{Changed} v", $"{Documents} n",
    ];

    [Theory]
    [InlineData("from Ds", true)]
    [InlineData("from Ds as d select { N: d.N, T: d.T }", true)]
    [InlineData("from Ds as d load d.Other as o filter o.N = -1 select { N: d.N, T: d.T }", true)]
    [InlineData("from Ds select distinct N, T", true)]
    [InlineData("from Ds where startsWith(id(), 'ds/')", false)]
    [Trait("Invariant", "PACE-1")]
    public async Task A_stream_of_documents_with_a_slow_client_continues_from_a_newer_snapshot(
        string query, bool isByChange)
    {
        using TestServer server = await WithDocumentsAsync();
        await AssertAsync(server, query, "jsonl", isByChange ? ByChange : InPlace);
    }

    [Theory]
    [InlineData("from Ds where N >= 0 order by N as long", "jsonl")]
    [InlineData("from Ds where N > -1 order by N as long", "json")]
    [InlineData("from Ds as d where d.N >= 0 order by d.N as long load d.Other as o select { N: d.N, T: d.T }", "json")]
    [InlineData("from index 'Stored' order by N as long select N, T", "jsonl")]
    [InlineData("from index 'Groups' order by N as long", "jsonl")]
    [Trait("Invariant", "PACE-1")]
    [Trait("Invariant", "QRY-2")]
    public async Task A_stream_of_an_index_with_a_slow_client_keeps_its_results_and_reads_their_documents_again(
        string query, string format)
    {
        using TestServer server = await WithDocumentsAsync();
        HttpAnswer made = await server.SendAsync("PUT", "~/indexes", """
            {"Indexes":[
              {"Name":"Stored","Maps":["map('Ds', d => ({ N: d.N, T: d.T }))"],
               "Fields":{"T":{"Indexing":"No","Storage":"Yes"}}},
              {"Name":"Groups","Maps":["map('Ds', d => ({ N: d.N, T: d.T }))"],
               "Reduce":"groupBy(r => r.N).aggregate(g => ({ N: g.key, T: g.values[0].T }))",
               "Fields":{"T":{"Indexing":"No"}}}
            ]}
            """);
        made.Expect(HttpStatusCode.Created);
        await AssertAsync(server, query, format, InPlace);
    }

    private static async Task<TestServer> WithDocumentsAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync(
            options => options with { ResponseBufferSizeBytesMax = 1 << 20 });
        await server.PutAsync("other/1", """{"N":-1}""");
        IEnumerable<string> commands = Enumerable.Range(0, Documents)
            .Select(i => $$"""{"Id":"ds/{{i:000}}","Type":"PUT","Document":{{Json(i, Text)}}}""");
        (await server.SendAsync("POST", "~/bulk_insert", $"[{string.Join(',', commands)}]")).Expect(HttpStatusCode.OK);
        return server;
    }

    private static string Json(int number, string text) =>
        $$$"""{"N":{{{number}}},"T":"{{{text}}}","Other":"other/1","@metadata":{"@collection":"Ds"}}""";

    private static async Task AssertAsync(TestServer server, string query, string format, string[] expected)
    {
        using var sockets = new SocketsHttpHandler { ConnectCallback = ConnectAsync };
        using var client = new HttpClient(sockets);
        string url = $"{server.Host.Url}/databases/db/streams/queries?format={format}&query=";
        using var request = new HttpRequestMessage(HttpMethod.Get, url + Uri.EscapeDataString(query));
        using HttpResponseMessage answer = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead)
            .WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        await AssertNothingIsHeldAsync(server);

        await server.PutAsync($"ds/{Changed}", Json(Changed, "v2"));
        await server.PutAsync("ds/999", Json(Documents, "new"));
        (await server.SendAsync("DELETE", $"~/docs?id=ds/{Deleted}")).Expect(HttpStatusCode.NoContent);

        // Waits for the indexes.
        foreach (string source in new[] { "from index 'Groups'", "from index 'Stored'" })
        {
            await server.SendAsync("GET", $"~/queries?pageSize=0&query={Uri.EscapeDataString(source)}");
        }

        string body = await answer.Content.ReadAsStringAsync().WaitAsync(TimeSpan.FromSeconds(30));
        IEnumerable<JsonNode> results = format == "jsonl"
            ? body.Split('\n', StringSplitOptions.RemoveEmptyEntries)[1..]
                .Select(line => JsonNode.Parse(line)!["Item"]!)
            : JsonNode.Parse(body)!["Results"]!.AsArray()!;
        Assert.Equal(expected, results.Select(one => $"{(int)one["N"]!} {((string)one["T"]!)[0]}"));
    }

    /// <summary>
    /// The snapshots of documents and of indexes are let go while the client does not read, which would hold them for
    /// as long as the test lasts. It takes milliseconds; the bound is for a machine that runs all tests at once.
    /// </summary>
    private static async Task AssertNothingIsHeldAsync(TestServer server)
    {
        Assert.True(server.Host.State.Databases.TryGet("db", out Database? database));
        var watch = Stopwatch.StartNew();
        double age;
        do
        {
            await Task.Delay(700);
            Assert.True(database.TryGetStorageStatistics(out Raven.Storage.Transactions.StorageStatistics? documents));
            age = database.Indexes.All.Select(index => index.OpenedStorage?.Search.GetStorageStatistics())
                .Append(documents).Max(one => one?.OldestReader.Age.TotalMilliseconds ?? 0);
        }
        while (age > 500 && watch.Elapsed < TimeSpan.FromSeconds(20));

        Assert.True(age <= 500, $"A snapshot has been held for {age} ms.");
    }

    private static async ValueTask<Stream> ConnectAsync(
        SocketsHttpConnectionContext connection, CancellationToken cancellation)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 8192 };
        await socket.ConnectAsync(connection.DnsEndPoint, cancellation);
        return new NetworkStream(socket, ownsSocket: true);
    }
}
