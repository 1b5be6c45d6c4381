using System.Buffers.Text;
using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>The feed of changes: what a reader that applies it ends with, tokens, deletions, its forms.</summary>
public sealed class FeedHttpTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private static int _count;

    private readonly string _name = $"f{Interlocked.Increment(ref _count)}";

    private TestServer Server => fixture.Server;

    [Fact]
    public async Task A_reader_that_applies_what_it_reads_ends_with_the_collection()
    {
        var random = new Random(7);
        Dictionary<string, string> read = [];
        Dictionary<string, string> stored = [];
        string token = "";
        for (int step = 0; step < 60; step++)
        {
            string id = $"{_name}/{random.Next(8)}";
            if (random.Next(4) == 0)
            {
                await Server.SendAsync("DELETE", $"~/docs?id={id}");
                stored.Remove(id);
            }
            else
            {
                await PutAsync(id, $"\"N\":{step}");
                stored[id] = $"{step}";
            }

            if (random.Next(5) == 0)
            {
                token = await ApplyAsync(read, token, random.Next(1, 4));
            }
        }

        for (string before = "?"; before != token;)
        {
            before = token;
            token = await ApplyAsync(read, token, 3);
        }

        Assert.Equal(stored.OrderBy(one => one.Key), read.OrderBy(one => one.Key));
    }

    [Fact]
    public async Task A_long_poll_waits_for_a_change_from_now_on()
    {
        await PutAsync($"{_name}/1", "\"N\":1");
        HttpAnswer now = await GetAsync("&since=now");
        Assert.Empty(now.Json["Results"]!.AsArray());
        Task<HttpAnswer> waiting = GetAsync($"&wait=2m&docs=false&since={now.Json["Token"]}");
        await PutAsync($"{_name}/2", "\"N\":2");
        JsonNode line = Assert.Single((await waiting.WaitAsync(Deadline.Hang)).Json["Results"]!.AsArray())!;
        Assert.Equal($"{_name}/2", (string?)line["Id"]);
        Assert.Null(line["Doc"]);
        Assert.Empty((await GetAsync($"&wait=10ms&since={line["Token"]}")).Json["Results"]!.AsArray());
    }

    /// <summary>As docs/http/changes.md says: what nobody was told of between two connections is in the feed.</summary>
    [Fact]
    public async Task A_token_closes_the_gap_between_two_connections_of_changes()
    {
        await PutAsync($"{_name}/gone", "\"N\":1");
        string token;
        using (ChangesClient first = await ChangesClient.ConnectAsync(Server))
        {
            await first.WatchAsync("watch-collection", _name);
            token = (string)(await GetAsync("&since=now")).Json["Token"]!;
            await PutAsync($"{_name}/told", "\"N\":2");
            Assert.Equal($"Put {_name}/told {_name}", await first.NextDocumentAsync());
        }

        await PutAsync($"{_name}/missed", "\"N\":3");
        await Server.SendAsync("DELETE", $"~/docs?id={_name}/gone");
        using ChangesClient second = await ChangesClient.ConnectAsync(Server);
        await second.WatchAsync("watch-collection", _name);
        JsonNode gap = (await GetAsync($"&deletes=true&since={token}")).Json;
        await PutAsync($"{_name}/later", "\"N\":4");
        Assert.Equal(
            [$"{_name}/told", $"{_name}/missed", $"{_name}/gone"],
            gap["Results"]!.AsArray().Select(line => (string)line!["Id"]!));
        Assert.True((bool)gap["Results"]![2]!["Deleted"]!);
        Assert.Equal($"Put {_name}/later {_name}", await second.NextDocumentAsync());
    }

    [Fact]
    public async Task A_query_filters_and_projects()
    {
        await PutAsync($"{_name}/1", "\"N\":1");
        await PutAsync($"{_name}/2", "\"N\":2");
        string query = Uri.EscapeDataString($"from {_name} as d where d.N > 1 select {{ M: d.N }}");
        JsonNode line = Assert.Single((await Server.SendAsync("GET", $"~/feed?query={query}"))
            .Expect(HttpStatusCode.OK).Json["Results"]!.AsArray())!;
        Assert.Equal(2, (int)line["Doc"]!["M"]!);
    }

    [Theory]
    [InlineData("jsonl", "{\"Token\":")]
    [InlineData("sse", "id: ")]
    public async Task Changes_are_sent_as_they_happen(string mode, string begin)
    {
        await PutAsync($"{_name}/1", "\"N\":1");
        using HttpResponseMessage answer = await Server.Client.GetAsync(
            $"/databases/db/feed?collection={_name}&mode={mode}&heartbeat=1s",
            HttpCompletionOption.ResponseHeadersRead);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        using var reader = new StreamReader(await answer.Content.ReadAsStreamAsync());
        Assert.StartsWith(begin, await LineAsync(reader), StringComparison.Ordinal);
        await PutAsync($"{_name}/2", "\"N\":2");
        string line = await LineAsync(reader);
        while (!line.Contains($"{_name}/2", StringComparison.Ordinal))
        {
            line = await LineAsync(reader);
        }
    }

    [Fact]
    public async Task Tokens_of_elsewhere_and_other_mistakes_are_refused()
    {
        using TestServer other = await TestServer.WithDatabaseAsync();
        string token = (string)(await other.SendAsync("GET", "~/feed?since=now")).Json["Token"]!;
        (await GetAsync($"&since={token}")).ExpectError(400, "no token of this database");
        (await GetAsync("&since=abc")).ExpectError(400, "no token of this database");
        (await GetAsync("&mode=carrier-pigeon")).ExpectError(400, "mode must be");
        (await GetAsync("&query=from%20X")).ExpectError(400, "of a collection or of a query");
        (await Server.SendAsync("GET", "~/feed?query=from%20X%20order%20by%20N")).ExpectError(400, "order by");
        (await Server.SendAsync("GET", "~/feed?query=from%20X%20(Revisions=true)")).ExpectError(400, "no revisions");
    }

    [Theory]
    [InlineData("longpoll")]
    [InlineData("jsonl")]
    [InlineData("sse")]
    public async Task A_token_of_the_future_or_of_another_opening_is_a_410_with_the_token_to_begin_from(string mode)
    {
        await PutAsync($"{_name}/1", "\"N\":1");
        byte[] own = Base64Url.DecodeFromChars((string)(await GetAsync("&since=now")).Json["Token"]!);
        byte[] future = [.. own];
        future[^3]++;
        byte[] other = [.. own];
        other[20]++;
        foreach (byte[] lost in new[] { future, other })
        {
            HttpAnswer answer = await GetAsync($"&mode={mode}&since={Base64Url.EncodeToString(lost)}");
            answer.ExpectError(410, "Read all again");
            Assert.EndsWith("FeedHistoryLostException", (string?)answer.Json["Type"], StringComparison.Ordinal);
            JsonNode all = (await GetAsync($"&since={answer.Json["OldestToken"]}")).Expect(HttpStatusCode.OK).Json;
            Assert.Equal($"{_name}/1", (string?)Assert.Single(all["Results"]!.AsArray())!["Id"]);
        }
    }

    [Fact]
    public async Task A_token_of_a_lost_tail_is_refused_though_its_etags_were_given_out_again()
    {
        string folder = Directory.CreateTempSubdirectory("raven-feed-").FullName;
        string kept = folder + "-kept";
        try
        {
            string before;
            using (TestServer first = await OnDiskAsync(folder))
            {
                await first.PutAsync("users/1", "{}");
                before = (string)(await first.SendAsync("GET", "~/feed?since=now")).Json["Token"]!;
            }

            Copy(folder, kept);
            string lost;
            using (TestServer second = await OnDiskAsync(folder))
            {
                await second.PutAsync("users/2", "{}");
                lost = (string)(await second.SendAsync("GET", $"~/feed?since={before}")).Json["Token"]!;
            }

            Directory.Delete(folder, recursive: true);
            Copy(kept, folder);
            using TestServer restored = await OnDiskAsync(folder);
            (await restored.SendAsync("GET", $"~/feed?since={lost}")).ExpectError(410, "Read all again");
            await restored.PutAsync("users/3", "{}");
            (await restored.SendAsync("GET", $"~/feed?since={lost}")).ExpectError(410, "Read all again");
            JsonNode rest = (await restored.SendAsync("GET", $"~/feed?since={before}")).Expect(HttpStatusCode.OK).Json;
            Assert.Equal("users/3", (string?)Assert.Single(rest["Results"]!.AsArray())!["Id"]);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
            Directory.Delete(kept, recursive: true);
        }
    }

    private async Task<string> ApplyAsync(Dictionary<string, string> read, string token, int limit)
    {
        JsonNode page = (await GetAsync($"&deletes=true&limit={limit}&since={token}")).Expect(HttpStatusCode.OK).Json;
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

        return (string)page["Token"]!;
    }

    private static async Task<TestServer> OnDiskAsync(string folder)
    {
        TestServer server = new(options => options with { RunInMemory = false, DataDirectory = folder });
        await server.SendAsync("PUT", "/admin/databases?name=db", "{\"DatabaseName\":\"db\"}");
        return server;
    }

    private static void Copy(string from, string to)
    {
        foreach (string file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            string target = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }
    }

    private static async Task<string> LineAsync(StreamReader reader) =>
        (await reader.ReadLineAsync().WaitAsync(Deadline.Hang))!;

    private Task<HttpAnswer> GetAsync(string more) => Server.SendAsync("GET", $"~/feed?collection={_name}{more}");

    private Task<string> PutAsync(string id, string members) =>
        Server.PutAsync(id, $"{{{members},\"@metadata\":{{\"@collection\":\"{_name}\"}}}}");
}
