using System.Text.Json;
using SlowTests.Security;
using SlowTests.Support;

namespace SlowTests.Studio;

/// <summary>
/// Runs all scenarios once, in one browser against one server, then those of <c>secured</c> against one that asks who
/// is there, and keeps what each came to.
/// </summary>
public sealed class StudioFixture
{
    internal const string Chromium = "/usr/bin/chromium";
    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(12);

    private readonly Lazy<Dictionary<string, string?>> _outcomes = new(RunAll);

    /// <summary>The folder of the scenarios in the checkout.</summary>
    internal static string Folder { get; } = NodeProgram.FolderOf("Studio");

    /// <summary>Why there can be no run on this machine; null if there can. Under CI that is a failure.</summary>
    internal static string? Obstacle { get; } = File.Exists(Chromium)
        ? null
        : $"skipped: there is no {Chromium} (apt-get install chromium fonts-dejavu-core)";

    /// <summary>What a scenario failed with, null if it passed.</summary>
    internal string? OutcomeOf(string key) =>
        _outcomes.Value.TryGetValue(key, out string? error) ? error : "The runner said nothing of this scenario.";

    private static Dictionary<string, string?> RunAll()
    {
        Dictionary<string, string?> outcomes = [];
        using (ServerProcess server = ServerProcess.Start())
        {
            Run(outcomes, server.Url, Chromium);
        }

        using var secured = new SecuredProcess();
        Run(outcomes, secured.Url, Chromium, $"--certificates={secured.Files}");
        return outcomes;
    }

    private static void Run(Dictionary<string, string?> outcomes, params string[] arguments)
    {
        (int code, string errors) = NodeProgram.Run(Folder, ["runner.mjs", .. arguments], RunLimit, line =>
        {
            if (line.StartsWith('{'))
            {
                using JsonDocument result = JsonDocument.Parse(line);
                JsonElement root = result.RootElement;
                outcomes[$"{root.GetProperty("file").GetString()}: {root.GetProperty("name").GetString()}"] =
                    root.GetProperty("error").GetString();
            }
        });
        if (code != 0)
        {
            throw new InvalidOperationException($"The runner ended with {code}: {errors}");
        }
    }
}
