using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.CommandLine;
using Raven.CommandLine.Output;
using Raven.Server.Options;

namespace FastTests.Tools;

/// <summary>What an operator does to the server of his machine: databases, compaction, figures, log, doctor.</summary>
public sealed class OperatorVerbTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-verbs-").FullName;

    private string Socket => Path.Combine(_folder, "raven.sock");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Databases_are_made_listed_switched_compacted_and_deleted()
    {
        using TestServer server = await StartAsync();
        await server.PutAsync("users/1", "{}");
        await RunAsync(ExitCode.Success, "databases", "create", "shop");
        string listed = await RunAsync(ExitCode.Success, "databases", "list");
        Assert.Contains("db: 1 documents, 0 indexes", listed, StringComparison.Ordinal);
        Assert.Contains("shop: closed", listed, StringComparison.Ordinal);
        await RunAsync(ExitCode.Success, "databases", "disable", "shop");
        listed = await RunAsync(ExitCode.Success, "databases", "list");
        Assert.Contains("shop: disabled", listed, StringComparison.Ordinal);
        await RunAsync(ExitCode.Success, "databases", "enable", "shop");
        await RunAsync(ExitCode.ServerFailed, "databases", "enable", "none");
        Assert.Contains("MB now", await RunAsync(ExitCode.Success, "compact", "db"), StringComparison.Ordinal);
        Assert.Contains("none", await RunAsync(ExitCode.ServerFailed, "compact", "none"), StringComparison.Ordinal);
        Assert.Contains(
            "--yes", await RunAsync(ExitCode.WrongUsage, "databases", "delete", "shop"), StringComparison.Ordinal);
        await RunAsync(ExitCode.Success, "databases", "delete", "shop", "--yes");
        JsonNode json = JsonNode.Parse(await RunAsync(ExitCode.Success, "databases", "list", "--json"))!;
        Assert.Equal("db", (string?)Assert.Single(json["Databases"]!.AsArray())!["DatabaseName"]);
    }

    [Fact]
    public async Task Figures_the_log_and_what_is_wrong_are_shown()
    {
        using TestServer server = await StartAsync();
        await server.PutAsync("users/1", "{}");
        string figures = await RunAsync(ExitCode.Success, "stats", "db");
        Assert.Contains("CountOfDocuments: 1", figures, StringComparison.Ordinal);
        JsonNode stats = JsonNode.Parse(await RunAsync(ExitCode.Success, "stats", "--json"))!;
        Assert.Equal(1, (int)stats["Stats"]!["Databases"]!["TotalCount"]!);
        JsonNode log = JsonNode.Parse(await RunAsync(ExitCode.Success, "logs", "--json", "--lines", "3"))!;
        Assert.InRange(log["Lines"]!.AsArray().Count, 1, 3);
        Assert.Contains(
            "level", await RunAsync(ExitCode.ServerFailed, "logs", "--level", "Loud"), StringComparison.Ordinal);
        string well = await RunAsync(ExitCode.Success, "doctor");
        Assert.Contains("ok    database db", well, StringComparison.Ordinal);
        await RunAsync(ExitCode.Success, "databases", "disable", "db");
        Assert.Contains("ok    database db", await RunAsync(ExitCode.Success, "doctor"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_server_the_doctor_says_so()
    {
        string said = await RunAsync(ExitCode.ServerFailed, "doctor");
        Assert.Contains("WRONG server: No server answers", said, StringComparison.Ordinal);
    }

    private Task<TestServer> StartAsync() => TestServer.WithDatabaseAsync(options => options with
    {
        Security = new SecurityOptions { LocalSocketPath = Socket },
    });

    private async Task<string> RunAsync(int code, params string[] line)
    {
        using var output = new StringWriter();
        int ended = await RavenCommand.RunAsync([.. line, "--socket", Socket], output, output);
        Assert.True(ended == code, $"{ended} instead of {code}: {output}");
        return output.ToString();
    }
}
