using System.Diagnostics;
using System.Globalization;
using System.Xml.Linq;

namespace Raven.Tools.SlowestTests;

/// <summary>Runs the tests that carry a trait, and reads how much of one assembly they covered.</summary>
public static class CoverageRun
{
    private const string ReportName = "coverage.cobertura.xml";

    /// <summary>What has to be covered, in percent.</summary>
    private const double LinesMin = 90;
    private const double BranchesMin = 85;

    /// <summary>Runs the tests; the last line is the coverage in percent of lines and branches.</summary>
    /// <param name="project">The test project.</param>
    /// <param name="filter">Which tests, in the syntax of <c>dotnet test --filter</c>.</param>
    /// <param name="assembly">The assembly whose code is counted.</param>
    /// <param name="resultsDirectory">The folder for the report; files of older runs in it are deleted.</param>
    /// <param name="output">Receives the coverage.</param>
    /// <returns>
    /// The exit code of <c>dotnet test</c>, or 1 if there is no report, or less than 90% of the lines or 85% of the
    /// branches are covered.
    /// </returns>
    internal static int Run(
        string project, string filter, string assembly, string resultsDirectory, TextWriter output)
    {
        string results = Path.Combine(Path.GetFullPath(resultsDirectory), "coverage");
        if (Directory.Exists(results))
        {
            Directory.Delete(results, recursive: true);
        }

        using Process process = Process.Start(
            "dotnet",
            [
                "test", project, "-c", "Debug", "--nologo", "--filter", filter,
                "--collect", "XPlat Code Coverage", "--results-directory", results, "--",
                $"DataCollectionRunSettings.DataCollectors.DataCollector.Configuration.Include=[{assembly}]*",
            ]);
        process.WaitForExit();
        string? report = Directory.Exists(results)
            ? Directory.EnumerateFiles(results, ReportName, SearchOption.AllDirectories).FirstOrDefault()
            : null;
        if (report is null)
        {
            output.WriteLine("no coverage was collected");
            return 1;
        }

        XDocument covered = XDocument.Load(report);
        output.WriteLine($"{assembly} by {filter}: {Describe(covered)}");
        if (!IsEnough(covered))
        {
            output.WriteLine($"That is not enough: {LinesMin}% of the lines and {BranchesMin}% of the branches are.");
            return Math.Max(1, process.ExitCode);
        }

        return process.ExitCode;
    }

    /// <summary>Whether a report in Cobertura's form has the lines and the branches that are asked for.</summary>
    public static bool IsEnough(XDocument report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return Percent(report.Root!, "lines") >= LinesMin && Percent(report.Root!, "branches") >= BranchesMin;
    }

    /// <summary>The covered lines and branches of a report in Cobertura's form.</summary>
    public static string Describe(XDocument report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return $"{Share(report.Root!, "lines")}, {Share(report.Root!, "branches")}";
    }

    private static string Share(XElement coverage, string what)
    {
        double valid = (double)coverage.Attribute($"{what}-valid")!;
        return string.Create(CultureInfo.InvariantCulture, $"{Percent(coverage, what):0.0}% of {valid} {what}");
    }

    private static double Percent(XElement coverage, string what) =>
        100 * (double)coverage.Attribute($"{what}-covered")! / (double)coverage.Attribute($"{what}-valid")!;
}
