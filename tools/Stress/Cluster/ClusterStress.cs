using System.CommandLine;

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
        var verb = new Command("cluster", "simulated clusters: crashes, cuts, lost answers, clocks of own rates")
        {
            seed, rounds, trace, memory,
        };
        verb.SetAction(parsed => Run(
            parsed.GetValue(seed), parsed.GetValue(rounds), !parsed.GetValue(memory),
            parsed.GetValue(trace) ? Console.Out.WriteLine : null));
        return verb;
    }

    private static int Run(int from, int count, bool hasStorage, Action<string>? trace)
    {
        long writes = 0;
        long reads = 0;
        long takeovers = 0;
        int broken = 0;
        for (int seed = from; seed < from + count; seed++)
        {
            try
            {
                SimulationCheck run = SimulatedWorld.Run(seed, hasStorage, seed == from ? trace : null);
                writes += run.Writes;
                reads += run.Reads;
                takeovers += run.Takeovers;
            }
            catch (SimulationException found)
            {
                broken++;
                Console.WriteLine(
                    $"{found.Message} (Stress cluster --seed {seed} --rounds 1 --trace"
                    + (hasStorage ? ")" : " --memory)"));
            }
        }

        Console.WriteLine(
            $"{count} runs from seed {from}: {writes} writes acknowledged, {reads} reads, {takeovers} takeovers, "
            + $"{broken} BROKEN");
        return broken == 0 ? 0 : 1;
    }
}
