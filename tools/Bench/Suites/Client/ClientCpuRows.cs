using System.Text.Json;
using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>
/// The client's own work, by the processor time of one thread: a handler answers from memory, so that neither the
/// network nor what else the machine does is measured.
/// </summary>
internal static class ClientCpuRows
{
    private const int Calls = 4000;
    private const int Tracked = 50_000;
    private const string BareName = "HttpClient and System.Text.Json";

    private static readonly string[] Names =
    [
        "one document from memory", "page of 25 documents from memory",
        "unchanged document of a session, looked for changes",
    ];

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

        string unchanged = Names[2];
        if (context.Wants(unchanged))
        {
            using IAsyncDocumentSession session = store.Store.OpenAsyncSession();
            ClientItem[] items = LoadAll(session);
            yield return Row(
                $"{unchanged}: thread CPU us", "us", () => CpuOfChanges(session), () => CpuOfTrees(items),
                "System.Text.Json, both parsed, DeepEquals");
        }
    }

    private static BenchRow Row(
        string name, string unit, Func<double> ours, Func<double> bare, string peer = BareName) => new()
        {
            Name = name, Unit = unit, PeerName = peer, Ours = ours, Peer = bare, WarmUpRuns = 12,
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

    /// <summary>Each as a query brings it: the handler's documents have the ids of the first ones only.</summary>
    private static ClientItem[] LoadAll(IAsyncDocumentSession session)
    {
        session.Advanced.MaxNumberOfRequestsPerSession = int.MaxValue;
        return [.. session.Query<ClientItem>().ToListAsync().GetAwaiter().GetResult()];
    }

    private static double CpuOfChanges(IAsyncDocumentSession session)
    {
        const int rounds = Tracked / 25;
        return Measure.NanosecondsPerOperation(Tracked, () =>
        {
            for (int i = 0; i < rounds; i++)
            {
                if (session.Advanced.HasChanges)
                {
                    throw new InvalidOperationException("Nothing has changed.");
                }
            }
        }) / 1000;
    }

    private static double CpuOfTrees(ClientItem[] items)
    {
        byte[][] stored = [.. items.Select((_, i) => System.Text.Encoding.UTF8.GetBytes(MemoryHandler.DocumentOf(i)))];
        return Measure.NanosecondsPerOperation(Tracked, () =>
        {
            for (int i = 0; i < Tracked; i++)
            {
                int number = i % items.Length;
                using JsonDocument old = JsonDocument.Parse(stored[number]);
                using JsonDocument current = JsonDocument.Parse(JsonSerializer.SerializeToUtf8Bytes(items[number]));
                foreach (JsonProperty property in old.RootElement.EnumerateObject())
                {
                    if (property.Name != "@metadata" && !JsonElement.DeepEquals(
                        property.Value, current.RootElement.GetProperty(property.Name)))
                    {
                        throw new InvalidOperationException("Nothing has changed.");
                    }
                }
            }
        }) / 1000;
    }
}
