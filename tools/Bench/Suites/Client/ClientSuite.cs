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
    private const string BulkAllocatedRow = "bulk insert of 200,000 x 1 KB: B/op";
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
        if (!context.Wants(BulkGeneratorRow) && !context.Wants(BulkAllocatedRow) && !context.Wants(BulkCopyRow))
        {
            yield break;
        }

        using BenchDatabase server = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "bulk"));
        using var client = new ClientStore(server.Server.Url, "bench");
        var ours = new SharedRuns(() => MeasureBulk(() => client.InsertAsync(BulkCount).GetAwaiter().GetResult()));
        var generator = new SharedRuns(() => MeasureBulk(() => server.Load()));
        yield return BulkRow(
            BulkGeneratorRow, "documents/s", BenchTarget.RatioAtLeast(0.8), ours.Metric(0), generator.Metric(0));
        yield return BulkRow(BulkAllocatedRow, "B/op", BenchTarget.None, ours.Metric(1), generator.Metric(1));
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
                    Ours = () => MeasureBulk(() => client.InsertAsync(BulkCount).GetAwaiter().GetResult())[0],
                    Peer = () => postgres.Copy(BulkCount, ClientItem.TextOf),
                };
        }
    }

    private static BenchRow BulkRow(
        string name, string unit, BenchTarget target, Func<double> ours, Func<double> generator) => new()
        {
            Name = name,
            Unit = unit,
            PeerName = "raw generator",
            Target = target,
            WarmUpRuns = 1,
            Ours = ours,
            Peer = generator,
        };

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

    /// <summary>Documents a second, and what each of them allocates here.</summary>
    private static double[] MeasureBulk(Action insert)
    {
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long begin = Stopwatch.GetTimestamp();
        insert();
        return
        [
            BulkCount / Stopwatch.GetElapsedTime(begin).TotalSeconds,
            (GC.GetTotalAllocatedBytes(precise: true) - allocated) / (double)BulkCount,
        ];
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
