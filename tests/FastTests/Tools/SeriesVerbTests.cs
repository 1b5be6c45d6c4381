using System.IO.Compression;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.CommandLine;

namespace FastTests.Tools;

/// <summary><c>raven timeseries export</c> and <c>import</c> against the real server.</summary>
public sealed class SeriesVerbTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>, IDisposable
{
    private readonly TestServer _server = fixture.Server;
    private readonly string _folder = Directory.CreateTempSubdirectory("series-verbs").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("a.csv", "Timestamp,Tag,Value0\r\n")]
    [InlineData("a.jsonl", "{\"Timestamp\"")]
    [InlineData("a.csv.gz", "Timestamp,Tag,Value0\r\n")]
    public async Task A_series_goes_through_a_file(string name, string begins)
    {
        string source = Path.Combine(_folder, "source");
        await File.WriteAllTextAsync(
            source, "Timestamp,V\n2026-01-01T00:00:00Z,1\n2026-01-02T00:00:00Z,2.5\n",
            TestContext.Current.CancellationToken);
        await _server.PutAsync("verbs/1", "{}");
        (int code, JsonNode said) = await RunAsync("import", source, "--csv", "--document", "verbs/1", "--name", "a b");
        Assert.Equal((0, 2), (code, (int)said["Entries"]!));

        string file = Path.Combine(_folder, name);
        (code, said) = await RunAsync(
            "export", file, "--document", "verbs/1", "--name", "a b", "--from", "2026-01-02T00:00:00Z",
            "--to", "2026-01-03");
        Assert.Equal(0, code);
        string text = await TextOfAsync(file);
        Assert.StartsWith(begins, text, StringComparison.Ordinal);
        Assert.Equal((int)said["Bytes"]!, text.Length);
        (code, said) = await RunAsync("import", file, "--document", "verbs/1", "--name", "copy");
        Assert.Equal((0, 1), (code, (int)said["Entries"]!));
        Assert.Equal(2, Directory.GetFiles(_folder).Length);
        HttpAnswer copied = await _server.SendAsync("GET", "~/timeseries?docId=verbs/1&name=copy");
        Assert.Equal("[2.5]", Assert.Single(copied.Json["Entries"]!.AsArray())!["Values"]!.ToJsonString());
    }

    [Fact]
    public async Task What_fails_has_its_exit_code_and_leaves_no_file()
    {
        string file = Path.Combine(_folder, "x.csv");
        await _server.PutAsync("verbs/2", "{}");
        (int code, JsonNode said) = await RunAsync("export", file, "--document", "verbs/2", "--name", "none");
        Assert.Equal(1, code);
        Assert.Contains("none", said["Messages"]!.ToJsonString(), StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_folder));
        await File.WriteAllTextAsync(file, "Timestamp,V\nnever,1\n", TestContext.Current.CancellationToken);
        (code, said) = await RunAsync("import", file, "--document", "verbs/2", "--name", "x");
        Assert.Equal(3, code);
        Assert.Contains("line 2", said["Messages"]!.ToJsonString(), StringComparison.Ordinal);
        (code, _) = await RunAsync("import", file, "--document", "verbs/none", "--name", "x");
        Assert.Equal(1, code);
        (code, _) = await RunAsync(
            "import", Path.Combine(_folder, "none"), "--document", "verbs/2", "--name", "x");
        Assert.Equal(2, code);
    }

    [Theory]
    [InlineData("a.csv", "none")]
    [InlineData("a.csv", "full")]
    [InlineData("a.csv.gz", "full")]
    public async Task A_file_that_cannot_be_written_has_the_exit_code_of_files(string name, string fault)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "There is no /dev/full, which is a full disk.");
        await _server.PutAsync("verbs/3", "{}");
        string source = Path.Combine(_folder, "source");
        await File.WriteAllTextAsync(
            source, "Timestamp,V\n2026-01-01T00:00:00Z,1\n", TestContext.Current.CancellationToken);
        (int code, _) = await RunAsync("import", source, "--csv", "--document", "verbs/3", "--name", "s");
        Assert.Equal(0, code);
        File.Delete(source);
        string file = Path.Combine(_folder, fault == "none" ? Path.Combine("none", name) : name);
        if (fault == "full")
        {
            File.CreateSymbolicLink(file + ".unfinished", "/dev/full");
        }

        (code, JsonNode said) = await RunAsync("export", file, "--document", "verbs/3", "--name", "s");
        Assert.Equal(2, code);
        Assert.Contains(
            fault == "full" ? "No space left on device" : "Could not find a part of the path",
            said["Messages"]!.ToJsonString(), StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(_folder));
    }

    private static async Task<string> TextOfAsync(string file)
    {
        Stream stream = File.OpenRead(file);
        if (file.EndsWith(".gz", StringComparison.Ordinal))
        {
            stream = new GZipStream(stream, CompressionMode.Decompress);
        }

        using var reader = new StreamReader(stream);
        return await reader.ReadToEndAsync();
    }

    private async Task<(int Code, JsonNode Said)> RunAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        int code = await RavenCommand.RunAsync(
            [
                "timeseries", .. arguments, "--database", TestServer.Database, "--url", _server.Host.Url, "--json",
            ],
            output, error);
        return (code, JsonNode.Parse(output.ToString())!);
    }
}
