using System.CommandLine;
using System.Diagnostics;

namespace Raven.Tools.Stress.Cluster;

/// <summary><c>Stress cluster --seed 1 --rounds 1000</c>: simulated clusters, each a function of its seed.</summary>
internal static class ClusterStress
{
    internal static Command CreateVerb(Option<int> seed, Option<int> rounds)
    {
        var trace = new Option<bool>("--trace") { Description = "Prints what happens in the first run" };
        var memory = new Option<bool>("--memory")
        {
            Description = "Files in memory in place of real storage on simulated disks: much faster",
        };
        var resume = new Option<string?>("--resume")
        {
            Description = "Keeps in this file how far the seeds are, and begins behind those that it names",
        };
        var minutes = new Option<double>("--minutes")
        {
            Description = "Ends after so long; with --resume the next call goes on",
            DefaultValueFactory = _ => double.PositiveInfinity,
        };
        var broken = new Option<int>("--broken-max")
        {
            Description = "Ends after so many runs that broke a promise",
            DefaultValueFactory = _ => 20,
        };
        var verb = new Command(
            "cluster",
            "simulated clusters: crashes, cuts, lost answers, clocks of own rates; from seed "
            + $"{HarderTrouble.FirstSeed} on also lost disks, promotions that accept a loss, and rarer orders")
        {
            seed, rounds, trace, memory, resume, minutes, broken,
        };
        verb.SetAction(parsed => Run(
            new SeedProgress(parsed.GetValue(seed), parsed.GetValue(rounds), parsed.GetValue(resume)),
            parsed.GetValue(minutes), parsed.GetValue(broken), !parsed.GetValue(memory),
            parsed.GetValue(trace) ? Console.Out.WriteLine : null));
        return verb;
    }

    private static int Run(
        SeedProgress progress, double minutesMax, int brokenMax, bool hasStorage, Action<string>? trace)
    {
        if (!progress.TryRead(out string? problem))
        {
            Console.Error.WriteLine(problem);
            return 2;
        }

        long began = Stopwatch.GetTimestamp();
        int brokenBefore = progress.Broken;
        for (Action<string>? tracing = trace; progress.Next < progress.End; tracing = null)
        {
            if (Stopwatch.GetElapsedTime(began).TotalMinutes >= minutesMax
                || progress.Broken - brokenBefore >= brokenMax)
            {
                break;
            }

            int seed = progress.Next;
            try
            {
                progress.Note(SimulatedWorld.Run(seed, hasStorage, tracing));
            }
            catch (SimulationException found)
            {
                string line = $"{found.Message} (Stress cluster --seed {seed} --rounds 1 --trace"
                    + (hasStorage ? ")" : " --memory)");
                progress.NoteBroken(line);
                Console.WriteLine(line);
            }
        }

        progress.Write();
        Console.WriteLine(progress);
        return progress.Broken == 0 ? 0 : 1;
    }
}
