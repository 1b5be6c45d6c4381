using Raven.Client.Documents;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>
/// The client's own work, by the processor time of one thread: a handler answers from memory, so that neither the
/// network nor what else the machine does is measured.
/// </summary>
internal static class ClientCpuRows
{
    private const int Calls = 4000;
    private const string BareName = "HttpClient and System.Text.Json";

    private static readonly string[] Names =
        ["one document from memory", "page of 25 documents from memory", .. TrackingRows.Names];

    internal static IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!Names.Any(context.Wants))
        {
            yield break;
        }

        using var store = new ClientStore(
            MemoryHandler.Url, "bench", new DocumentStore
            {
                Urls = [MemoryHandler.Url.AbsoluteUri],
                Database = "bench",
                Conventions = { CreateHttpMessageHandler = () => new MemoryHandler(), DisableTopologyUpdates = true },
            },
            new MemoryHandler());
        (string Name, Func<int, Task> Ours, Func<int, Task> Bare)[] calls =
        [
            (Names[0], store.LoadAsync, store.LoadRawAsync), (Names[1], store.QueryAsync, store.QueryRawAsync),
        ];
        foreach ((string name, Func<int, Task> ours, Func<int, Task> bare) in calls)
        {
            if (context.Wants(name))
            {
                yield return Row($"{name}: thread CPU us", "us", () => CpuOf(ours), () => CpuOf(bare));
                yield return Row($"{name}: B/op", "B/op", () => BytesOf(ours), () => BytesOf(bare));
            }
        }

        foreach (BenchRow row in TrackingRows.GetRows(context, store.Store))
        {
            yield return row;
        }
    }

    private static BenchRow Row(string name, string unit, Func<double> ours, Func<double> bare) => new()
    {
        Name = name, Unit = unit, PeerName = BareName, Ours = ours, Peer = bare, WarmUpRuns = 12,
    };

    private static double CpuOf(Func<int, Task> call) =>
        Measure.NanosecondsPerOperation(Calls, () => Run(call)) / 1000;

    private static double BytesOf(Func<int, Task> call) =>
        Measure.AllocatedBytesPerOperation(Calls, () => Run(call));

    private static void Run(Func<int, Task> call)
    {
        for (int i = 0; i < Calls; i++)
        {
            call(i).GetAwaiter().GetResult();
        }
    }
}
