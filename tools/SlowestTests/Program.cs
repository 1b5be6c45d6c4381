using System.CommandLine;
using System.Diagnostics;
using System.Globalization;

namespace Raven.Tools.SlowestTests;

/// <summary>
/// Without a verb: the slowest tests of the last run (<c>--results DIR</c> or <c>--file X.trx</c>). Verb
/// <c>shards</c>: runs the slow tests shard by shard; the last line is <c>N passed, N failed</c>, the exit code 1 if
/// anything failed. Verb <c>coverage</c>: runs the tests that prove the storage and says how much of it they cover.
/// </summary>
internal static class Program
{
    private const string Rest = "rest";

    private static readonly Option<string> Results = new("--results")
    {
        Description = "The folder of the result files",
        DefaultValueFactory = _ => Path.Combine("artifacts", "tests"),
    };

    private static readonly Option<string?> ResultFile = new("--file")
    {
        Description = "This result file instead of the newest",
    };

    private static readonly Option<int> Count = new("--count")
    {
        Description = "How many lines each list has",
        DefaultValueFactory = _ => 25,
    };

    private static readonly Option<string> Project = new("--project")
    {
        Description = "The test project",
        DefaultValueFactory = _ => Path.Combine("tests", "SlowTests"),
    };

    private static readonly Option<string> Configuration = new("--configuration")
    {
        Description = "What to build and run",
        DefaultValueFactory = _ => "Release",
    };

    private static readonly Option<string[]> Only = new("--only")
    {
        Description = "Only these shards",
        AllowMultipleArgumentsPerToken = true,
    };

    private static readonly Option<double> Limit = new("--limit")
    {
        Description = "Minutes a shard may take",
        DefaultValueFactory = _ => 10,
    };

    public static int Main(string[] arguments)
    {
        var shards = new Command("shards", "Run all slow tests, shard by shard")
        {
            Project, Configuration, Only, Limit,
        };
        shards.Add(Results);
        shards.SetAction(RunShards);
        var filter = new Option<string>("--filter")
        {
            Description = "Which tests",
            DefaultValueFactory = _ => "Proof~storage-",
        };
        var assembly = new Option<string>("--assembly")
        {
            Description = "Whose code is counted",
            DefaultValueFactory = _ => "Raven.Storage",
        };
        var proved = new Option<string>("--project")
        {
            Description = "The test project",
            DefaultValueFactory = _ => Path.Combine("tests", "FastTests"),
        };
        var coverage = new Command("coverage", "Run the tests that prove the storage, and say what they cover of it")
        {
            proved, filter, assembly, Results,
        };
        coverage.SetAction(parsed => CoverageRun.Run(
            parsed.GetRequiredValue(proved), parsed.GetRequiredValue(filter), parsed.GetRequiredValue(assembly),
            parsed.GetRequiredValue(Results), Console.Out));
        var root = new RootCommand("The slowest tests of the last run.") { Results, ResultFile, Count };
        root.Add(shards);
        root.Add(coverage);
        root.SetAction(Report);
        ParseResult line = root.Parse(arguments);
        int exitCode = line.Invoke();
        return line.Errors.Count > 0 ? 2 : exitCode;
    }

    private static int Report(ParseResult parsed)
    {
        string results = parsed.GetValue(Results)!;
        string? file = parsed.GetValue(ResultFile) ?? TestRunFile.FindNewest(results);
        if (file is null || !File.Exists(file))
        {
            Console.Error.WriteLine($"No result file {file ?? $"under {results}"}: run ./build.sh test first.");
            return 2;
        }

        Console.WriteLine(file);
        SlowestReport.Write(Console.Out, TestRunFile.Read(file), parsed.GetValue(Count));
        return 0;
    }

    private static int RunShards(ParseResult parsed)
    {
        string project = parsed.GetRequiredValue(Project);
        string configuration = parsed.GetRequiredValue(Configuration);
        using (Process build = Process.Start("dotnet", ["build", project, "-c", configuration, "--nologo", "-v", "q"]))
        {
            build.WaitForExit();
            if (build.ExitCode != 0)
            {
                Console.Error.WriteLine($"{project} does not build.");
                Console.WriteLine("0 passed, 1 failed");
                return 1;
            }
        }

        string output = Path.Combine(project, "bin", configuration);
        string assembly = Directory.EnumerateFiles(output, Path.GetFileName(Path.GetFullPath(project)) + ".dll",
            SearchOption.AllDirectories).First(path => File.Exists(Path.ChangeExtension(path, ".deps.json")));
        IReadOnlyList<string> found = ShardCatalog.Find(assembly);
        string[] only = parsed.GetValue(Only) ?? [];
        if (only.FirstOrDefault(name => name != Rest && !found.Contains(name)) is { } unknown)
        {
            Console.Error.WriteLine($"No shard '{unknown}'. There are: {string.Join(", ", found.Append(Rest))}");
            return 2;
        }

        var runner = new ShardRunner(
            project, configuration, parsed.GetRequiredValue(Results), TimeSpan.FromMinutes(parsed.GetValue(Limit)));
        return RunAll(runner, found, only);
    }

    private static int RunAll(ShardRunner runner, IReadOnlyList<string> found, string[] only)
    {
        var results = new List<ShardResult>();
        foreach (string shard in found.Append(Rest).Where(name => only.Length == 0 || only.Contains(name)))
        {
            Console.WriteLine($"--- shard {shard}");
            ShardResult result = runner.Run(
                shard, shard == Rest ? ShardCatalog.FilterOfTheRest(found) : ShardCatalog.FilterOf(shard));

            // That every test has a shard is the good case: the rest may be empty.
            bool isEmptyRest = shard == Rest && result is { Passed: 0, Remark: "no test ran" };
            results.Add(isEmptyRest ? result with { Failed = 0 } : result);
        }

        Console.WriteLine();
        Console.WriteLine("minutes  passed  failed  shard");
        foreach (ShardResult result in results)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{result.Elapsed.TotalMinutes,7:0.0}  {result.Passed,6}  {result.Failed,6}  " +
                $"{result.Name} {result.Remark}"));
        }

        int failed = results.Sum(result => result.Failed);
        int passed = results.Sum(result => result.Passed);
        Console.WriteLine($"{passed} passed, {failed} failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
