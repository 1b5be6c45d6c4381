using System.Diagnostics;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>
/// How long nobody has an answer when the primary is killed, under writes through the other two nodes, or another one is
/// made the primary, under writes through all: from the last answer of the old one to the first of the new one. Twenty times for each run that
/// is asked for: a hundred times if nothing else is said.
/// </summary>
internal sealed class ClusterSwitchSuite : IBenchSuite
{
    private const string Failover = "failover: primary killed, last answer to next one";
    private const string Planned = "planned switch of the primary, last answer to next one";
    private const int RoundsPerRun = 20;
    private const int AnswersBetween = 50;
    private static readonly TimeSpan Before = TimeSpan.FromSeconds(0.5);

    public string Name => "cluster";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        string[] names = [.. NamesOf(Failover), .. NamesOf(Planned)];
        if (!Array.Exists(names, context.Wants))
        {
            yield break;
        }

        string directory = Path.Combine(context.ScratchDirectory, "cluster-switch");
        using BenchCluster? cluster = BenchCluster.TryStart(directory, 3, out string why);
        if (cluster is null)
        {
            yield return BenchRow.Skip(Failover, "ms", why);
            yield break;
        }

        int rounds = (int)Math.Ceiling(RoundsPerRun * context.Runs * context.Scale);
        if (NamesOf(Planned).Any(context.Wants))
        {
            foreach (BenchRow row in RowsOf(
                Planned, Measure(rounds, () => SwitchOnce(cluster)), BenchTarget.None, BenchTarget.AtMost(300)))
            {
                yield return row;
            }
        }

        if (NamesOf(Failover).Any(context.Wants))
        {
            foreach (BenchRow row in RowsOf(
                Failover, Measure(rounds, () => KillOnce(cluster)), BenchTarget.AtMost(3_500),
                BenchTarget.AtMost(5_000)))
            {
                yield return row;
            }
        }
    }

    private static string[] NamesOf(string what) =>
        [$"{what}: p50", $"{what}: p99", $"{what}: longest", $"{what}: answers that were no success"];

    private static List<(double Milliseconds, long Failures)> Measure(
        int rounds, Func<(double Milliseconds, long Failures)> once)
    {
        List<(double Milliseconds, long Failures)> all = [];
        for (int n = 0; n < rounds; n++)
        {
            all.Add(once());
        }

        return all;
    }

    private static (double Milliseconds, long Failures) KillOnce(BenchCluster cluster)
    {
        string primary = cluster.Primary();
        (double Milliseconds, long Failures) figures;
        using (var writers = new ClusterWriters(cluster, cluster.Servers.Keys.Where(tag => tag != primary)))
        {
            writers.WaitForAnswers(AnswersBetween);
            Thread.Sleep(Before);
            long kill = Stopwatch.GetTimestamp();
            cluster.Kill(primary);
            figures = GapOf(writers, kill, () => Epoch(cluster));
        }

        cluster.Start(primary);
        cluster.WaitAlive(primary);
        cluster.WaitInSync(3);
        return figures;

        // What was on its way when the primary was killed may still come: only a new epoch is the end.
        static bool Epoch(BenchCluster cluster) => cluster.Servers.ContainsKey(cluster.Primary());
    }

    private static (double Milliseconds, long Failures) SwitchOnce(BenchCluster cluster)
    {
        string next = cluster.Follower();
        using var writers = new ClusterWriters(cluster, cluster.Servers.Keys);
        writers.WaitForAnswers(AnswersBetween);
        Thread.Sleep(Before);
        long moment = Stopwatch.GetTimestamp();
        cluster.HandOver(next);
        (double Milliseconds, long Failures) figures = GapOf(writers, moment, () => cluster.Primary() == next);
        cluster.WaitInSync(3);
        return figures;
    }

    private static (double Milliseconds, long Failures) GapOf(ClusterWriters writers, long moment, Func<bool> isNew)
    {
        while (!isNew())
        {
            Thread.Sleep(20);
        }

        writers.WaitForAnswers(AnswersBetween);
        return (writers.LongestGapAround(moment).TotalMilliseconds, writers.Failures);
    }

    private static IEnumerable<BenchRow> RowsOf(
        string what, List<(double Milliseconds, long Failures)> rounds, BenchTarget p50, BenchTarget p99)
    {
        double[] gaps = [.. rounds.Select(round => round.Milliseconds).Order()];
        string[] names = NamesOf(what);
        string times = $" ({gaps.Length} times)";
        yield return Row(names[0] + times, "ms", At(gaps, 0.5), p50);
        yield return Row(names[1] + times, "ms", At(gaps, 0.99), p99);
        yield return Row(names[2] + times, "ms", gaps[^1], BenchTarget.None);
        yield return Row(names[3] + times, "answers", rounds.Sum(round => round.Failures), BenchTarget.None);
    }

    private static double At(double[] sorted, double share) =>
        sorted[Math.Max(0, (int)Math.Ceiling(share * sorted.Length) - 1)];

    private static BenchRow Row(string name, string unit, double value, BenchTarget target) => new()
    {
        Name = name,
        Unit = unit,
        Target = target,
        WarmUpRuns = 0,
        Runs = 1,
        Ours = () => value,
    };
}
