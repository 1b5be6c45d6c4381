using System.Diagnostics;
using Raven.Client.Documents;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Session;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>Ten thousand clients that watch one document each way of an application: a store with its connection. They
/// are idle, and then all of them hear of one write.</summary>
internal sealed class WatchersSuite : IBenchSuite
{
    private const string MemoryRow = "10,000 watching clients: server memory a client";
    private const string ReachRow = "10,000 watching clients: until all have heard of a write";
    private const int Watchers = 10_000;
    private const int ConnectingAtOnce = 64;
    private static readonly TimeSpan ReachMax = TimeSpan.FromMinutes(1);

    public string Name => "client";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(MemoryRow) && !context.Wants(ReachRow))
        {
            yield break;
        }

        using BenchDatabase server = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "watchers"));
        double before = server.Server.ReadAnonymousMegabytes();
        var stores = new DocumentStore[Watchers];
        var heard = new HeardCount();
        try
        {
            ConnectAsync(server, stores, heard).GetAwaiter().GetResult();
            double kilobytes = (server.Server.ReadAnonymousMegabytes() - before) * 1000 / Watchers;
            yield return new BenchRow
            {
                Name = MemoryRow, Unit = "kB", Runs = 1, WarmUpRuns = 0, Ours = () => kilobytes,
            };
            yield return new BenchRow
            {
                Name = ReachRow,
                Unit = "ms",
                WarmUpRuns = 1,
                Ours = () => Reach(stores[0], heard),
            };
        }
        finally
        {
            Task.WhenAll(stores.Where(store => store != null).Select(store => store.DisposeAsync().AsTask()))
                .GetAwaiter().GetResult();
        }
    }

    private static Task ConnectAsync(BenchDatabase server, DocumentStore[] stores, HeardCount heard) =>
        Parallel.ForAsync(
            0, Watchers, new ParallelOptions { MaxDegreeOfParallelism = ConnectingAtOnce }, async (i, cancellation) =>
            {
                // One connection a client: a process may have 20,000 files open unless the limit is raised.
                var store = new DocumentStore
                {
                    Urls = [server.Server.Url.AbsoluteUri],
                    Database = "bench",
                    Conventions = { DisableTopologyUpdates = true },
                };
                store.Initialize();
                stores[i] = store;
                IDatabaseChanges changes = await store.Changes().EnsureConnectedNow(cancellation);
                IChangesObservable<DocumentChange> watched = changes.ForDocument("news/1");
                watched.Subscribe(heard);
                await watched.EnsureSubscribedNow(cancellation);
            });

    private static double Reach(DocumentStore writer, HeardCount heard)
    {
        heard.Reset();
        long begin = Stopwatch.GetTimestamp();
        using (IDocumentSession session = writer.OpenSession())
        {
            session.Advanced.UseOptimisticConcurrency = false;
            session.Store(new ClientEmail { Subject = $"{begin}" }, "news/1");
            session.SaveChanges();
        }

        return heard.All.Wait(ReachMax)
            ? Stopwatch.GetElapsedTime(begin).TotalMilliseconds
            : throw new InvalidOperationException($"Only {heard.Count} of {Watchers} clients heard of the write.");
    }

    /// <summary>How many have heard.</summary>
    private sealed class HeardCount : IObserver<DocumentChange>
    {
        private int _count;

        internal ManualResetEventSlim All { get; } = new();

        internal int Count => Volatile.Read(ref _count);

        public void OnCompleted()
        {
        }

        public void OnError(Exception error)
        {
        }

        public void OnNext(DocumentChange value)
        {
            if (Interlocked.Increment(ref _count) == Watchers)
            {
                All.Set();
            }
        }

        internal void Reset()
        {
            All.Reset();
            Volatile.Write(ref _count, 0);
        }
    }
}
