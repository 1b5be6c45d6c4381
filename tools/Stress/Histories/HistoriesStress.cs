using System.CommandLine;
using System.Runtime.InteropServices;
using Raven.Cluster.Etcd;
using Shared.Cluster.Processes;

namespace Raven.Tools.Stress.Histories;

/// <summary><c>Stress cluster-histories --seed 1 --rounds 60</c>: real clusters, one after the other, a seed
/// each.</summary>
internal static class HistoriesStress
{
    internal static Command CreateVerb(Option<int> seed, Option<int> rounds, Func<string?> findServer)
    {
        var server = new Option<string?>("--server")
        {
            Description = "The server: an executable or a .dll; the one of this checkout if not given",
        };
        var seconds = new Option<int>("--seconds")
        {
            Description = "How long the clients and the faults of a run last",
            DefaultValueFactory = _ => 60,
        };
        var data = new Option<string?>("--data")
        {
            Description = "Where data and logs go; a new folder if not given. What ran before goes when it was right",
        };
        var verb = new Command(
            "cluster-histories",
            "three real servers and etcds in network namespaces, with faults: histories of clients are checked")
        {
            seed, rounds, server, seconds, data,
        };
        verb.SetAction(async (parsed, stop) => await RunAsync(
            parsed.GetValue(seed), parsed.GetValue(rounds), parsed.GetValue(server) ?? findServer(),
            TimeSpan.FromSeconds(parsed.GetValue(seconds)), parsed.GetValue(data), stop));
        return verb;
    }

    private static async Task<int> RunAsync(
        int from, int count, string? server, TimeSpan length, string? data, CancellationToken stop)
    {
        (EtcdProgram? etcd, string? problem) = await EtcdFinder.FindAsync(AppContext.BaseDirectory);
        if (etcd is null || !File.Exists(server))
        {
            await Console.Error.WriteLineAsync(problem ?? $"There is no server at {server}: give one.");
            return 2;
        }

        if (HistoryRun.NetworkProblem is { } why)
        {
            await Console.Out.WriteLineAsync($"{why} All processes are on one loopback: nothing is cut.");
        }

        string folder = data ?? Directory.CreateTempSubdirectory("raven-histories-").FullName;
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stop);
        using var term = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
        {
            context.Cancel = true;
            ending.Cancel();
        });
        int broken = 0;
        int done = 0;
        for (int seed = from; seed < from + count && !ending.IsCancellationRequested; seed++)
        {
            HistoryResult result = await RunAsync(
                seed, Path.GetFullPath(server), etcd.Path, Path.Combine(folder, $"{seed}"), length, ending.Token);
            done += result.Done;
            broken += result.Problems.Count > 0 ? 1 : 0;
            await Console.Out.WriteLineAsync(result.Problems.Count == 0
                ? $"{result}"
                : $"{result}\n(Stress cluster-histories --seed {seed} --rounds 1 --seconds {length.TotalSeconds})");
        }

        await Console.Out.WriteLineAsync(
            $"from seed {from}: {done} transactions done, {broken} runs BROKEN{(broken > 0 ? $", see {folder}" : "")}");
        return broken == 0 ? 0 : 1;
    }

    private static async Task<HistoryResult> RunAsync(
        int seed, string server, string etcd, string folder, TimeSpan length, CancellationToken stop)
    {
        Directory.CreateDirectory(folder);
        HistoryResult result;
        await using (var log = new StreamWriter(Path.Combine(folder, "faults.log")) { AutoFlush = true })
        {
            result = await HistoryRun.RunAsync(
                new HistoryOptions
                {
                    ServerPath = server,
                    EtcdPath = etcd,
                    Folder = folder,
                    Seed = seed,
                    Length = length,
                    Say = what =>
                    {
                        lock (log)
                        {
                            log.WriteLine(what);
                        }
                    },
                },
                stop);
        }

        if (result.Problems.Count == 0)
        {
            Directory.Delete(folder, recursive: true);
        }

        return result;
    }
}
