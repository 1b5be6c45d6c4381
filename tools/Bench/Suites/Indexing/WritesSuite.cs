using System.Diagnostics;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Indexing;

/// <summary>
/// What writers pay for indexes, over HTTP: durable PUTs of 1 KB, as many as come back and at a pace, into databases
/// with none, one and eight map indexes; and how soon a write is seen in an index that a query made.
/// </summary>
internal sealed class WritesSuite : IBenchSuite
{
    private const int Connections = 64;
    private const double PacedRate = 2000;
    private const string Saturated = "PUT 1 KB, saturated by 64 connections";
    private const string Paced = "PUT 2,000/s over 64 connections";
    private const string Visible = "write to visible in an auto index";

    /// <summary>9 us a document and index, four times over: what catching up may take.</summary>
    private const double CatchUpMicroseconds = 36;

    /// <summary>With fewer documents behind, what a batch costs by itself is all that is seen.</summary>
    private const long LagMin = 1000;

    private static readonly TimeSpan SaturatedTime = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan PacedTime = TimeSpan.FromSeconds(4);
    private static readonly (int Indexes, double Target)[] Counts = [(1, 0.85), (8, 0.6)];

    public string Name => "indexing";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(SaturatedName(1)) && !context.Wants(SaturatedName(8)) && !context.Wants(PacedName("p99", 8))
            && !context.Wants(Visible))
        {
            yield break;
        }

        using var server = new IndexedServer(Path.Combine(context.ScratchDirectory, "indexed-writes"));
        server.CreateDatabase("without", 0);
        foreach ((int indexes, double target) in Counts)
        {
            server.CreateDatabase(DatabaseOf(indexes), indexes);
            foreach (BenchRow row in SaturatedRows(server, indexes, target))
            {
                yield return row;
            }
        }

        foreach (BenchRow row in PacedRows(server).Concat(VisibleRows(server)))
        {
            yield return row;
        }
    }

    private static string PacedName(string what, int indexes) => $"{Paced}: {what} with {IndexesOf(indexes)}";

    private static string DatabaseOf(int indexes) => $"with{indexes}";

    private static string SaturatedName(int indexes) =>
        $"{Saturated}: {IndexesOf(indexes)}";

    private static string IndexesOf(int count) => $"{count} map {(count == 1 ? "index" : "indexes")}";

    private static IEnumerable<BenchRow> SaturatedRows(IndexedServer server, int indexes, double target)
    {
        string name = SaturatedName(indexes);
        var runs = new SharedRuns(() => RunSaturated(server, indexes));
        yield return new BenchRow
        {
            Name = name,
            Unit = "documents/s",
            PeerName = "without indexes",
            Target = BenchTarget.RatioAtLeast(target),
            WarmUpRuns = 1,
            Ours = runs.Metric(0),
            Peer = () => server.Put("without", Connections, SaturatedTime, rate: 0).RequestsPerSecond,
        };
        yield return new BenchRow
        {
            Name = $"{name}: documents behind when writers stop",
            Unit = "documents",
            WarmUpRuns = 1,
            Ours = runs.Metric(1),
        };
        yield return new BenchRow
        {
            Name = $"{name}: catching up",
            Unit = "ms",
            WarmUpRuns = 1,
            Ours = runs.Metric(2),
        };
        yield return new BenchRow
        {
            Name = $"{name}: catching up, for each document behind and index",
            Unit = "us",
            Target = BenchTarget.AtMost(CatchUpMicroseconds),
            WarmUpRuns = 1,
            Ours = runs.Metric(3),
        };
    }

    private static double[] RunSaturated(IndexedServer server, int indexes)
    {
        string database = DatabaseOf(indexes);
        double rate = server.Put(database, Connections, SaturatedTime, rate: 0).RequestsPerSecond;
        long start = Stopwatch.GetTimestamp();
        long lag = server.ReadLag(database);
        server.CatchUp(database);
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        return [rate, lag, seconds * 1e3, seconds * 1e6 / Math.Max(lag, LagMin) / indexes];
    }

    private static IEnumerable<BenchRow> PacedRows(IndexedServer server)
    {
        foreach ((int indexes, double _) in Counts)
        {
            var ours = new SharedRuns(() => PacedLatency(server, DatabaseOf(indexes)));
            var peers = new SharedRuns(() => PacedLatency(server, "without"));
            yield return PacedRow("p99", indexes, indexes == 8 ? BenchTarget.RatioAtMost(1.5) : BenchTarget.None);
            yield return PacedRow("p50", indexes, BenchTarget.None);

            BenchRow PacedRow(string what, int indexes, BenchTarget target) => new()
            {
                Name = PacedName(what, indexes),
                Unit = "ms",
                PeerName = "without indexes",
                Target = target,
                WarmUpRuns = 1,
                Ours = ours.Metric(what == "p50" ? 0 : 1),
                Peer = peers.Metric(what == "p50" ? 0 : 1),
            };
        }
    }

    /// <summary>p50 and p99, in milliseconds.</summary>
    private static double[] PacedLatency(IndexedServer server, string database)
    {
        LatencyHistogram latency = server.Put(database, Connections, PacedTime, PacedRate).Latency;
        server.CatchUp(database);
        return [latency.GetPercentile(0.5) / 1e6, latency.GetPercentile(0.99) / 1e6];
    }

    private static IEnumerable<BenchRow> VisibleRows(IndexedServer server)
    {
        var probes = new VisibilityProbes(server, "auto");
        var runs = new SharedRuns(() =>
        {
            using var stop = new CancellationTokenSource();
            Task<LatencyHistogram> probing = probes.RunAsync(stop.Token);
            LoadReport writes = server.Put("auto", Connections, PacedTime, PacedRate);
            stop.Cancel();
            LatencyHistogram seen = probing.GetAwaiter().GetResult();
            return
            [
                seen.GetPercentile(0.5) / 1e6, seen.GetPercentile(0.99) / 1e6,
                writes.Latency.GetPercentile(0.99) / 1e6,
            ];
        });
        yield return VisibleRow("p50", 10, runs.Metric(0));
        yield return VisibleRow("p99", 50, runs.Metric(1));
        yield return VisibleRow("p99 of the writes", 0, runs.Metric(2));
    }

    private static BenchRow VisibleRow(string what, double most, Func<double> measure) => new()
    {
        Name = $"{Visible}, beside PUT 2,000/s over 64 connections: {what}",
        Unit = "ms",
        Target = most > 0 ? BenchTarget.AtMost(most) : BenchTarget.None,
        WarmUpRuns = 1,
        Ours = measure,
    };
}
