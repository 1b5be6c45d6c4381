using System.Diagnostics;

namespace Raven.Tools.SlowestTests;

/// <summary>Runs the tests of one shard as its own <c>dotnet test</c>, with a limit of time.</summary>
internal sealed class ShardRunner(string project, string configuration, string resultsDirectory, TimeSpan limit)
{
    internal ShardResult Run(string shard, string filter)
    {
        string resultFile = Path.Combine(Path.GetFullPath(resultsDirectory), $"slow-{shard}.trx");
        Directory.CreateDirectory(Path.GetDirectoryName(resultFile)!);
        File.Delete(resultFile);
        List<string> arguments =
        [
            "test", project, "-c", configuration, "--no-build", "--nologo",
            "--logger", $"trx;LogFileName={Path.GetFileName(resultFile)}",
            "--logger", "console;verbosity=minimal", "--results-directory", Path.GetDirectoryName(resultFile)!,
        ];
        if (filter.Length != 0)
        {
            arguments.AddRange(["--filter", filter]);
        }

        long start = Stopwatch.GetTimestamp();
        using Process process = Process.Start(new ProcessStartInfo("dotnet", arguments) { UseShellExecute = false })
            ?? throw new InvalidOperationException("dotnet did not start");
        bool ended = process.WaitForExit(limit);
        if (!ended)
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
        }

        return Judge(shard, resultFile, ended ? process.ExitCode : null, Stopwatch.GetElapsedTime(start));
    }

    /// <summary>
    /// Counts the result file; whatever went wrong without failing a test (a crash of the test host, the limit)
    /// counts as a failure, so that it cannot be overlooked. <paramref name="exitCode"/> is null for a shard that was
    /// stopped.
    /// </summary>
    internal ShardResult Judge(string shard, string resultFile, int? exitCode, TimeSpan elapsed)
    {
        List<TestOutcome> outcomes = File.Exists(resultFile) ? TestRunFile.Read(resultFile) : [];
        int passed = outcomes.Count(test => test.Outcome == "Passed");
        int failed = outcomes.Count(test => test.Outcome is not ("Passed" or "NotExecuted" or TestRunFile.NotTested));
        int notTested = outcomes.Count(test => test.Outcome == TestRunFile.NotTested);
        string remark = exitCode switch
        {
            null => $"stopped after {limit.TotalMinutes:0.#} minutes",
            0 when outcomes.Count == 0 => "no test ran",
            not 0 when failed == 0 => $"dotnet test ended with {exitCode} and without a failed test",
            _ => "",
        };
        failed += remark.Length == 0 ? 0 : 1;
        return new ShardResult(
            shard, passed, failed, elapsed, notTested == 0 ? remark : $"{notTested} not tested {remark}".TrimEnd());
    }
}
