using System.Diagnostics;
using Raven.Client.Documents;
using Raven.Client.Documents.Session;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>Fifty emails with their senders, half a millisecond away: in one request, and as a loop asks for
/// them.</summary>
internal sealed class NPlusOneSuite : IBenchSuite
{
    private const string RowName = "50 emails and their senders, 0.5 ms away";
    private const string AllocatedRow = RowName + ": B/op";
    private const int Emails = 50;
    private const int Rounds = 20;

    public string Name => "client";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(RowName) && !context.Wants(AllocatedRow))
        {
            yield break;
        }

        using BenchDatabase server = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "nplusone"));
        using var store = new DocumentStore
        {
            Urls = [server.Server.Url.AbsoluteUri],
            Database = "bench",
            Conventions = { CreateHttpMessageHandler = () => new LatencyHandler(), MaxHttpCacheSizeBytes = 0 },
        };
        store.Initialize();
        StoreAsync(store).GetAwaiter().GetResult();
        var atOnce = new SharedRuns(() => Measure(() => AtOnceAsync(store)));
        var inALoop = new SharedRuns(() => Measure(() => InALoopAsync(store)));
        yield return Row(RowName, "ms", BenchTarget.RatioAtMost(0.1), atOnce.Metric(0), inALoop.Metric(0));
        yield return Row(AllocatedRow, "B/op", BenchTarget.None, atOnce.Metric(1), inALoop.Metric(1));
    }

    private static async Task StoreAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        for (int i = 0; i < Emails; i++)
        {
            await session.StoreAsync(new ClientItem { Name = $"Sender {i}" }, $"people/{i}");
            await session.StoreAsync(new ClientEmail { Subject = $"{i}", SenderId = $"people/{i}" }, $"emails/{i}");
        }

        await session.SaveChangesAsync();
    }

    private static BenchRow Row(
        string name, string unit, BenchTarget target, Func<double> ours, Func<double> peer) => new()
        {
            Name = name,
            Unit = unit,
            PeerName = "51 requests",
            Target = target,
            Ours = ours,
            Peer = peer,
        };

    /// <summary>Milliseconds and bytes allocated, of one time that all are asked for.</summary>
    private static double[] Measure(Func<Task> work)
    {
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long begin = Stopwatch.GetTimestamp();
        for (int i = 0; i < Rounds; i++)
        {
            work().GetAwaiter().GetResult();
        }

        return
        [
            Stopwatch.GetElapsedTime(begin).TotalMilliseconds / Rounds,
            (GC.GetTotalAllocatedBytes(precise: true) - allocated) / (double)Rounds,
        ];
    }

    private static async Task AtOnceAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Dictionary<string, ClientEmail?> emails = await session.Include<ClientEmail>(email => email.SenderId)
            .LoadAsync(Enumerable.Range(0, Emails).Select(i => $"emails/{i}"));
        await ReadSendersAsync(session, emails, requests: 1);
    }

    private static async Task InALoopAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.Advanced.MaxNumberOfRequestsPerSession = 1 + Emails;
        Dictionary<string, ClientEmail?> emails =
            await session.LoadAsync<ClientEmail>(Enumerable.Range(0, Emails).Select(i => $"emails/{i}"));
        await ReadSendersAsync(session, emails, requests: 1 + Emails);
    }

    private static async Task ReadSendersAsync(
        IAsyncDocumentSession session, Dictionary<string, ClientEmail?> emails, int requests)
    {
        foreach (ClientEmail? email in emails.Values)
        {
            ClientItem? sender = await session.LoadAsync<ClientItem>(email!.SenderId);
            if (sender!.Name != $"Sender {email.Subject}")
            {
                throw new InvalidOperationException($"{email.Id} came with {sender.Name}.");
            }
        }

        if (session.Advanced.NumberOfRequests != requests)
        {
            throw new InvalidOperationException($"{session.Advanced.NumberOfRequests} requests, not {requests}.");
        }
    }
}
