using System.Diagnostics;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json.Nodes;
using SlowTests.Support;

namespace SlowTests.Storage;

/// <summary>A server that was killed with a gigabyte of journal behind it serves again in seconds.</summary>
[Trait(Category.Shard, "kill")]
public sealed class RecoveryTimeTests(ITestOutputHelper output)
{
    private const int Databases = 20;
    private const int DocumentsPerStep = 2_000;
    private const long JournalBytesMin = 1L << 30;
    private const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private static readonly TimeSpan ReadyMax = TimeSpan.FromSeconds(5);

    private readonly Random _random = new(9);

    [Fact]
    public async Task Twenty_databases_with_a_gigabyte_of_journal_are_ready_in_five_seconds()
    {
        string folder = Directory.CreateTempSubdirectory("raven-recovery-").FullName;
        try
        {
            (int documents, long journal, string[] last) = await FillAndKillAsync(folder);
            var watch = Stopwatch.StartNew();
            using ServerProcess server = ServerProcess.Start(folder);
            TimeSpan available = watch.Elapsed;
            using HttpClient client = ClientOf(server);
            string[] found = await Task.WhenAll(
                Enumerable.Range(0, Databases).Select(i => client.GetStringAsync($"/databases/db{i}/docs?id=last")));
            TimeSpan ready = watch.Elapsed;
            for (int i = 0; i < Databases; i++)
            {
                Assert.Equal(last[i], (string?)JsonNode.Parse(found[i])!["Results"]![0]!["T"]);
                JsonNode statistics = await GetAsync(client, $"/databases/db{i}/stats");
                Assert.Equal(documents + 1, (int)statistics["CountOfDocuments"]!);
            }

            output.WriteLine(
                $"{Databases} databases of {documents:N0} documents, {journal >> 20} MB of journal: available after "
                + $"{available.TotalSeconds:F2} s, all of them answered after {ready.TotalSeconds:F2} s");
            Assert.True(ready <= ReadyMax, $"ready after {ready.TotalSeconds:F2} s");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <returns>The documents of each database beside the last, the journal of all, and the last documents.</returns>
    private async Task<(int Documents, long JournalBytes, string[] Last)> FillAndKillAsync(string folder)
    {
        using ServerProcess server = ServerProcess.Start(folder);
        using HttpClient client = ClientOf(server);
        for (int i = 0; i < Databases; i++)
        {
            (await client.PutAsync($"/admin/databases?name=db{i}", Json("{}"))).EnsureSuccessStatusCode();
        }

        int documents = 0;
        long journal = 0;
        while (journal < JournalBytesMin)
        {
            journal = 0;
            for (int i = 0; i < Databases; i++)
            {
                (await client.PostAsync($"/databases/db{i}/bulk_insert", Step(documents))).EnsureSuccessStatusCode();
                JsonNode report = await GetAsync(client, $"/databases/db{i}/debug/storage/report");
                journal += (long)report["JournalBacklogBytes"]!;
                Assert.Equal(0, (long)report["Flushes"]!);
            }

            documents += DocumentsPerStep;
        }

        var last = new string[Databases];
        for (int i = 0; i < Databases; i++)
        {
            last[i] = RandomText();
            StringContent body = Json($$"""{"T":"{{last[i]}}"}""");
            (await client.PutAsync($"/databases/db{i}/docs?id=last", body)).EnsureSuccessStatusCode();
        }

        server.Kill();
        return (documents, journal, last);
    }

    /// <summary>Documents of a kilobyte that do not pack.</summary>
    private StringContent Step(int first)
    {
        var body = new StringBuilder("[");
        for (int i = first; i < first + DocumentsPerStep; i++)
        {
            body.Append(i == first ? "" : ",");
            body.Append($$$"""{"Id":"d/{{{i}}}","Type":"PUT","Document":{"T":"{{{RandomText()}}}"}}""");
        }

        return Json(body.Append(']').ToString());
    }

    private string RandomText() => new(_random.GetItems<char>(Letters, 1000));

    private static StringContent Json(string text) => new StringContent(text, Encoding.UTF8, "application/json");

    private static HttpClient ClientOf(ServerProcess server) =>
        new() { BaseAddress = new Uri(server.Url), Timeout = TimeSpan.FromMinutes(5) };

    private static async Task<JsonNode> GetAsync(HttpClient client, string path) =>
        (await client.GetFromJsonAsync<JsonNode>(path))!;
}
