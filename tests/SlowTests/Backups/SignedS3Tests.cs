using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using Shared.Backups;

namespace SlowTests.Backups;

/// <summary>Backups to a server of S3 that others have written and that checks the signature of each request, has too
/// many requests now and then, and loses connections.</summary>
[Trait(Category.Shard, "backups-signed")]
public sealed class SignedS3Tests
{
    private const int LargeBytes = 20 << 20;

    [Fact]
    [Trait("Row", "79")]
    [Trait(Category.Run, Category.Ci)]
    public async Task Chains_go_there_and_come_back_the_same()
    {
        using SwiftProgram s3 = await SwiftProgram.StartAsync();
        using TestServer server = Start(s3.Port);
        await PlayAsync(server, s3.Port, seeds: 3, length: 3);
    }

    [Fact]
    [Trait("Row", "70")]
    [Trait("Row", "78")]
    public async Task Fifty_chains_of_five_go_there_through_requests_that_are_too_many_and_connections_that_break_off()
    {
        using SwiftProgram s3 = await SwiftProgram.StartAsync(slowDownEvery: 7);
        var random = new Random(51);
        await using var relay = new CuttingRelay(
            s3.Port, () =>
            {
                lock (random)
                {
                    return random.Next(6) == 0 ? random.Next(1, 60_000) : int.MaxValue;
                }
            });
        using TestServer server = Start(relay.Port);
        await PlayAsync(server, relay.Port, seeds: 50, length: 5);
        Assert.True(relay.Cuts > 20, $"only {relay.Cuts} connections were cut off");
    }

    [Fact]
    [Trait("Row", "79")]
    [Trait(Category.Run, Category.Ci)]
    public async Task Names_that_must_be_escaped_empty_files_and_parts_are_signed_as_the_server_expects()
    {
        using SwiftProgram s3 = await SwiftProgram.StartAsync();
        using TestServer server = Start(s3.Port);
        (await server.SendAsync("PUT", "/admin/databases?name=large", """{"DatabaseName":"large"}"""))
            .Expect(HttpStatusCode.Created);
        byte[] bytes = new byte[LargeBytes];
        new Random(4).NextBytes(bytes);
        (await server.SendAsync("PUT", "/databases/large/docs?id=a", "{}")).Expect(HttpStatusCode.Created);
        string text = Convert.ToBase64String(bytes);
        (await server.SendAsync("PUT", "/databases/large/attachments?id=a&name=b", text))
            .Expect(HttpStatusCode.Created);
        const string folder = "a folder/ä + % = & ~!'()*/large";
        string made = $$"""{"S3Settings":{{SwiftProgram.Settings(s3.Port, folder)}} }""";
        JsonNode result = await EndAsync(server, "/databases/large/admin/backup", made);
        Assert.True((long)result["LocalBackup"]!["SizeInBytes"]! > LargeBytes);
        HttpAnswer points = await server.SendAsync(
            "POST", "/admin/restore/points?type=S3", SwiftProgram.Settings(s3.Port, folder));
        string location = (string)Assert.Single(points.Expect(HttpStatusCode.OK).Json["List"]!.AsArray())!["Location"]!;
        await EndAsync(server, "/admin/restore/database", $$"""
            {"DatabaseName":"copy","Type":"S3",
             "Settings":{{SwiftProgram.Settings(s3.Port, location["s3://backups/".Length..])}} }
            """);
        HttpAnswer back = await server.SendAsync("GET", "/databases/copy/attachments?id=a&name=b");
        Assert.Equal(text, Encoding.ASCII.GetString(back.Bytes));
    }

    [Theory]
    [Trait("Row", "79")]
    [Trait(Category.Run, Category.Ci)]
    [InlineData(SwiftProgram.Key, SwiftProgram.Secret, SwiftProgram.Region, null)]
    [InlineData(SwiftProgram.Key, "s3cr3t+/", SwiftProgram.Region, "SignatureDoesNotMatch")]
    [InlineData("raven:other", SwiftProgram.Secret, SwiftProgram.Region, "(403)")]
    [InlineData(SwiftProgram.Key, SwiftProgram.Secret, "us-west-2", "AuthorizationHeaderMalformed")]
    public async Task What_is_wrong_with_credentials_is_said(string key, string secret, string region, string? says)
    {
        using SwiftProgram s3 = await SwiftProgram.StartAsync();
        using TestServer server = Start(s3.Port);
        HttpAnswer tested = await server.SendAsync(
            "POST", "/studio-tasks/periodic-backup/test-credentials?type=S3",
            SwiftProgram.Settings(s3.Port, "x", key, secret, region));
        string? error = (string?)tested.Expect(HttpStatusCode.OK).Json["Error"];
        if (says == null)
        {
            Assert.Null(error);
        }
        else
        {
            Assert.Contains(says, error, StringComparison.Ordinal);
        }
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
                name => $",\"S3Settings\":{SwiftProgram.Settings(port, name)}",
                (name, folder) => $",\"Type\":\"S3\",\"Settings\":{SwiftProgram.Settings(port, $"{name}/{folder}")}"));
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
