using System.Diagnostics;
using System.Text.Json;
using Raven.Tools.Bench.Suites.Operations;

namespace Raven.Tools.Bench.Suites.Studio;

/// <summary>Runs the measurements of <c>tests/SlowTests/Studio/bench.mjs</c> in a browser.</summary>
internal sealed class StudioBrowser(Uri server, string database)
{
    private const string Chromium = "/usr/bin/chromium";

    private static string Folder { get; } =
        Path.Combine(OperationsServer.RepositoryRoot(), "tests", "SlowTests", "Studio");

    /// <summary>Why nothing can be measured here; null if it can.</summary>
    internal static string? FindObstacle() => File.Exists(Chromium) ? Install() : $"there is no {Chromium}";

    /// <summary>Measures one thing.</summary>
    /// <param name="what">A name of the script.</param>
    /// <param name="onLine">Called for each line before the last one.</param>
    internal double[] Measure(string what, Action? onLine = null)
    {
        string[] arguments = ["bench.mjs", server.AbsoluteUri.TrimEnd('/'), Chromium, database, what];
        using Process process = Start("node", arguments);
        Task<string> error = Task.Run(process.StandardError.ReadToEnd);
        double[] figures = [];
        bool isFirst = true;
        while (process.StandardOutput.ReadLine() is { } line)
        {
            if (!isFirst || line != "[]")
            {
                figures = JsonSerializer.Deserialize<double[]>(line) ?? [];
            }

            isFirst = false;
            onLine?.Invoke();
        }

        process.WaitForExit();
        return process.ExitCode == 0 && figures.Length > 0
            ? figures
            : throw new InvalidOperationException(
                $"bench.mjs {what} ended with {process.ExitCode}: {error.GetAwaiter().GetResult()}");
    }

    private static string? Install()
    {
        if (File.Exists(Path.Combine(Folder, "node_modules", ".package-lock.json")))
        {
            return null;
        }

        try
        {
            using Process npm = Start("npm", ["ci"]);
            Task<string> error = Task.Run(npm.StandardError.ReadToEnd);
            npm.StandardOutput.ReadToEnd();
            npm.WaitForExit();
            return npm.ExitCode == 0 ? null : $"npm ci ended with {npm.ExitCode}: {error.GetAwaiter().GetResult()}";
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            return $"npm is not there: {e.Message}";
        }
    }

    private static Process Start(string program, string[] arguments) =>
        Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = Folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        }) ?? throw new InvalidOperationException($"{program} did not start");
}
