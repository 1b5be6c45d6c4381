using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Operations;

/// <summary>A scrape of a server with many databases, and what a published program weighs.</summary>
internal sealed partial class PackageSuite : IBenchSuite
{
    private const string ScrapeName = "scrape of /metrics with 500 databases";
    private const string OpenName = "databases that the scrapes have opened";
    private const string FileName = "single file, self-contained linux-x64";
    private const string FolderName = "folder that needs the runtime";
    private const int DatabaseCount = 500;

    public string Name => "operations";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (context.Wants(ScrapeName) || context.Wants(OpenName))
        {
            foreach (BenchRow row in GetScrapeRows(context))
            {
                yield return row;
            }
        }

        string[] figures = [$"{FileName}: size", $"{FileName}: start to the first answer", $"{FileName}: idle"];
        if (Array.Exists(figures, context.Wants))
        {
            string? file = Environment.GetEnvironmentVariable("DEV_BENCH_SINGLE_FILE");
            if (file is null)
            {
                yield return BenchRow.Skip(
                    FileName, "MB", "DEV_BENCH_SINGLE_FILE does not name the folder that it was published into");
            }
            else
            {
                var runs = new SharedRuns(() => Weigh(file));
                yield return Weight(figures[0], "MB", 130, runs.Metric(0));
                yield return Weight(figures[1], "ms", 600, runs.Metric(1));
                yield return Weight(figures[2], "MB", 100, runs.Metric(2));
            }
        }

        if (context.Wants(FolderName))
        {
            string? folder = Environment.GetEnvironmentVariable("DEV_BENCH_FOLDER");
            yield return folder is null
                ? BenchRow.Skip(
                    FolderName, "MB", "DEV_BENCH_FOLDER does not name the folder that it was published into")
                : Weight(FolderName, "MB", 45, () => new DirectoryInfo(folder)
                    .EnumerateFiles("*", SearchOption.AllDirectories).Sum(one => one.Length) / 1e6);
        }
    }

    private static IEnumerable<BenchRow> GetScrapeRows(BenchContext context)
    {
        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "scraped"));
        for (int i = 0; i < DatabaseCount - 1; i++)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"d{i}");
            ours.Send("PUT", $"/admin/databases?name={name}", $$"""{"DatabaseName":"{{name}}"}""");
        }

        string before = Scrape(ours);
        yield return new BenchRow
        {
            Name = ScrapeName,
            Unit = "ms",
            Target = BenchTarget.AtMost(20),
            Ours = () => Measure.WallSeconds(() => Scrape(ours)) * 1000,
        };
        yield return new BenchRow
        {
            Name = OpenName,
            Unit = "databases",
            Target = BenchTarget.AtMost(0),
            WarmUpRuns = 0,
            Ours = () => Open(Scrape(ours)) - Open(before),
        };
    }

    private static BenchRow Weight(string name, string unit, double most, Func<double> measure) => new()
    {
        Name = name, Unit = unit, Target = BenchTarget.AtMost(most), WarmUpRuns = 0, Runs = 3, Ours = measure,
    };

    private static string Scrape(BenchDatabase ours)
    {
        byte[] text = ours.Client.GetByteArrayAsync(new Uri("/metrics", UriKind.Relative)).GetAwaiter().GetResult();
        return Encoding.UTF8.GetString(text);
    }

    private static double Open(string metrics) =>
        double.Parse(OpenDatabases().Match(metrics).Groups[1].Value, CultureInfo.InvariantCulture);

    /// <summary>Megabytes of the program, milliseconds to its first answer, megabytes when it is idle.</summary>
    private static double[] Weigh(string folder)
    {
        string script = Path.Combine(OperationsServer.RepositoryRoot(), "packaging", "measure.sh");
        string printed = OperationsServer.Run("bash", script, folder, "7");
        return
        [
            .. new[] { Itself(), Warm(), Idle() }.Select(
                figure => double.Parse(figure.Match(printed).Groups[1].Value, CultureInfo.InvariantCulture)),
        ];
    }

    [GeneratedRegex(@"^raven_databases_open (\d+)", RegexOptions.Multiline)]
    private static partial Regex OpenDatabases();

    [GeneratedRegex(@"raven itself (\d+) MB")]
    private static partial Regex Itself();

    [GeneratedRegex(@"warm start +(\d+) ms")]
    private static partial Regex Warm();

    [GeneratedRegex(@"idle after 25 s +(\d+) MB")]
    private static partial Regex Idle();
}
