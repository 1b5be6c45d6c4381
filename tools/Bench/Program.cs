using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using Raven.Tools.Load;
using Raven.Tools.Bench.Suites.Storage;
using Spectre.Console;

namespace Raven.Tools.Bench;

/// <summary>
/// <c>Bench SUITE... [--json FILE] [--markdown FILE] [--filter TEXT] [--data DIR] [--runs N]
/// [--scale X]</c>. Exit code 0: every
/// target met (or nothing to meet); 1: a target was missed or a row failed; 2: the command line is wrong.
/// </summary>
internal static class Program
{
    private static readonly Argument<string[]> Suites = new("suite")
    {
        Description = "The suites to run, or `list`",
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly Option<FileInfo?> Json = new("--json")
    {
        Description = "Write the results to this file",
    };

    private static readonly Option<FileInfo?> MarkdownTable = new("--markdown")
    {
        Description = "Write the table, one row for each work, to this file",
    };

    private static readonly Option<string?> Filter = new("--filter")
    {
        Description = "Only rows whose name contains this text",
    };

    private static readonly Option<int> Runs = new("--runs")
    {
        Description = "Measured runs of each side; below 5 is a quick look",
        DefaultValueFactory = _ => 5,
    };

    private static readonly Option<string?> Data = new("--data")
    {
        Description = "The folder of the data sets",
        DefaultValueFactory = _ => Environment.GetEnvironmentVariable("DEV_BENCH_DATA"),
    };

    private static readonly Option<double> Scale = new("--scale")
    {
        Description = "What the sizes of data are multiplied by, in suites that load much; below 1 is a quick look",
        DefaultValueFactory = _ => 1,
    };

    public static int Main(string[] arguments)
    {
        if (ChildProcess.TryRun(arguments, out int childExitCode))
        {
            return childExitCode;
        }

        LoadRun.PreferInlineCompletions();
        var command = new RootCommand("Measures the product beside its peers.")
        {
            Suites, Json, MarkdownTable, Filter, Runs, Data, Scale,
        };
        command.SetAction(Run);
        ParseResult parsed = command.Parse(arguments);
        int exitCode = parsed.Invoke();
        return parsed.Errors.Count > 0 ? 2 : exitCode;
    }

    private static int Run(ParseResult parsed)
    {
        ILookup<string, IBenchSuite> known = SuiteCatalog.Find();
        string[] names = parsed.GetRequiredValue(Suites);
        if (names is ["list"])
        {
            Console.WriteLine(string.Join(Environment.NewLine, Names(known)));
            return 0;
        }

        if (names.FirstOrDefault(name => !known.Contains(name)) is { } unknown)
        {
            Console.Error.WriteLine($"No suite '{unknown}'. There are: {string.Join(", ", Names(known))}");
            return 2;
        }

        string scratch = Path.Combine(Path.GetTempPath(), $"raven-bench-{Environment.ProcessId}");
        Directory.CreateDirectory(scratch);
        try
        {
            var context = new BenchContext
            {
                DataDirectory = parsed.GetValue(Data),
                Filter = parsed.GetValue(Filter),
                Runs = Math.Max(1, parsed.GetValue(Runs)),
                Scale = Math.Clamp(parsed.GetValue(Scale), 1e-6, 1),
                ScratchDirectory = scratch,
            };
            List<BenchResult> results = Measure(names.SelectMany(name => known[name]), context);
            Report(results, parsed.GetValue(Json));
            if (parsed.GetValue(MarkdownTable) is { } markdown)
            {
                using StreamWriter file = markdown.CreateText();
                BenchReport.WriteOrigin(file, BenchOrigin.Here(names, context.Filter));
                BenchReport.WriteMarkdown(file, results);
            }

            return results.Exists(result => result.Met == false) ? 1 : 0;
        }
        finally
        {
            Directory.Delete(scratch, recursive: true);
        }
    }

    private static IEnumerable<string> Names(ILookup<string, IBenchSuite> suites) =>
        suites.Select(suite => suite.Key).Order(StringComparer.Ordinal);

    private static List<BenchResult> Measure(IEnumerable<IBenchSuite> suites, BenchContext context)
    {
        if (Debugger.IsAttached || !SuiteCatalog.IsRelease)
        {
            Console.Error.WriteLine("warning: not a Release build, the figures mean nothing (use -c Release)");
        }

        var runner = new BenchRunner(context.Runs);
        var results = new List<BenchResult>();
        long start = Stopwatch.GetTimestamp();
        foreach (IBenchSuite suite in suites)
        {
            long suiteStart = Stopwatch.GetTimestamp();
            int before = results.Count;
            foreach (BenchRow row in suite.GetRows(context))
            {
                if (context.Wants(row.Name))
                {
                    double? disk = suite.IsOnDisk ? DiskProbe.Measure(context.ScratchDirectory) : null;
                    BenchResult result = runner.Run(row) with { DiskWrites = disk };
                    results.Add(result);
                    Console.Error.WriteLine(BenchReport.ToLine(result));
                }
            }

            if (results.Count > before)
            {
                PrintTime($"{suite.Name}, {suite.GetType().Name}", suiteStart);
            }
        }

        PrintTime("all rows", start);
        return results;
    }

    private static void PrintTime(string what, long start) => Console.Error.WriteLine(
        string.Create(CultureInfo.InvariantCulture, $"{what}: {Stopwatch.GetElapsedTime(start).TotalSeconds:F0} s"));

    private static void Report(List<BenchResult> results, FileInfo? json)
    {
        Table table = BenchReport.CreateTable();
        results.ForEach(result => BenchReport.AddRow(table, result));
        IAnsiConsole console = AnsiConsole.Console;
        console.Profile.Width = Math.Max(console.Profile.Width, 160);
        console.Write(table);
        int met = results.Count(result => result.Met == true);
        int missed = results.Count(result => result.Met == false);
        int skipped = results.Count(result => result.Row.Skipped is not null);
        Console.WriteLine($"{results.Count} rows: {met} met, {missed} missed, {skipped} skipped");
        if (json is not null)
        {
            using FileStream file = json.Create();
            BenchReport.WriteJson(file, results);
        }
    }
}
