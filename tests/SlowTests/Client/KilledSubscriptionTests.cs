using System.Collections.Concurrent;
using System.Diagnostics;
using Raven.Client.Documents;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Exceptions;
using Raven.Client.ServerWide.Operations;
using SlowTests.Support;

namespace SlowTests.Client;

/// <summary>
/// The server is killed with -9 again and again under workers that share a subscription and clients that write: each
/// write that was acknowledged is handled, and no document is with two workers at a time.
/// </summary>
[Trait(Category.Shard, "kill-subscriptions")]
public sealed class KilledSubscriptionTests
{
    /// <summary>Four of these are 200 kills of the real process.</summary>
    private const int Kills = 50;
    private const int Workers = 3;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly ConcurrentDictionary<string, SubscriptionWorker<Mail>> _handling = new();
    private readonly ConcurrentDictionary<string, long> _handled = new();
    private readonly ConcurrentQueue<string> _wrong = new();
    private readonly ConcurrentDictionary<int, SubscriptionWorker<Mail>> _workers = new();
    private readonly ConcurrentDictionary<SubscriptionWorker<Mail>, bool> _lost = new();
    private volatile bool _isDone;
    private int _epoch;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public async Task Kills_of_the_server_and_lost_workers_lose_no_document_and_give_none_to_two_workers(int seed)
    {
        var random = new Random(seed);
        string folder = Directory.CreateTempSubdirectory("raven-killed-").FullName;
        int port = SamplesTests.FreePort();
        using var store = new DocumentStore
        {
            Urls = [$"http://127.0.0.1:{port}"],
            Database = "db",
            Conventions = { RequestTimeout = TimeSpan.FromSeconds(10) },
        };
        store.Initialize();
        ServerProcess server = Start(folder, port);
        try
        {
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new("db")));
            string name = await store.Subscriptions.CreateAsync<Mail>();
            using var end = new CancellationTokenSource();
            Task[] workers =
            [
                .. Enumerable.Range(0, Workers).Select(number => WorkAsync(store, name, number, end.Token)),
            ];
            Task<int> writing = WriteAsync(store);
            for (int kill = 0; kill < Kills; kill++)
            {
                await Task.Delay(random.Next(600));
                if (random.Next(3) == 0)
                {
                    // A worker vanishes, with whatever it has.
                    SubscriptionWorker<Mail> lost = _workers.Values.ElementAt(random.Next(_workers.Count));
                    _lost[lost] = true;
                    await lost.DisposeAsync();
                }

                await Task.Delay(random.Next(100));
                server.Kill();
                Interlocked.Increment(ref _epoch);
                _handling.Clear();
                server.Dispose();
                server = Start(folder, port);
            }

            _isDone = true;
            int written = await writing;
            var waited = Stopwatch.StartNew();
            while (_handled.Count < written && waited.Elapsed < Patience)
            {
                await Task.Delay(100);
            }

            await end.CancelAsync();
            await Task.WhenAll(workers).ConfigureAwait(
                ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
            Assert.True(_handled.Count >= written, $"{_handled.Count} of {written} documents were handled.");
            Assert.Empty(_wrong);
        }
        finally
        {
            _isDone = true;
            server.Dispose();
            Directory.Delete(folder, recursive: true);
        }
    }

    private static ServerProcess Start(string folder, int port) =>
        ServerProcess.Start(folder, $"--ServerUrl=http://127.0.0.1:{port}");

    private async Task WorkAsync(DocumentStore store, string name, int number, CancellationToken cancellation)
    {
        while (!cancellation.IsCancellationRequested)
        {
            await using SubscriptionWorker<Mail> worker = store.Subscriptions.GetSubscriptionWorker<Mail>(
                new SubscriptionWorkerOptions(name)
                {
                    Strategy = SubscriptionOpeningStrategy.Concurrent,
                    MaxDocsPerBatch = 5,
                    TimeToWaitBeforeConnectionRetry = TimeSpan.FromMilliseconds(50),
                });
            _workers[number] = worker;
            try
            {
                await worker.Run(async batch => await HandleAsync(worker, batch), cancellation);
            }
            catch (Exception e) when (e is RavenException or OperationCanceledException)
            {
                // Another one goes on.
            }
        }
    }

    private async Task HandleAsync(SubscriptionWorker<Mail> worker, SubscriptionBatch<Mail> batch)
    {
        int epoch = Volatile.Read(ref _epoch);
        foreach (SubscriptionItem<Mail> item in batch.Items)
        {
            // A kill, or the loss of a worker, frees what it has: it may still work on it while it is given out again.
            if (!_handling.TryAdd(item.Id, worker) && Volatile.Read(ref _epoch) == epoch
                && _handling.TryGetValue(item.Id, out SubscriptionWorker<Mail>? other) && !_lost.ContainsKey(other))
            {
                _wrong.Enqueue($"{item.Id} is with two workers.");
            }

            _handling[item.Id] = worker;
        }

        await Task.Delay(5);
        foreach (SubscriptionItem<Mail> item in batch.Items)
        {
            _handled[item.Id] = item.Result.Number;
            _handling.TryRemove(KeyValuePair.Create(item.Id, worker));
        }
    }

    private async Task<int> WriteAsync(DocumentStore store)
    {
        int written = 0;
        while (!_isDone)
        {
            try
            {
                using IAsyncDocumentSession session = store.OpenAsyncSession();
                await session.StoreAsync(new Mail { Number = written }, $"mails/{written}");
                await session.SaveChangesAsync();
                written++;
            }
            catch (ConcurrencyException)
            {
                // It was written before the kill, whose answer was lost.
                written++;
            }
            catch (RavenException)
            {
                await Task.Delay(20);
            }
        }

        return written;
    }

    private sealed class Mail
    {
        public string? Id { get; set; }

        public int Number { get; set; }
    }
}
