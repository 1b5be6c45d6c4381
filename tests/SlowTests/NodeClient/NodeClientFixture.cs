using System.Text.Json;
using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>Runs all scenarios once, in one node process against one server, and keeps what each came to.</summary>
public sealed class NodeClientFixture
{
    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(8);

    private readonly Lazy<Dictionary<string, string?>> _outcomes;

    /// <summary>Nothing starts before the first scenario is asked for.</summary>
    public NodeClientFixture() => _outcomes = new(RunAll);

    /// <summary>The folder of the scenarios in the checkout.</summary>
    internal static string Folder { get; } = NodeProgram.FolderOf("NodeClient");

    /// <summary>What a scenario failed with, null if it passed.</summary>
    internal string? OutcomeOf(string key) =>
        _outcomes.Value.TryGetValue(key, out string? error) ? error : "The runner said nothing of this scenario.";

    /// <summary>A server that takes all that scenarios bring: analyzers and sorters are code.</summary>
    internal static ServerProcess StartServer() => ServerProcess.Start(null, "--Indexing.CSharp=All");

    private static Dictionary<string, string?> RunAll()
    {
        using ServerProcess server = StartServer();
        return Run(server.Url);
    }

    /// <summary>Runs scenarios; gives what each failed with, null if it passed.</summary>
    /// <param name="url">The server.</param>
    /// <param name="options">More of the command line of the runner.</param>
    internal static Dictionary<string, string?> Run(string url, params string[] options)
    {
        Dictionary<string, string?> outcomes = [];
        (int code, string errors) = NodeProgram.Run(Folder, ["runner.mjs", url, .. options], RunLimit, line =>
        {
            if (line.StartsWith('{'))
            {
                using JsonDocument result = JsonDocument.Parse(line);
                JsonElement root = result.RootElement;
                outcomes[$"{root.GetProperty("file").GetString()}: {root.GetProperty("name").GetString()}"] =
                    root.GetProperty("error").GetString();
            }
        });
        return code == 0 ? outcomes : throw new InvalidOperationException($"The runner ended with {code}: {errors}");
    }
}
