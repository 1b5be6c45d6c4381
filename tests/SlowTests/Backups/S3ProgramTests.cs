using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using Shared.Backups;

namespace SlowTests.Backups;

/// <summary>Backups to a server of S3 that others have written, through connections that break off.</summary>
public sealed class S3ProgramTests
{
    private const int LargeBytes = 20 << 20;

    [Fact]
    [Trait("Row", "79")]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "backups")]
    public async Task Chains_go_there_and_come_back_the_same()
    {
        using S3Program s3 = S3Program.Start();
        using TestServer server = Start(s3.Port);
        await PlayAsync(server, s3.Port, seeds: 5, length: 3);
    }

    [Fact]
    [Trait("Row", "70")]
    [Trait(Category.Shard, "backups-s3")]
    public async Task Fifty_chains_of_five_go_there_and_come_back_the_same_through_connections_that_break_off()
    {
        using S3Program s3 = S3Program.Start();
        var random = new Random(50);
        await using var relay = new CuttingRelay(
            s3.Port, () =>
            {
                lock (random)
                {
                    return random.Next(4) == 0 ? random.Next(1, 60_000) : int.MaxValue;
                }
            });
        using TestServer server = Start(relay.Port);
        await PlayAsync(server, relay.Port, seeds: 50, length: 5);
        Assert.True(relay.Cuts > 50, $"only {relay.Cuts} connections were cut off");
    }

    [Fact]
    [Trait("Row", "79")]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "backups")]
    public async Task A_large_file_goes_in_parts_and_a_wrong_key_is_said_to_be_one()
    {
        using S3Program s3 = S3Program.Start();
        using TestServer server = Start(s3.Port);
        (await server.SendAsync("PUT", "/admin/databases?name=large", """{"DatabaseName":"large"}"""))
            .Expect(HttpStatusCode.Created);
        byte[] bytes = new byte[LargeBytes];
        new Random(4).NextBytes(bytes);
        (await server.SendAsync("PUT", "/databases/large/docs?id=a", "{}")).Expect(HttpStatusCode.Created);
        string text = Convert.ToBase64String(bytes);
        (await server.SendAsync("PUT", "/databases/large/attachments?id=a&name=b", text))
            .Expect(HttpStatusCode.Created);
        const string folder = "a folder/ä + %/large";
        JsonNode made = await EndAsync(server, "/databases/large/admin/backup", $$"""
            {"S3Settings":{{S3Program.Settings(s3.Port, folder)}}}
            """);
        Assert.True((long)made["LocalBackup"]!["SizeInBytes"]! > LargeBytes);
        HttpAnswer points = await server.SendAsync(
            "POST", "/admin/restore/points?type=S3", S3Program.Settings(s3.Port, folder));
        string location = (string)Assert.Single(points.Json["List"]!.AsArray())!["Location"]!;
        await EndAsync(server, "/admin/restore/database", $$"""
            {"DatabaseName":"copy","Type":"S3",
             "Settings":{{S3Program.Settings(s3.Port, location["s3://backups/".Length..])}}}
            """);
        HttpAnswer back = await server.SendAsync("GET", "/databases/copy/attachments?id=a&name=b");
        Assert.Equal(text, Encoding.ASCII.GetString(back.Bytes));

        HttpAnswer tested = await server.SendAsync(
            "POST", "/studio-tasks/periodic-backup/test-credentials?type=S3",
            S3Program.Settings(s3.Port, folder, "another"));
        Assert.Contains("InvalidAccessKeyId", (string?)tested.Json["Error"], StringComparison.Ordinal);
        tested = await server.SendAsync(
            "POST", "/studio-tasks/periodic-backup/test-credentials?type=S3", S3Program.Settings(s3.Port, folder));
        Assert.Null((string?)tested.Json["Error"]);
    }

    private static TestServer Start(int port) => new(options => options with
    {
        BackupHosts = [$"127.0.0.1:{port}"],
        BackupRetryPause = TimeSpan.FromMilliseconds(5),
    });

    private static async Task PlayAsync(TestServer server, int port, int seeds, int length)
    {
        var history = new BackupHistory(
            async (method, path, body) =>
            {
                HttpAnswer answer = await server.SendAsync(method, path, body);
                return (answer.Status, answer.Bytes);
            },
            id => server.Host.State.Operations.Find(null, id)!.Ended,
            new BackupTarget(
                name => $",\"S3Settings\":{S3Program.Settings(port, name)}",
                (name, folder) => $",\"Type\":\"S3\",\"Settings\":{S3Program.Settings(port, $"{name}/{folder}")}"));
        for (int seed = 1; seed <= seeds; seed++)
        {
            await history.PlayAsync($"s{seed}", seed, length);
        }
    }

    private static async Task<JsonNode> EndAsync(TestServer server, string path, string body)
    {
        long id = (long)(await server.SendAsync("POST", path, body)).Expect(HttpStatusCode.OK).Json["OperationId"]!;
        await server.Host.State.Operations.Find(null, id)!.Ended;
        JsonNode state = (await server.SendAsync("GET", $"/operations/state?id={id}")).Json;
        Assert.True((string?)state["Status"] == "Completed", state.ToJsonString());
        return state["Result"]!;
    }
}
