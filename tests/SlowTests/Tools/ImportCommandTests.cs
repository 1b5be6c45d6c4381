using System.Diagnostics;
using System.Text.RegularExpressions;
using Raven.Server;
using SlowTests.Client;

namespace SlowTests.Tools;

/// <summary>The command lines of raven import, export and compare: options, output and exit codes.</summary>
[Trait(Category.Shard, "import")]
[Trait(Category.Run, Category.Ci)]
public sealed class ImportCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-import-").FullName;
    private readonly ServerHost _server = EmbeddedServer.StartInMemory();

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Each_outcome_of_an_import_has_its_exit_code_and_message()
    {
        string good = Write("good.ndjson", """{"_id":"a","n":1}""", """{"_id":"b","n":2}""");
        string bad = Write("bad.ndjson", """{"_id":"c"}""", """{"_id":"d",}""");
        string csv = Write("more.csv", "_id;n", "x;1", "y;2", "z;3");
        string exported = Path.Combine(_folder, "out.ndjson");
        string[] zips = ["--collection", "Zips", "--id-property", "_id", "--id-prefix", "zips/"];

        Assert.Matches(Rates(2), await RunAsync(0, ["import", good, "--create", .. zips]));
        Assert.Matches(Rates(3), await RunAsync(0, ["import", csv, "--format", "csv", "--separator", ";", .. zips]));
        Assert.Contains("0 differences", await RunAsync(0, ["compare", good, csv, "--separator", ";", .. zips]));
        await RunAsync(0, ["export", exported, "--collection", "Zips", "--starts-with", "zips/"]);
        Assert.Equal(5, (await File.ReadAllLinesAsync(exported)).Length);

        await RunAsync(1, ["import", good], new Uri($"http://127.0.0.1:{SamplesTests.FreePort()}"));
        Assert.Contains("missing.json", await RunAsync(2, ["import", Path.Combine(_folder, "missing.json")]));
        await RunAsync(2, ["import", good, "--no-such-option"]);
        string broken = await RunAsync(3, ["import", bad, .. zips]);
        Assert.Contains($"{bad}, line 2, column 12", broken, StringComparison.Ordinal);
        Assert.Contains("1 documents before it are in", broken, StringComparison.Ordinal);
        string changed = Write("changed.ndjson", """{"_id":"a","n":7}""");
        Assert.Contains("\"Documents\": 2", await RunAsync(0, ["import", good, "--json", .. zips]));
        Assert.Contains("'zips/a' differs", await RunAsync(4, ["compare", changed, .. zips]));
    }

    /// <summary>The bar is for terminals alone; <c>script</c> gives the tool one.</summary>
    [Fact]
    public async Task An_import_on_a_terminal_shows_a_progress_bar()
    {
        Assert.True(File.Exists("/usr/bin/script"), "The test needs util-linux's script.");
        string good = Write("good.ndjson", """{"_id":"a"}""");
        string command = $"dotnet {Tool} import {good} --create --url {_server.Url} --database shop";
        string printed = await RunProcessAsync(0, "script", "-qec", command, "/dev/null");
        Assert.Contains("import", printed, StringComparison.Ordinal);
        Assert.Contains("100%", printed, StringComparison.Ordinal);
        Assert.Contains("documents/s", printed, StringComparison.Ordinal);
    }

    private static string Tool => Path.Combine(AppContext.BaseDirectory, "raven.dll");

    private static Regex Rates(int documents) =>
        new($@"^{documents} documents in \d+\.\d s, [\d,]+ documents/s, \d+\.\d MB/s\s*$");

    private Task<string> RunAsync(int code, string[] arguments, Uri? url = null) => RunProcessAsync(
        code, "dotnet", [Tool, .. arguments, "--url", url?.ToString() ?? _server.Url, "--database", "shop"]);

    private static async Task<string> RunProcessAsync(int code, string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string printed = await process.StandardOutput.ReadToEndAsync() + await errors;
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == code, $"{string.Join(' ', arguments)}: {process.ExitCode}: {printed}");
        return printed;
    }

    private string Write(string name, params string[] lines)
    {
        string path = Path.Combine(_folder, name);
        File.WriteAllLines(path, lines);
        return path;
    }
}
