using System.CommandLine;
using System.Globalization;
using Raven.Tools.Stress.Cluster;
using Raven.Tools.Stress.Histories;

namespace Raven.Tools.Stress;

/// <summary>
/// <c>Stress kill --server PATH</c> and <c>Stress strace --server PATH</c>. Knows the server by its path and by HTTP
/// alone, so any build can be judged; <c>Stress cluster</c> simulates clusters, <c>Stress cluster-histories</c> runs
/// real ones. Exit code 0 if every promise was kept, 1 if one was broken, 2 for a wrong command line.
/// </summary>
internal static class Program
{
    /// <summary>How long a run that is told to end may take to take its processes and networks away.</summary>
    private static readonly TimeSpan EndMax = TimeSpan.FromMinutes(5);

    private static readonly Option<string?> Server = new("--server")
    {
        Description = "The server: an executable or a .dll; the one of this checkout if not given",
    };

    private static readonly Option<int> Seed = new("--seed")
    {
        Description = "The random choices; printed with every result",
        DefaultValueFactory = _ => 1,
    };

    private static readonly Option<int> Rounds = new("--rounds")
    {
        Description = "How many times the server is struck",
        DefaultValueFactory = _ => 50,
    };

    private static readonly Option<bool> Mixed = new("--mixed")
    {
        Description = "Writers that patch, attach, count and exchange too, not only write documents",
    };

    private static readonly Option<int?> Writers = new("--writers")
    {
        Description = "Clients beside the import; 8 if not given, 16 of the mixed ones",
    };

    private static readonly Option<int> Queries = new("--queries")
    {
        Description = "Indexes and queries beside the writers, and so many random queries compared after each restart",
    };

    private static readonly Option<string?> Engine = new("--engine")
    {
        Description = "Which engine keeps the indexes: Corax or Lucene",
    };

    private static readonly Option<int> Databases = new("--databases")
    {
        Description =
            "In half of the rounds (kill only) the writers spread over so many more databases, each with an index",
        DefaultValueFactory = _ => 20,
    };

    private static readonly Option<string> HeapLimit = new("--heap-limit")
    {
        Description = "What DOTNET_GCHeapHardLimit gives the server in those rounds, in hex",
        DefaultValueFactory = _ => "0x10000000",
    };

    private static readonly Option<int> Acknowledgements = new("--acknowledgements")
    {
        Description = "Acknowledged writes before a kill may come",
        DefaultValueFactory = _ => 1000,
    };

    private static readonly Option<bool> Https = new("--https")
    {
        Description = "The server has a certificate, and the writers have one that it knows",
    };

    private static readonly Option<string?> Data = new("--data")
    {
        Description = "The data folder of the server; a new one in the temporary folder if not given",
    };

    public static int Main(string[] arguments)
    {
        var root = new RootCommand("Strikes a server in the middle of its work and checks that it kept its promises.");
        root.Add(CreateVerb("kill", "kill -9 at random moments", []));
        root.Add(CreateVerb(
            "strace", "faults of the disk and kills at system calls, injected by strace", StressRun.StraceFaults));
        root.Add(ClusterStress.CreateVerb(Seed, Rounds));
        root.Add(HistoriesStress.CreateVerb(Seed, Rounds, FindServer));
        ParseResult parsed = root.Parse(arguments);
        int exitCode = parsed.Invoke(new InvocationConfiguration { ProcessTerminationTimeout = EndMax });
        return parsed.Errors.Count > 0 ? 2 : exitCode;
    }

    private static Command CreateVerb(string name, string description, IReadOnlyList<string> injections)
    {
        var verb = new Command(name, description)
        {
            Server, Seed, Rounds, Mixed, Writers, Queries, Engine, Databases, HeapLimit, Acknowledgements, Https, Data,
        };
        verb.SetAction(parsed => RunAsync(parsed, injections));
        return verb;
    }

    private static async Task<int> RunAsync(ParseResult parsed, IReadOnlyList<string> injections)
    {
        T Get<T>(Option<T> option) => parsed.GetValue(option)!;

        string? server = Get(Server) ?? FindServer();
        if (!File.Exists(server))
        {
            await Console.Error.WriteLineAsync(
                server is null
                    ? "No server is built beside this program: give one."
                    : $"There is no server at {server}.");
            return 2;
        }

        string data = Get(Data) ?? Directory.CreateTempSubdirectory("raven-stress-").FullName;
        StressResult result = await new StressRun(
            new StressOptions
            {
                ServerPath = Path.GetFullPath(server),
                DataDirectory = Path.GetFullPath(data),
                Seed = Get(Seed),
                Rounds = Get(Rounds),
                IsMixed = Get(Mixed),
                Queries = Get(Queries),
                Engine = Get(Engine),
                Databases = Get(Databases),
                HeapBytesMax = Convert.ToInt64(Get(HeapLimit), 16),
                Writers = Get(Writers) ?? (Get(Mixed) ? 16 : 8),
                AcknowledgementsMin = Get(Acknowledgements),
                IsSecured = Get(Https),
                Injections = injections,
            },
            Console.Out).RunAsync();
        foreach (string slow in result.SlowStarts)
        {
            await Console.Out.WriteLineAsync($"slow, beside too much else: {slow}");
        }

        bool isKept = result.Problems.Count == 0;
        if (isKept && Get(Data) is null)
        {
            Directory.Delete(data, recursive: true);
        }

        await Console.Out.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"{result.Rounds} rounds, {result.Acknowledged} writes acknowledged, {result.Checked} documents checked, " +
            $"{result.Asked} queries compared, {result.AskedMeanwhile} answered beside the writers, " +
            $"{result.CrowdedRounds} rounds of many databases in a small heap, " +
            $"slowest start {result.SlowestStart}, seed {Get(Seed)}: " +
            $"{(isKept ? "every promise was kept" : $"{result.Problems.Count} BROKEN, the data is in {data}")}"));
        return isKept ? 0 : 1;
    }

    /// <summary>The server of the checkout that this program was built in, in the same configuration.</summary>
    private static string? FindServer()
    {
        // .../tools/Stress/bin/CONFIGURATION/FRAMEWORK/
        var here = new DirectoryInfo(AppContext.BaseDirectory);
        for (DirectoryInfo? root = here; root is not null; root = root.Parent)
        {
            if (File.Exists(Path.Combine(root.FullName, "Raven.sln")))
            {
                return Path.Combine(
                    root.FullName, "src", "Server", "bin", here.Parent!.Name, here.Name, "Raven.Server.dll");
            }
        }

        return null;
    }
}
