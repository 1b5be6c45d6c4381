using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using SlowTests.Client;
using SlowTests.Support;

namespace SlowTests.Server;

/// <summary>
/// Random writes, deletions and changes of the collection, with compactions, restarts and kills of the real server
/// between them: a reader that applies the feed, and goes on from its token, has what the database has.
/// </summary>
[Trait(Category.Shard, "subscriptions")]
public sealed class FeedTests : IDisposable
{
    private const int Documents = 40;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Dictionary<string, string> _read = [];
    private readonly Dictionary<string, string> _readOfOne = [];
    private HttpClient _client = new();
    private string _token = "";
    private string _tokenOfOne = "";

    public void Dispose() => _client.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task A_reader_that_applies_the_feed_has_what_the_database_has(int seed)
    {
        var random = new Random(seed);
        string folder = Directory.CreateTempSubdirectory("raven-feed-").FullName;
        int port = SamplesTests.FreePort();
        ServerProcess server = Start(folder, port);
        try
        {
            (await SendAsync(HttpMethod.Put, "/admin/databases?name=db", "{}")).EnsureSuccessStatusCode();
            for (int round = 0; round < 12; round++)
            {
                await ChangeAsync(random);
                switch (random.Next(4))
                {
                    case 0:
                        await CompactAsync();
                        break;
                    case 1:
                        server.Dispose();
                        server = Start(folder, port);
                        break;
                    case 2:
                        server.Kill();
                        server.Dispose();
                        server = Start(folder, port);
                        break;
                }

                if (random.Next(2) == 0)
                {
                    await CheckAsync(seed, random);
                }
            }

            await CompactAsync();
            await CheckAsync(seed, random);
        }
        finally
        {
            server.Dispose();
            _client.Dispose();
            Directory.Delete(folder, recursive: true);
        }
    }

    private ServerProcess Start(string folder, int port)
    {
        ServerProcess server = ServerProcess.Start(folder, $"--ServerUrl=http://127.0.0.1:{port}");
        _client.Dispose();
        _client = new HttpClient { BaseAddress = new Uri(server.Url), Timeout = Patience };
        return server;
    }

    private async Task ChangeAsync(Random random)
    {
        for (int i = random.Next(20, 200); i > 0; i--)
        {
            string id = $"docs/{random.Next(Documents)}";
            if (random.Next(4) == 0)
            {
                await SendAsync(HttpMethod.Delete, $"/databases/db/docs?id={id}");
                continue;
            }

            string number = random.Next(1_000_000).ToString(CultureInfo.InvariantCulture);
            string collection = random.Next(3) == 0 ? "Others" : "Ones";
            (await SendAsync(
                HttpMethod.Put, $"/databases/db/docs?id={id}",
                $$$"""{"N":{{{number}}},"@metadata":{"@collection":"{{{collection}}}"}}""")).EnsureSuccessStatusCode();
        }
    }

    private async Task CompactAsync()
    {
        using HttpResponseMessage started = await SendAsync(
            HttpMethod.Post, "/admin/compact", """{"DatabaseName":"db","Documents":true}""");
        long id = (long)JsonNode.Parse(await started.Content.ReadAsStringAsync())!["OperationId"]!;
        using var limit = new CancellationTokenSource(Patience);
        while (true)
        {
            JsonNode state = JsonNode.Parse(await _client.GetStringAsync(
                new Uri($"/operations/state?id={id}", UriKind.Relative), limit.Token))!;
            if ((string?)state["Status"] != "InProgress")
            {
                Assert.Equal("Completed", (string?)state["Status"]);
                return;
            }

            await Task.Delay(20, limit.Token);
        }
    }

    private async Task CheckAsync(int seed, Random random)
    {
        _token = await ReadAsync(_read, "", _token, random.Next(1, 50));
        _tokenOfOne = await ReadAsync(_readOfOne, "&collection=Ones", _tokenOfOne, random.Next(1, 50));
        JsonNode all = JsonNode.Parse(await _client.GetStringAsync(
            new Uri($"/databases/db/docs?pageSize={Documents * 2}", UriKind.Relative)))!;
        Dictionary<string, string> stored = [];
        Dictionary<string, string> ofOne = [];
        foreach (JsonNode? document in all["Results"]!.AsArray())
        {
            string id = (string)document!["@metadata"]!["@id"]!;
            stored[id] = document["N"]!.ToString();
            if ((string?)document["@metadata"]!["@collection"] == "Ones")
            {
                ofOne[id] = stored[id];
            }
        }

        Assert.True(IsSame(stored, _read), $"seed {seed}: the feed of all documents differs");
        Assert.True(IsSame(ofOne, _readOfOne), $"seed {seed}: the feed of one collection differs");
    }

    private static bool IsSame(Dictionary<string, string> left, Dictionary<string, string> right) =>
        left.OrderBy(one => one.Key, StringComparer.Ordinal)
            .SequenceEqual(right.OrderBy(one => one.Key, StringComparer.Ordinal));

    private async Task<string> ReadAsync(Dictionary<string, string> read, string what, string token, int limit)
    {
        for (string before = "?"; before != token;)
        {
            before = token;
            JsonNode page = JsonNode.Parse(await _client.GetStringAsync(new Uri(
                $"/databases/db/feed?deletes=true&limit={limit}{what}&since={token}", UriKind.Relative)))!;
            foreach (JsonNode? line in page["Results"]!.AsArray())
            {
                string id = (string)line!["Id"]!;
                if (line["Deleted"] is not null)
                {
                    read.Remove(id);
                }
                else
                {
                    read[id] = line["Doc"]!["N"]!.ToString();
                }
            }

            token = (string)page["Token"]!;
        }

        return token;
    }

    private async Task<HttpResponseMessage> SendAsync(HttpMethod method, string path, string? body = null)
    {
        using var request = new HttpRequestMessage(method, path)
        {
            Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json"),
        };
        HttpResponseMessage answer = await _client.SendAsync(request);
        Assert.True(answer.StatusCode < HttpStatusCode.BadRequest, $"{method} {path}: {answer.StatusCode}");
        return answer;
    }
}
