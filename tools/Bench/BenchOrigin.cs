using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Raven.Tools.Bench;

/// <summary>The origin of the figures of a table: command, day, commit and machine.</summary>
/// <param name="Suites">The suites that ran.</param>
/// <param name="Filter">The part of them that was asked for, or null if all rows ran.</param>
/// <param name="Date">The day of the run, UTC.</param>
/// <param name="Commit">The first digits of the commit that was built, or "unknown" without a git checkout.</param>
/// <param name="Machine">Processors, runtime and operating system.</param>
public sealed record BenchOrigin(
    IReadOnlyList<string> Suites, string? Filter, DateOnly Date, string Commit, string Machine)
{
    private const int CommitDigits = 7;

    /// <summary>The command line that prints the table again.</summary>
    public string Command =>
        $"./build.sh bench {string.Join(' ', Suites)}" +
        $"{(Filter is null ? "" : $" --filter \"{Filter}\"")} --markdown FILE";

    /// <summary>What this process runs on, and the commit that it was built from.</summary>
    public static BenchOrigin Here(IReadOnlyList<string> suites, string? filter) => new(
        suites, filter, DateOnly.FromDateTime(TimeProvider.System.GetUtcNow().UtcDateTime), BuiltCommit(),
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Environment.ProcessorCount} x {Processor()}, {RuntimeInformation.FrameworkDescription}, " +
            $"{RuntimeInformation.OSDescription}"));

    /// <summary>The SDK puts the commit behind the version: <c>0.1.0+1dc12f6...</c>.</summary>
    private static string BuiltCommit()
    {
        string version = typeof(BenchOrigin).Assembly
            .GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";
        int plus = version.IndexOf('+', StringComparison.Ordinal);
        return plus < 0 ? "unknown" : version.Substring(plus + 1, Math.Min(CommitDigits, version.Length - plus - 1));
    }

    private static string Processor()
    {
        const string List = "/proc/cpuinfo";
        string? line = File.Exists(List)
            ? File.ReadLines(List).FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))
            : null;
        return line is null
            ? RuntimeInformation.ProcessArchitecture.ToString()
            : line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
    }
}
