using System.Diagnostics;
using System.Text.Json;
using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>Runs all scenarios once, in one node process against one server, and keeps what each came to.</summary>
public sealed class NodeClientFixture
{
    private static readonly TimeSpan InstallLimit = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(8);

    private readonly Lazy<Dictionary<string, string?>> _outcomes;

    /// <summary>Nothing starts before the first scenario is asked for.</summary>
    public NodeClientFixture() => _outcomes = new(RunAll);

    /// <summary>The folder of the scenarios in the checkout.</summary>
    internal static string Folder { get; } = FindFolder();

    /// <summary>What a scenario failed with, null where it passed.</summary>
    internal string? OutcomeOf(string key) =>
        _outcomes.Value.TryGetValue(key, out string? error) ? error : "The runner said nothing of this scenario.";

    private static Dictionary<string, string?> RunAll()
    {
        if (!Directory.Exists(Path.Combine(Folder, "node_modules", "ravendb")))
        {
            Run("npm", ["ci", "--no-fund", "--no-audit"], InstallLimit, _ => { });
        }

        using ServerProcess server = ServerProcess.Start();
        Dictionary<string, string?> outcomes = [];
        Run("node", ["runner.mjs", server.Url], RunLimit, line =>
        {
            if (line.StartsWith('{'))
            {
                using JsonDocument result = JsonDocument.Parse(line);
                JsonElement root = result.RootElement;
                outcomes[$"{root.GetProperty("file").GetString()}: {root.GetProperty("name").GetString()}"] =
                    root.GetProperty("error").GetString();
            }
        });
        return outcomes;
    }

    private static void Run(string program, string[] arguments, TimeSpan limit, Action<string> onLine)
    {
        ProcessStartInfo start = new(program, arguments)
        {
            WorkingDirectory = Folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        Task lines = Task.Run(() =>
        {
            while (process.StandardOutput.ReadLine() is { } line)
            {
                onLine(line);
            }
        });
        if (!process.WaitForExit(limit))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{program} took over {limit}.");
        }

        lines.Wait();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"{program} ended with {process.ExitCode}: {errors.Result}");
        }
    }

    private static string FindFolder()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            string path = Path.Combine(folder.FullName, "tests", "SlowTests", "NodeClient");
            if (File.Exists(Path.Combine(path, "runner.mjs")))
            {
                return path;
            }
        }

        throw new InvalidOperationException("The scenarios are run from a checkout of the repository.");
    }
}
