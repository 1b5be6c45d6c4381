using System.Diagnostics;
using System.Globalization;
using Raven.Client.Documents;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Exceptions.Documents.Subscriptions;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Subscriptions;

/// <summary>
/// Work for each document: one worker of our client reads what is there, beside a stream of the same documents and
/// PostgreSQL and NATS JetStream as queues; and how long a write takes to the worker that waits for it.
/// </summary>
internal sealed class SubscriptionsSuite : IBenchSuite
{
    private const string CatchUpName = "catch-up of 1,000,000 x 1 KB by one worker of our client";
    private const string NodeName = "the same by one worker of the Node client";
    private const string QueueName = "the same job beside PostgreSQL, batches of 1,000";
    private const string StreamName = "the same job beside NATS JetStream, batches of 1,000";
    private const int DocumentCount = 1_000_000;
    private const int QueueRuns = 3; // PostgreSQL is filled anew for each
    private const string DelayName = "write to handler at 1,000 writes/s";
    private const int BatchCount = 1000;
    private const int Writers = 8;
    private const int WritesPerSecond = 1000;
    private const int Writes = 5000;
    private const string From = "from Bench";

    private static int _count;

    public string Name => "subscriptions";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        string[] catchUps = [CatchUpName, NodeName, QueueName, StreamName];
        if (!Array.Exists([.. catchUps, $"{DelayName}: p50", $"{DelayName}: p99"], context.Wants))
        {
            yield break;
        }

        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "subscriptions"));
        using var store = new DocumentStore { Urls = [ours.Server.Url.AbsoluteUri], Database = "bench" };
        store.Initialize();
        if (Array.Exists(catchUps, context.Wants))
        {
            ours.Load(DocumentCount);
            yield return new BenchRow
            {
                Name = CatchUpName,
                Unit = "documents/s",
                PeerName = "streams/docs",
                Target = BenchTarget.RatioAtLeast(0.6),
                WarmUpRuns = 1,
                Ours = () => CatchUpAsync(store, 4096).GetAwaiter().GetResult(),
                Peer = () => StreamAsync(store).GetAwaiter().GetResult(),
            };
            foreach (BenchRow row in GetPeerRows(context, ours, store))
            {
                yield return row;
            }
        }

        var delays = new SharedRuns(() => MeasureDelaysAsync(ours, store).GetAwaiter().GetResult());
        yield return Delay("p50", delays.Metric(0), 3);
        yield return Delay("p99", delays.Metric(1), 20);
    }

    private static IEnumerable<BenchRow> GetPeerRows(BenchContext context, BenchDatabase ours, DocumentStore store)
    {
        if (context.Wants(NodeName))
        {
            string directory = Path.Combine(context.ScratchDirectory, "node");
            (int exitCode, _, string why) = PeerScript.Run("node-worker.sh", directory);
            yield return exitCode != 0
                ? BenchRow.Skip(NodeName, "documents/s", $"the Node client is not there: {why.Trim()}")
                : new BenchRow
                {
                    Name = NodeName,
                    Unit = "documents/s",
                    WarmUpRuns = 1,
                    Ours = () => CatchUpByNodeAsync(directory, ours, store).GetAwaiter().GetResult(),
                };
        }

        if (context.Wants(QueueName))
        {
            using PostgresPeer? postgres =
                PostgresPeer.TryStart(Path.Combine(context.ScratchDirectory, "queue"), out string why);
            yield return postgres is null
                ? BenchRow.Skip(QueueName, "documents/s", why)
                : BesideQueue(QueueName, "PostgreSQL, skip locked", 3, store, () =>
                {
                    postgres.Copy(DocumentCount, BenchDatabase.WholeBody);
                    return postgres.Drain(BatchCount);
                });
        }

        if (context.Wants(StreamName))
        {
            using JetStreamPeer? stream = JetStreamPeer.TryStart(
                Path.Combine(context.ScratchDirectory, "stream"), DocumentCount, BenchDatabase.WholeBody,
                out string why);
            yield return stream is null
                ? BenchRow.Skip(StreamName, "documents/s", why)
                : BesideQueue(
                    StreamName, "JetStream, sync always, double ack", 1, store,
                    () => stream.DrainAsync(BatchCount).GetAwaiter().GetResult());
        }
    }

    private static BenchRow BesideQueue(
        string name, string peer, double target, DocumentStore store, Func<double> drain) => new()
        {
            Name = name,
            Unit = "documents/s",
            PeerName = peer,
            Target = BenchTarget.RatioAtLeast(target),
            WarmUpRuns = 1,
            Runs = QueueRuns,
            Ours = () => CatchUpAsync(store, BatchCount).GetAwaiter().GetResult(),
            Peer = drain,
        };

    private static BenchRow Delay(string which, Func<double> measure, double most) => new()
    {
        Name = $"{DelayName}: {which}",
        Unit = "ms",
        Target = BenchTarget.AtMost(most),
        WarmUpRuns = 1,
        Ours = measure,
    };

    /// <summary>Documents/s of a worker that begins at the first document and ends behind the last one.</summary>
    private static async Task<double> CatchUpAsync(DocumentStore store, int batchCount)
    {
        string name = await CreateAsync(store, From, "BeginningOfTime");
        await using SubscriptionWorker<QueuedItem> worker = store.Subscriptions.GetSubscriptionWorker<QueuedItem>(
            new SubscriptionWorkerOptions(name) { MaxDocsPerBatch = batchCount, CloseWhenNoDocsLeft = true });
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        try
        {
            await worker.Run(batch => count += batch.Items.Count(item => item.Result.Name is not null));
        }
        catch (SubscriptionClosedException) when (count >= DocumentCount)
        {
            // This is how it says that there are no more.
        }

        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        await store.Subscriptions.DeleteAsync(name);
        return count / seconds;
    }

    /// <summary>The same by a worker of the official Node client, in a process of its own.</summary>
    private static async Task<double> CatchUpByNodeAsync(string directory, BenchDatabase ours, DocumentStore store)
    {
        string name = await CreateAsync(store, From, "BeginningOfTime");
        (int exitCode, string output, string error) = PeerScript.Run(
            "node-worker.sh", directory, ours.Server.Url.AbsoluteUri.TrimEnd('/'), "bench", name,
            DocumentCount.ToString(CultureInfo.InvariantCulture));
        await store.Subscriptions.DeleteAsync(name);
        return exitCode == 0
            ? double.Parse(output.Trim(), CultureInfo.InvariantCulture)
            : throw new InvalidOperationException($"the worker of the Node client ended with {exitCode}: {error}");
    }

    private static async Task<double> StreamAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        int count = 0;
        long start = Stopwatch.GetTimestamp();
        await foreach (StreamResult<QueuedItem> result in session.Advanced.StreamAsync<QueuedItem>("bench/"))
        {
            count += result.Document.Name is null ? 0 : 1;
        }

        return count >= DocumentCount
            ? count / Stopwatch.GetElapsedTime(start).TotalSeconds
            : throw new InvalidOperationException($"only {count} documents came");
    }

    /// <summary>Milliseconds from when a write was due to when the handler has it: p50 and p99.</summary>
    private static async Task<double[]> MeasureDelaysAsync(BenchDatabase ours, DocumentStore store)
    {
        string name = await CreateAsync(store, "from Paced", "LastDocument");
        await using SubscriptionWorker<QueuedItem> worker = store.Subscriptions.GetSubscriptionWorker<QueuedItem>(name);
        List<double> delays = [];
        using var all = new CancellationTokenSource(TimeSpan.FromMinutes(1));
        Task running = worker.Run(
            batch =>
            {
                foreach (SubscriptionItem<QueuedItem> item in batch.Items)
                {
                    delays.Add(Stopwatch.GetElapsedTime(item.Result.Due).TotalMilliseconds);
                }

                if (delays.Count >= Writes)
                {
                    all.CancelAfter(TimeSpan.Zero);
                }
            },
            all.Token);
        await Task.Delay(TimeSpan.FromMilliseconds(500));
        long start = Stopwatch.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => WriteAsync(ours, start, writer)));
        try
        {
            await running;
        }
        catch (OperationCanceledException) when (delays.Count >= Writes)
        {
            // All have come.
        }

        await store.Subscriptions.DeleteAsync(name);
        delays.Sort();
        return [delays[delays.Count / 2], delays[delays.Count * 99 / 100]];
    }

    private static async Task WriteAsync(BenchDatabase ours, long start, int writer)
    {
        for (int i = writer; i < Writes; i += Writers)
        {
            long due = start + (i * Stopwatch.Frequency / WritesPerSecond);
            TimeSpan early = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), due);
            if (early > TimeSpan.Zero)
            {
                await Task.Delay(early);
            }

            using var body = new StringContent(string.Create(
                CultureInfo.InvariantCulture,
                $"{{\"Name\":\"a\",\"Due\":{due},\"@metadata\":{{\"@collection\":\"Paced\"}}}}"));
            using HttpResponseMessage answer = await ours.Client.PutAsync(
                new Uri($"/databases/bench/docs?id=paced/{i}", UriKind.Relative), body);
            answer.EnsureSuccessStatusCode();
        }
    }

    private static Task<string> CreateAsync(DocumentStore store, string query, string start) =>
        store.Subscriptions.CreateAsync(new SubscriptionCreationOptions
        {
            Name = $"bench{Interlocked.Increment(ref _count)}",
            Query = query,
            ChangeVector = start,
        });
}
