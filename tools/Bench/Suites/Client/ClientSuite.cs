using System.Diagnostics;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>
/// What the client costs over the bare calls: one caller, one request at a time, server in a process of its own. Wall
/// time is what a caller sees, CPU time and allocations are those of this process, which has the client alone.
/// </summary>
internal sealed class ClientSuite : IBenchSuite
{
    private const int Calls = 3000;

    /// <summary>Both sides for seconds: until then, the compiler's second tier is on one of the cores.</summary>
    private const int WarmUps = 20;
    private const int BulkCount = 200_000;
    private const string BareName = "HttpClient and System.Text.Json";
    private const string BulkGeneratorRow = "bulk insert of 200,000 x 1 KB, beside the raw generator";
    private const string BulkCopyRow = "bulk insert of 200,000 x 1 KB, beside COPY";

    public string Name => "client";

    private static readonly string[] CallNames =
        ["load of one document", "store of one document", "query of 25 documents"];

    public IEnumerable<BenchRow> GetRows(BenchContext context) =>
        CallRows(context).Concat(BulkRows(context)).Concat(ClientCpuRows.GetRows(context));

    private static IEnumerable<BenchRow> CallRows(BenchContext context)
    {
        if (!CallNames.Any(context.Wants))
        {
            yield break;
        }

        using BenchDatabase server = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "client"));
        using var client = new ClientStore(server.Server.Url, "bench");
        client.InsertAsync(ClientStore.ItemCount).GetAwaiter().GetResult();
        client.QueryAsync(1).GetAwaiter().GetResult();
        (string Name, Func<int, Task> Ours, Func<int, Task> Bare)[] calls =
        [
            (CallNames[0], client.LoadAsync, client.LoadRawAsync),
            (CallNames[1], client.StoreAsync, client.StoreRawAsync),
            (CallNames[2], client.QueryAsync, client.QueryRawAsync),
        ];
        foreach ((string name, Func<int, Task> ours, Func<int, Task> bare) in calls)
        {
            if (context.Wants(name))
            {
                foreach (BenchRow row in RowsOf(name, ours, bare))
                {
                    yield return row;
                }
            }
        }
    }

    /// <summary>A database of their own: an index of the other rows would run beside them.</summary>
    private static IEnumerable<BenchRow> BulkRows(BenchContext context)
    {
        if (!context.Wants(BulkGeneratorRow) && !context.Wants(BulkCopyRow))
        {
            yield break;
        }

        using BenchDatabase server = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "bulk"));
        using var client = new ClientStore(server.Server.Url, "bench");
        if (context.Wants(BulkGeneratorRow))
        {
            yield return new BenchRow
            {
                Name = BulkGeneratorRow,
                Unit = "documents/s",
                PeerName = "raw generator",
                Target = BenchTarget.RatioAtLeast(0.8),
                WarmUpRuns = 1,
                Ours = () => Insert(client),
                Peer = server.Load,
            };
        }

        if (context.Wants(BulkCopyRow))
        {
            using var postgres =
                PostgresPeer.TryStart(Path.Combine(context.ScratchDirectory, "postgres"), out string why);
            yield return postgres is null
                ? BenchRow.Skip(BulkCopyRow, "documents/s", why)
                : new BenchRow
                {
                    Name = BulkCopyRow,
                    Unit = "documents/s",
                    PeerName = "PostgreSQL COPY",
                    Target = BenchTarget.RatioAtLeast(1.6),
                    WarmUpRuns = 1,
                    Ours = () => Insert(client),
                    Peer = () => postgres.Copy(BulkCount, BenchDatabase.BodyOf),
                };
        }
    }

    private static IEnumerable<BenchRow> RowsOf(string name, Func<int, Task> ours, Func<int, Task> bare)
    {
        var ourRuns = new SharedRuns(() => MeasureAsync(ours).GetAwaiter().GetResult());
        var bareRuns = new SharedRuns(() => MeasureAsync(bare).GetAwaiter().GetResult());
        (string Unit, BenchTarget Target)[] metrics =
        [
            ("us", BenchTarget.RatioAtMost(1.15)), ("CPU us", BenchTarget.None), ("B/op", BenchTarget.None),
        ];
        for (int i = 0; i < metrics.Length; i++)
        {
            yield return new BenchRow
            {
                Name = $"{name}: {metrics[i].Unit}",
                Unit = metrics[i].Unit,
                PeerName = BareName,
                Target = metrics[i].Target,
                WarmUpRuns = WarmUps,
                Ours = ourRuns.Metric(i),
                Peer = bareRuns.Metric(i),
            };
        }
    }

    private static double Insert(ClientStore client)
    {
        long begin = Stopwatch.GetTimestamp();
        client.InsertAsync(BulkCount).GetAwaiter().GetResult();
        return BulkCount / Stopwatch.GetElapsedTime(begin).TotalSeconds;
    }

    private static async Task<double[]> MeasureAsync(Func<int, Task> call)
    {
        using var process = Process.GetCurrentProcess();
        TimeSpan cpu = process.TotalProcessorTime;
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long begin = Stopwatch.GetTimestamp();
        for (int i = 0; i < Calls; i++)
        {
            await call(i);
        }

        double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        process.Refresh();
        return
        [
            seconds * 1e6 / Calls,
            (process.TotalProcessorTime - cpu).TotalMicroseconds / Calls,
            (GC.GetTotalAllocatedBytes(precise: true) - allocated) / (double)Calls,
        ];
    }
}
