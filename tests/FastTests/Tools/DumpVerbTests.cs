using System.Text.Json.Nodes;
using FastTests.Server;
using FastTests.Smuggler;
using Raven.CommandLine;

namespace FastTests.Tools;

/// <summary><c>raven export</c> and <c>raven import</c> of dumps against the real server.</summary>
public sealed class DumpVerbTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>, IDisposable
{
    private readonly TestServer _server = fixture.Server;
    private readonly string _folder = Directory.CreateTempSubdirectory("dumps").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("gzip", 0x1F)]
    [InlineData("zstd", 0x28)]
    public async Task A_whole_database_goes_through_a_file(string compression, int first)
    {
        string from = $"cli{compression}";
        await _server.CreateAsync(from);
        await new RandomDatabase(_server, from, 7).FillAsync(40);
        string file = Path.Combine(_folder, "whole.ravendbdump");
        (int code, JsonNode said) = await RunAsync("export", file, "--database", from, "--compression", compression);
        Assert.Equal(0, code);
        Assert.Equal(first, File.ReadAllBytes(file)[0]);
        (code, JsonNode read) = await RunAsync("import", file, "--database", $"{from}Copy", "--create");
        Assert.Equal(0, code);
        Assert.Equal((int)said["Documents"]!, (int)read["Documents"]!);
        Assert.Equal(
            DumpContent.Read(File.ReadAllBytes(file)).Normal(),
            DumpContent.Read(await _server.ExportAsync($"{from}Copy")).Normal());
    }

    [Fact]
    public async Task What_is_no_dump_has_the_exit_code_of_broken_input()
    {
        string file = Path.Combine(_folder, "broken.ravendbdump");
        await File.WriteAllTextAsync(file, "{\"Docs\":[");
        (int code, JsonNode said) = await RunAsync("import", file, "--database", TestServer.Database);
        Assert.Equal(3, code);
        Assert.Contains("before its last }", said["Messages"]!.ToJsonString(), StringComparison.Ordinal);
        (code, _) = await RunAsync("export", file, "--database", TestServer.Database, "--starts-with", "a");
        Assert.Equal(2, code);
        (code, said) = await RunAsync("export", file, "--database", TestServer.Database, "--compression", "rar");
        Assert.Equal(1, code);
        Assert.Contains("rar", said["Messages"]!.ToJsonString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a.ravendbdump", "none")]
    [InlineData("a.json", "none")]
    [InlineData("a.json.gz", "none")]
    [InlineData("a.ravendbdump", "full")]
    [InlineData("a.json", "full")]
    [InlineData("a.json.gz", "full")]
    public async Task A_file_that_cannot_be_written_has_the_exit_code_of_files(string name, string fault)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "There is no /dev/full, which is a full disk.");
        await _server.PutAsync("written/1", "{}");
        string file = Path.Combine(_folder, fault == "none" ? Path.Combine("none", name) : name);
        if (fault == "full")
        {
            File.CreateSymbolicLink(file + ".unfinished", "/dev/full");
        }

        (int code, JsonNode said) = await RunAsync("export", file, "--database", TestServer.Database);
        Assert.Equal(2, code);
        string messages = said["Messages"]!.ToJsonString();
        Assert.Contains(
            fault == "full" ? "No space left on device" : "Could not find a part of the path", messages,
            StringComparison.Ordinal);
        Assert.False(File.Exists(file));
    }

    private async Task<(int Code, JsonNode Said)> RunAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        int code = await RavenCommand.RunAsync(
            [.. arguments, "--url", _server.Host.Url, "--json"], output, error);
        return (code, JsonNode.Parse(output.ToString())!);
    }
}
