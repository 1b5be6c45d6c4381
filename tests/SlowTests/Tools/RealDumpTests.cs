using System.Security.Cryptography;
using System.Text.Json.Nodes;
using FastTests.Server;
using FastTests.Smuggler;
using SlowTests.Support;

namespace SlowTests.Tools;

/// <summary>
/// A dump that a RavenDB 4.1 wrote (build 41004), with raw control characters in three of its texts: all of it arrives,
/// in numbers that were counted by another program. The file may not be passed on: where it is not, the test is skipped
/// and says so.
/// </summary>
[Trait(Category.Shard, "import")]
[Trait(Category.Run, Category.Ci)]
public sealed class RealDumpTests
{
    private const string Name = "media_subset.ravendbdump";
    private const int Count = 9330;

    [Fact]
    [Trait("Row", "84")]
    public async Task A_dump_of_RavenDB_4_1_is_imported_with_exactly_known_counts()
    {
        byte[] dump = await ReadAsync();
        Assert.Equal(
            "CA9A9AB8291B63CA661AD602245BD85CCFC72B07096AD6BB4EEBCBCCBCE38035",
            Convert.ToHexString(SHA256.HashData(dump)));
        using TestServer server = await TestServer.WithDatabaseAsync();

        // Twice: what is there already is written over, and nothing is doubled.
        for (int run = 0; run < 2; run++)
        {
            CheckResult(await server.ImportAsync(dump));
        }

        JsonNode counts = (await server.SendAsync("GET", "~/collections/stats")).Json;
        Assert.Equal(Count, (int)counts["CountOfDocuments"]!);
        Assert.Equal($$"""{"LastFms":{{Count}}}""", counts["Collections"]!.ToJsonString());
        await CheckTextsAsync(server);
        await CheckQueriesAsync(server);
    }

    private static void CheckResult(JsonNode result)
    {
        Assert.Equal(Count, (int)result["Documents"]!["ReadCount"]!);
        Assert.Equal(1, (int)result["Indexes"]!["ReadCount"]!);
        foreach (string section in new[] { "Documents", "Indexes" })
        {
            Assert.Equal(0, (int)result[section]!["ErroredCount"]!);
        }

        foreach (string section in new[] { "RevisionDocuments", "Counters", "Identities", "CompareExchange" })
        {
            Assert.Equal(0, (int)result[section]!["ReadCount"]!);
        }
    }

    private static async Task CheckTextsAsync(TestServer server)
    {
        foreach ((string id, string title) in new[]
        {
            ("lastfm/3771", "I\u0019m Slowly Turning Into You"), ("lastfm/5870", "Castle Of K\u0019of\u0019w"),
            ("lastfm/6939", "Baila Baila \u0013 Vent Remix"),
        })
        {
            JsonNode document = await ReadDocumentAsync(server, id);
            Assert.Equal(title, (string?)document["Title"]);
        }

        JsonNode last = await ReadDocumentAsync(server, $"lastfm/{Count}");
        Assert.Equal("Zombie Girl", (string?)last["Artist"]);
        Assert.Equal(10, last["Tags"]!.AsArray().Count);
        Assert.Equal("DemoMethods.Entities.LastFm, DemoMethods", (string?)last["@metadata"]!["Raven-Clr-Type"]);
    }

    private static async Task CheckQueriesAsync(TestServer server)
    {
        foreach ((string query, int count) in new[]
        {
            ("from LastFms where Artist = 'Muse'", 7), ("from LastFms where Tags = 'rock'", 1161),
            ("from LastFms where startsWith(TimeStamp, '2011-08')", 7301),
            ("from index 'LastFmAnalyzed' where search(Query, 'zombie')", 7),
            ("from index 'LastFmAnalyzed' where search(Query, 'unplugged')", 11),
            ("from index 'LastFmAnalyzed'", Count),
        })
        {
            HttpAnswer answer = await server.SendAsync(
                "POST", "~/queries", $$"""{"Query":"{{query}} limit 0","WaitForNonStaleResults":true}""");
            Assert.True(count == (int)answer.Json["TotalResults"]!, $"{query}: {answer.Json["TotalResults"]}");
        }
    }

    private static async Task<JsonNode> ReadDocumentAsync(TestServer server, string id) =>
        (await server.SendAsync("GET", $"~/docs?id={id}")).Json["Results"]![0]!;

    /// <summary>The file, from the folder of the data sets or from that which lies beside a checkout.</summary>
    private static async Task<byte[]> ReadAsync()
    {
        string folder = Environment.GetEnvironmentVariable("DEV_BENCH_DATA")
            ?? Path.Combine(NodeProgram.Root, "..", "shared", "data");
        string path = Path.Combine(folder, Name);
        Assert.SkipUnless(
            File.Exists(path), $"{Name} is not in {folder}; DEV_BENCH_DATA names the folder that has it.");
        return await File.ReadAllBytesAsync(path);
    }
}
