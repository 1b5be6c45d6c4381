using System.CommandLine;
using System.CommandLine.Invocation;
using System.Globalization;

namespace Raven.Tools.Stress;

/// <summary>
/// <c>Stress kill --server PATH</c> and <c>Stress strace --server PATH</c>. Knows the server by its path and by HTTP
/// alone, so
/// any build can be judged. Exit code 0 if every promise was kept, 1 if one was broken, 2 for a wrong command line.
/// </summary>
internal static class Program
{
    private static readonly Option<string> Server = new("--server", "The server: an executable or a .dll")
    {
        IsRequired = true,
    };

    private static readonly Option<int> Seed = new("--seed", () => 1, "The random choices; printed with every result");
    private static readonly Option<int> Rounds = new("--rounds", () => 50, "How many times the server is struck");
    private static readonly Option<int> Writers = new("--writers", () => 8, "Clients beside the import");
    private static readonly Option<int> Acknowledgements = new(
        "--acknowledgements", () => 1000, "Acknowledged writes before a kill may come");

    private static readonly Option<string?> Data = new(
        "--data", "The data folder of the server; a new one in the temporary folder if not given");

    private static int s_exitCode;

    public static int Main(string[] arguments)
    {
        var root = new RootCommand("Strikes a server in the middle of its work and checks that it kept its promises.");
        root.AddCommand(CreateVerb("kill", "kill -9 at random moments", []));
        root.AddCommand(CreateVerb(
            "strace", "faults of the disk and kills at system calls, injected by strace", StressRun.StraceFaults));
        int parsed = root.Invoke(arguments);
        return parsed != 0 ? 2 : s_exitCode;
    }

    private static Command CreateVerb(string name, string description, IReadOnlyList<string> injections)
    {
        var verb = new Command(name, description) { Server, Seed, Rounds, Writers, Acknowledgements, Data };
        verb.SetHandler(async (InvocationContext context) => s_exitCode = await RunAsync(context, injections));
        return verb;
    }

    private static async Task<int> RunAsync(InvocationContext context, IReadOnlyList<string> injections)
    {
        T Get<T>(Option<T> option) => context.ParseResult.GetValueForOption(option)!;

        if (!File.Exists(Get(Server)))
        {
            await Console.Error.WriteLineAsync($"There is no server at {Get(Server)}.");
            return 2;
        }

        string data = Get(Data) ?? Directory.CreateTempSubdirectory("raven-stress-").FullName;
        StressResult result = await new StressRun(
            new StressOptions
            {
                ServerPath = Path.GetFullPath(Get(Server)),
                DataDirectory = Path.GetFullPath(data),
                Seed = Get(Seed),
                Rounds = Get(Rounds),
                Writers = Get(Writers),
                AcknowledgementsMin = Get(Acknowledgements),
                Injections = injections,
            },
            Console.Out).RunAsync();
        bool isKept = result.Problems.Count == 0;
        if (isKept && Get(Data) is null)
        {
            Directory.Delete(data, recursive: true);
        }

        await Console.Out.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"{result.Rounds} rounds, {result.Acknowledged} writes acknowledged, {result.Checked} documents checked, " +
            $"slowest start {result.SlowestStart.TotalSeconds:0.00} s, seed {Get(Seed)}: " +
            $"{(isKept ? "every promise was kept" : $"{result.Problems.Count} BROKEN, the data is in {data}")}"));
        return isKept ? 0 : 1;
    }
}
