using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>
/// Documents of 1 KB, read one by one on a follower, which asks the primary what is committed before it answers; beside
/// the same node where a request lets it answer from what it has, the primary, and a server that is in no cluster.
/// </summary>
internal sealed class ClusterReadSuite : IBenchSuite
{
    private const string Confirmed = "confirmed";
    private const string Local = "local on the same node (Raven-Max-Staleness)";
    private const string Primary = "the primary, by its lease";
    private const string OneNode = "one node";

    private static readonly int[] Shapes = [64, 1];

    public string Name => "cluster";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!Array.Exists(Shapes, connections => context.Wants(NameOf(connections))))
        {
            yield break;
        }

        string directory = Path.Combine(context.ScratchDirectory, "cluster-get");
        using BenchCluster? cluster = BenchCluster.TryStart(directory, 3, out string why);
        if (cluster is null)
        {
            yield return BenchRow.Skip(NameOf(64), "documents/s", why);
            yield break;
        }

        using BenchDatabase one = BenchDatabase.Start(Path.Combine(directory, "one"));
        one.Load(BenchCluster.ReadCount);
        cluster.LoadDocuments(BenchCluster.ReadCount);
        ServerUnderTest primary = cluster.Servers[cluster.Primary()];
        ServerUnderTest follower = cluster.Servers[cluster.Follower()];
        foreach (ServerUnderTest server in (ServerUnderTest[])[primary, follower, one.Server])
        {
            ClusterLoad.WarmUp([primary, server], time => _ = ClusterLoad.Get(server, 64, time));
        }

        foreach (int connections in Shapes.Where(each => context.Wants(NameOf(each))))
        {
            var rounds = new HttpRounds(
                [
                    (Confirmed, time => ClusterLoad.Get(follower, connections, time)),
                    (Local, time => ClusterLoad.Get(follower, connections, time, "Raven-Max-Staleness: 1h")),
                    (Primary, time => ClusterLoad.Get(primary, connections, time)),
                    (OneNode, time => ClusterLoad.Get(one.Server, connections, time)),
                ],
                context.Runs);
            foreach (string peer in (string[])[Local, Primary, OneNode])
            {
                // One at a time waits for the way to the primary and back: that says what it costs, and is no target.
                yield return RowOf(
                    rounds, NameOf(connections), "documents/s", peer, ClusterLoad.RequestsPerSecond,
                    peer == Local && connections > 1 ? BenchTarget.RatioAtLeast(0.6) : BenchTarget.None);
                yield return RowOf(
                    rounds, $"{NameOf(connections)}: p99", "us", peer, ClusterLoad.P99Microseconds, BenchTarget.None);
            }
        }
    }

    private static string NameOf(int connections) =>
        $"GET docs?id= of 1 KB, confirmed on a follower, {connections} connection{(connections == 1 ? "" : "s")}";

    private static BenchRow RowOf(
        HttpRounds rounds, string name, string unit, string peer, int metric, BenchTarget target) => new()
        {
            Name = name,
            Unit = unit,
            PeerName = peer,
            Target = target,
            WarmUpRuns = 0,
            RunsMade = rounds.RoundCount,
            Ours = rounds.Metric(Confirmed, metric),
            Peer = rounds.Metric(peer, metric),
        };
}
