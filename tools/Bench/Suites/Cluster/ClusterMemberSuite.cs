using System.Diagnostics;
using System.Globalization;
using System.Net;
using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>
/// Nodes that come to a database under writes: a follower that was away for a minute, and one that has nothing yet. How
/// long that takes, and what the writers feel of it.
/// </summary>
internal sealed class ClusterMemberSuite : IBenchSuite
{
    private const int Connections = 64;
    private const double Pace = 5_000;

    /// <summary>With what the pages and trees need these are 4 GB of files.</summary>
    private const double CopyDocuments = 4_200_000;
    private static readonly TimeSpan Away = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Base = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan CatchUpMax = TimeSpan.FromMinutes(3);

    private static readonly string Back = $"a follower back after {Away.TotalSeconds:0} s, {Pace:0} PUT/s";
    private static readonly string BackLatency = $"{Back}: p99 of writers until it is in sync";
    private static readonly string BackMedian = $"{Back}: p50 of writers until it is in sync";
    private static readonly string BackRate = $"{Back}: writes that were answered";

    public string Name => "cluster";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (Array.Exists([Back, BackLatency, BackMedian, BackRate], context.Wants))
        {
            foreach (BenchRow row in GetBackRows(context))
            {
                yield return row;
            }
        }

        int documents = (int)(CopyDocuments * context.Scale);
        if (Array.Exists([CopyName(documents), CopyRate(documents)], context.Wants))
        {
            foreach (BenchRow row in GetCopyRows(context, documents))
            {
                yield return row;
            }
        }
    }

    private static IEnumerable<BenchRow> GetBackRows(BenchContext context)
    {
        string directory = Path.Combine(context.ScratchDirectory, "cluster-back");
        using BenchCluster? cluster = BenchCluster.TryStart(directory, 3, out string why);
        if (cluster is null)
        {
            yield return BenchRow.Skip(Back, "s", why);
            yield break;
        }

        string primary = cluster.Primary();
        string follower = cluster.Follower();
        ClusterLoad.WarmUp(cluster.Servers.Values, time => _ = Load(cluster, primary, time, Pace, default));
        LoadReport before = Load(cluster, primary, Base, Pace, default);
        cluster.Kill(follower);
        LoadReport away = Load(cluster, primary, Away, Pace, default);
        (double seconds, LoadReport meanwhile) =
            CatchUp(cluster, primary, Pace, () => cluster.Start(follower), follower);
        yield return Row(Back, "s until in sync", seconds, null, "", BenchTarget.AtMost(30));
        yield return Row(
            BackLatency, "ms", Percentile(meanwhile, 0.99), Percentile(before, 0.99), "before",
            BenchTarget.RatioAtMost(2));
        yield return Row(
            BackMedian, "ms", Percentile(meanwhile, 0.5), Percentile(before, 0.5), "before", BenchTarget.None);
        yield return Row(
            BackRate, "documents/s", meanwhile.RequestsPerSecond, away.RequestsPerSecond, "while it is away",
            BenchTarget.None);
    }

    /// <summary>The database is loaded on one node, and copied to two: what the third gets, a fourth node of the
    /// cluster, is measured.</summary>
    private static IEnumerable<BenchRow> GetCopyRows(BenchContext context, int documents)
    {
        string directory = Path.Combine(context.ScratchDirectory, "cluster-copy");
        using BenchCluster? cluster = BenchCluster.TryStart(directory, 1, out string why);
        if (cluster is null)
        {
            yield return BenchRow.Skip(CopyName(documents), "MB/s", why);
            yield break;
        }

        string primary = cluster.Primary();
        cluster.LoadWords(documents);
        foreach (string tag in cluster.Servers.Keys.Where(tag => tag != primary).ToArray())
        {
            cluster.Add(tag);
            cluster.WaitInSync(tag, primary, CatchUpMax);
        }

        cluster.Start("D");
        cluster.WaitAlive("D");
        ClusterLoad.WarmUp(cluster.Servers.Values, time => _ = Load(cluster, primary, time, 0, default));
        LoadReport before = Load(cluster, primary, Base, 0, default);
        string file = BenchCluster.DataFileIn(cluster.FilesOf(primary));
        double megabytes = new FileInfo(file).Length / 1e6;
        double dd = megabytes / FileOverSocket.Copy(file, Path.Combine(directory, "dd"));
        (double seconds, LoadReport meanwhile) = CatchUp(cluster, primary, 0, () => cluster.Add("D"), "D");
        yield return Row(
            CopyName(documents), $"MB/s of {megabytes:N0} MB", megabytes / seconds, dd,
            "the file through a socket to a synced file", BenchTarget.RatioAtLeast(0.5));
        yield return Row(
            CopyRate(documents), "documents/s", meanwhile.RequestsPerSecond, before.RequestsPerSecond, "before",
            BenchTarget.RatioAtLeast(0.7));
    }

    private static string CopyName(int documents) => string.Create(
        CultureInfo.InvariantCulture, $"a fourth node copied, {documents:N0} documents, until it is in sync");

    private static string CopyRate(int documents) => $"{CopyName(documents)}: writers meanwhile";

    private static double Percentile(LoadReport report, double share) => report.Latency.GetPercentile(share) / 1e6;

    /// <summary>Writes while something brings a node, until that one is in sync.</summary>
    private static (double Seconds, LoadReport Meanwhile) CatchUp(
        BenchCluster cluster, string primary, double pace, Action begin, string tag)
    {
        using var enough = new CancellationTokenSource();
        long start = Stopwatch.GetTimestamp();
        begin();
        Task<LoadReport> load = Task.Run(() => Load(cluster, primary, CatchUpMax, pace, enough.Token));
        try
        {
            while (!cluster.IsInSync(tag, primary))
            {
                if (Stopwatch.GetElapsedTime(start) > CatchUpMax)
                {
                    throw new TimeoutException($"{tag} was not in sync within {CatchUpMax.TotalSeconds:0} s.");
                }

                Thread.Sleep(LookEvery);
            }
        }
        finally
        {
            enough.Cancel();
        }

        return (Stopwatch.GetElapsedTime(start).TotalSeconds, load.GetAwaiter().GetResult());
    }

    private static LoadReport Load(
        BenchCluster cluster, string primary, TimeSpan duration, double pace, CancellationToken stop)
    {
        Uri url = cluster.UrlOf(primary, "/");
        LoadReport report = LoadRun.RunAsync(
            new LoadOptions
            {
                Server = new IPEndPoint(IPAddress.Loopback, url.Port),
                Requests = [BenchDatabase.TemplateOf(url, "PUT", "docs?id=", BenchCluster.Database)],
                Clients = Connections,
                Duration = duration,
                RatePerSecond = pace,
                NumberCount = BenchDatabase.DocumentCount,
            },
            stop).GetAwaiter().GetResult();
        return report.Successful == report.Requests
            ? report
            : throw new InvalidOperationException(
                $"{report.Requests - report.Successful} of {report.Requests} writes failed: {report.FirstFailure}");
    }

    private static BenchRow Row(
        string name, string unit, double value, double? peer, string peerName, BenchTarget target) => new()
        {
            Name = name,
            Unit = unit,
            PeerName = peerName,
            Target = target,
            WarmUpRuns = 0,
            Runs = 1,
            Ours = () => value,
            Peer = peer is { } other ? () => other : null,
        };
}
