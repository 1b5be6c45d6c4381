using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>
/// Documents of 1 KB, put one by one into a database that three nodes keep: all of them have it on their disks before
/// it is answered. Beside one node of ours and what else promises something like it, with all servers and the load on
/// the same cores, in turn.
/// </summary>
internal sealed class ClusterCommitSuite : IBenchSuite
{
    private const string Ours = "three nodes";
    private const string OneNode = "one node";
    private const string Etcd = "etcd put, 3 members, JSON";

    private static readonly (int Connections, double OfOne, double OfPostgres)[] Shapes =
        [(64, 0.5, 1.5), (1, 0.35, 1)];

    public string Name => "cluster";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!Array.Exists(Shapes, shape => RowNames(shape.Connections).Any(context.Wants)))
        {
            yield break;
        }

        string directory = Path.Combine(context.ScratchDirectory, "cluster-put");
        using BenchCluster? cluster = BenchCluster.TryStart(directory, 3, out string why);
        if (cluster is null)
        {
            yield return BenchRow.Skip(NameOf(64), "documents/s", why);
            yield break;
        }

        using BenchDatabase one = BenchDatabase.Start(Path.Combine(directory, "one"));
        using PostgresGroup? postgres =
            PostgresGroup.TryStart(Path.Combine(directory, "postgres"), out string noPostgres);
        using RedisGroup? redis = RedisGroup.TryStart(Path.Combine(directory, "redis"), out string noRedis);
        foreach ((string peer, string reason) in ((string, string)[])
            [(PostgresGroup.Name, noPostgres), (RedisGroup.Name, noRedis)])
        {
            if (reason.Length > 0)
            {
                yield return BenchRow.Skip($"PUT docs 1 KB beside {peer}", "documents/s", reason);
            }
        }

        string primary = cluster.Primary();
        string follower = cluster.Follower();
        ClusterLoad.WarmUp(
            cluster.Servers.Values, time => _ = ClusterLoad.Put(cluster.Servers[primary], [], 64, time));
        ClusterLoad.WarmUp([one.Server], time => _ = ClusterLoad.Put(one.Server, [], 64, time));
        foreach ((int connections, double ofOne, double ofPostgres) in Shapes)
        {
            if (!RowNames(connections).Any(context.Wants))
            {
                continue;
            }

            Uri leader = cluster.Etcd.Leader();
            var costs = new CommitCosts(cluster, primary, follower, one.Server);
            List<(string Name, Func<TimeSpan, double[]> Load)> loads =
            [
                (Ours, time => costs.Put(connections, time)),
                (OneNode, time => costs.PutAlone(connections, time)),
                (Etcd, time => cluster.Etcd.Put(connections, time, leader)),
            ];
            if (postgres is not null)
            {
                loads.Add((PostgresGroup.Name, time => postgres.Put(connections, time)));
            }

            if (redis is not null)
            {
                loads.Add((RedisGroup.Name, time => redis.Put(connections, time)));
            }

            var rounds = new HttpRounds(loads, context.Runs);
            foreach (BenchRow row in RowsOf(rounds, loads, connections, ofOne, ofPostgres)
                .Concat(costs.Rows(NameOf(connections))))
            {
                yield return row;
            }
        }
    }

    private static string NameOf(int connections) =>
        $"PUT docs 1 KB, durable on three nodes, {connections} connection{(connections == 1 ? "" : "s")}";

    private static IEnumerable<string> RowNames(int connections) =>
        [NameOf(connections), $"{NameOf(connections)}: p50", .. CommitCosts.NamesOf(NameOf(connections))];

    private static IEnumerable<BenchRow> RowsOf(
        HttpRounds rounds, List<(string Name, Func<TimeSpan, double[]> Load)> loads, int connections, double ofOne,
        double ofPostgres)
    {
        foreach ((string peer, _) in loads.Skip(1))
        {
            BenchTarget target = peer switch
            {
                OneNode => BenchTarget.RatioAtLeast(ofOne),
                PostgresGroup.Name => BenchTarget.RatioAtLeast(ofPostgres),
                Etcd => BenchTarget.RatioAtLeast(20),
                _ => BenchTarget.None,
            };
            yield return RowOf(rounds, NameOf(connections), "documents/s", peer, ClusterLoad.RequestsPerSecond, target);
        }

        foreach ((string percentile, int metric) in ((string, int)[])
            [("p50", ClusterLoad.P50Microseconds), ("p99", ClusterLoad.P99Microseconds)])
        {
            foreach ((string peer, _) in loads.Skip(1))
            {
                yield return RowOf(
                    rounds, $"{NameOf(connections)}: {percentile}", "us", peer, metric, BenchTarget.None);
            }
        }

        yield return RowOf(
            rounds, $"{NameOf(connections)}: CPU of all servers", "us/document", OneNode, ClusterLoad.CpuMicroseconds,
            BenchTarget.None);
    }

    private static BenchRow RowOf(
        HttpRounds rounds, string name, string unit, string peer, int metric, BenchTarget target) => new()
        {
            Name = name,
            Unit = unit,
            PeerName = peer,
            Target = target,
            WarmUpRuns = 0,
            RunsMade = rounds.RoundCount,
            Ours = rounds.Metric(Ours, metric),
            Peer = rounds.Metric(peer, metric),
        };
}
