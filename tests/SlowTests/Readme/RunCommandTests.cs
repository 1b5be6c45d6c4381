using System.Diagnostics;
using System.Net;
using System.Text;
using SlowTests.Support;

namespace SlowTests.Readme;

/// <summary>The first of the two commands of the README, on a fresh copy of the sources, with nothing set.</summary>
public sealed class RunCommandTests : IDisposable
{
    private const int DefaultPort = 8080;
    private static readonly string[] Copied = ["src", "build.sh", "global.json", ".editorconfig", "BannedSymbols.txt"];

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-run-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait(Category.Shard, "server")]
    public async Task The_run_command_of_the_README_serves_only_this_machine_and_keeps_its_data_beside_the_script()
    {
        CopySources();
        bool isTaken = Listens(DefaultPort).Length > 0;
        using Process run = Start();
        Task<string> errors = run.StandardError.ReadToEndAsync();
        try
        {
            string? line = await run.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromMinutes(8));
            if (isTaken)
            {
                // Another program has the port of the defaults: the message has to say so.
                Assert.Contains("Cannot listen on http://127.0.0.1:8080", $"{line}{await errors}");
                return;
            }

            string url = $"http://127.0.0.1:{DefaultPort}";
            Assert.True(line == $"Server available on: {url} (Studio: {url}/studio/)", line);
            Assert.Equal(["0100007F"], Listens(DefaultPort));
            using var client = new HttpClient { BaseAddress = new Uri(url) };
            Assert.Contains("<html", await client.GetStringAsync("/"), StringComparison.OrdinalIgnoreCase);
            using var record = new StringContent("""{"DatabaseName":"shop"}""", Encoding.UTF8, "application/json");
            (await client.PutAsync("/admin/databases?name=shop", record)).EnsureSuccessStatusCode();
            Assert.Equal(HttpStatusCode.NotFound, (await client.GetAsync("/databases/shop/docs?id=a")).StatusCode);
            Assert.True(Directory.Exists(Path.Combine(_folder, "RavenData", "shop")), "The data is elsewhere.");
        }
        finally
        {
            run.Kill(entireProcessTree: true);
            await run.WaitForExitAsync();
        }
    }

    /// <summary>As a user would: only the analyzers are left out, which say nothing of how it runs.</summary>
    private Process Start()
    {
        var start = new ProcessStartInfo("bash", [Path.Combine(_folder, "build.sh"), "run"])
        {
            RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = Path.GetTempPath(),
        };
        start.Environment["RunAnalyzers"] = "false";
        return Process.Start(start)!;
    }

    private void CopySources()
    {
        foreach (string name in Copied.Concat(
            Directory.EnumerateFiles(NodeProgram.Root, "Directory.*").Select(path => Path.GetFileName(path)!)))
        {
            string source = Path.Combine(NodeProgram.Root, name);
            IEnumerable<string> files = Directory.Exists(source)
                ? Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories)
                : [source];
            foreach (string file in files)
            {
                string path = Path.GetRelativePath(NodeProgram.Root, file);
                if (!path.Split(Path.DirectorySeparatorChar).Any(part => part is "bin" or "obj"))
                {
                    string target = Path.Combine(_folder, path);
                    Directory.CreateDirectory(Path.GetDirectoryName(target)!);
                    File.Copy(file, target);
                }
            }
        }
    }

    /// <summary>The addresses, in hexadecimal as the system lists them, that have a listener on a port.</summary>
    private static string[] Listens(int port)
    {
        const string ListenState = "0A";
        return
        [
            .. new[] { "/proc/net/tcp", "/proc/net/tcp6" }.Where(File.Exists).SelectMany(File.ReadLines)
                .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Where(parts => parts[3] == ListenState && parts[1].EndsWith($":{port:X4}", StringComparison.Ordinal))
                .Select(parts => parts[1].Split(':')[0]),
        ];
    }
}
