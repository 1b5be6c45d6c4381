using System.Collections.Concurrent;
using System.Threading.Channels;
using Raven.Storage.GroupCommit;
using Raven.Storage.Transactions;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Many writers of one value each through the merger, beside LMDB's one; and queues that it could use.
/// </summary>
internal sealed class StorageMergerSuite : IBenchSuite
{
    private const int Commits = 2_000;
    private const int Writes = 120_000;
    private const long FlushAfterBytes = 12L << 20;
    private const int FlushesMin = 5;
    private const int Writers = 64;
    private const int Messages = 2_000_000;
    private const int Producers = 2;
    private const int RingSlots = 4_096;

    private readonly ValueSet _values = new(128);

    public string Name => "storage";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        foreach (BenchRow row in Merged("64 blocked threads through the merger", stores, BlockedTime, 20)
            .Concat(Merged("64 async writers through the merger", stores, AsyncTime, 30)))
        {
            yield return row;
        }

        yield return Queue("queue of the merger: a stack taken whole", StackRate);
        yield return Queue("queue: ConcurrentQueue", ConcurrentQueueRate);
        yield return Queue("queue: Channel", ChannelRate);
        yield return Queue("queue: BlockingCollection", BlockingCollectionRate);
        yield return Queue("queue: a bounded ring of 4,096 slots", RingRate);
    }

    private IEnumerable<BenchRow> Merged(
        string name, StoreSet stores, Func<TransactionMerger, double> seconds, double ratio)
    {
        var keys = new Lazy<KeySet>(() => new KeySet(Commits, 16, isRandom: true));
        var ours = new SharedRuns(() => MergedRates(stores, seconds));
        SharedRuns? lmdb = stores.Lmdb is { } make
            ? new SharedRuns(() => StoreSet.LoadRates(make, keys.Value, 1, _values))
            : null;
        yield return Row($"{name}, until the data file is synced", 1, BenchTarget.RatioAtLeast(ratio));
        yield return Row($"{name}, until the last commit", 0, BenchTarget.None);
        yield return new BenchRow
        {
            Name = $"{name}: flushes before the last commit",
            Unit = "flushes",
            Target = BenchTarget.AtLeast(FlushesMin),
            WarmUpRuns = 0,
            Runs = 1,
            Ours = ours.Metric(2),
        };

        BenchRow Row(string row, int metric, BenchTarget target) => new()
        {
            Name = row,
            Unit = "writes/s",
            PeerName = "LMDB, 1 thread",
            Target = target,
            WarmUpRuns = 1,
            Ours = ours.Metric(metric),
            Peer = lmdb?.Metric(metric),
        };
    }

    /// <summary>Writes a second until the last commit, and until all is in the data file; flushes on the way.</summary>
    private static double[] MergedRates(StoreSet stores, Func<TransactionMerger, double> seconds)
    {
        using var store = (OurStore)stores.OursFlushingAfter(FlushAfterBytes)();
        using var merger = new TransactionMerger(store.Environment);
        double committed = seconds(merger);
        long flushes = store.Flushes;
        double settled = committed + Measure.WallSeconds(store.Settle);
        return [Writes / committed, Writes / settled, flushes];
    }

    private static BenchRow Queue(string name, Func<double> rate) =>
        new() { Name = name, Unit = "messages/s", Ours = rate, WarmUpRuns = 1 };

    private double BlockedTime(TransactionMerger merger)
    {
        var keys = new KeySet(Writes, 16, isRandom: true);
        Thread[] threads = [.. Enumerable.Range(0, Writers).Select(writer => new Thread(() =>
        {
            var put = new PutCommand(keys, _values);
            for (int i = writer; i < Writes; i += Writers)
            {
                put.Index = i;
                merger.Execute(put);
            }
        }))];
        return Measure.WallSeconds(() =>
        {
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());
        });
    }

    private double AsyncTime(TransactionMerger merger)
    {
        var keys = new KeySet(Writes, 16, isRandom: true);
        async Task WriteAsync(int writer)
        {
            var put = new PutCommand(keys, _values);
            await Task.Yield();
            for (int i = writer; i < Writes; i += Writers)
            {
                put.Index = i;
                await merger.Enqueue(put).ConfigureAwait(false);
            }
        }

        return Measure.WallSeconds(
            () => Task.WaitAll([.. Enumerable.Range(0, Writers).Select(WriteAsync)]));
    }

    private static double StackRate()
    {
        Message? head = null;
        return Rate(
            message =>
            {
                Message? seen;
                do
                {
                    seen = Volatile.Read(ref head);
                    message.Next = seen;
                }
                while (Interlocked.CompareExchange(ref head, message, seen) != seen);
            },
            () =>
            {
                int count = 0;
                for (Message? taken = Interlocked.Exchange(ref head, null); taken is not null; taken = taken.Next)
                {
                    count++;
                }

                return count;
            });
    }

    private static double ConcurrentQueueRate()
    {
        var queue = new ConcurrentQueue<Message>();
        return Rate(queue.Enqueue, () => queue.TryDequeue(out _) ? 1 : 0);
    }

    private static double ChannelRate()
    {
        Channel<Message> channel =
            Channel.CreateUnbounded<Message>(new UnboundedChannelOptions { SingleReader = true });
        return Rate(message => channel.Writer.TryWrite(message), () => channel.Reader.TryRead(out _) ? 1 : 0);
    }

    private static double BlockingCollectionRate()
    {
        using var queue = new BlockingCollection<Message>();
        return Rate(queue.Add, () => queue.TryTake(out _) ? 1 : 0);
    }

    private static double RingRate()
    {
        var ring = new MessageRing<Message>(RingSlots);
        return Rate(ring.Put, () => ring.TryTake(out _) ? 1 : 0);
    }

    /// <summary>Two threads that put, one that takes.</summary>
    private static double Rate(Action<Message> put, Func<int> take)
    {
        Thread[] producers = [.. Enumerable.Range(0, Producers).Select(_ => new Thread(() =>
        {
            for (int i = 0; i < Messages / Producers; i++)
            {
                put(new Message());
            }
        }))];
        return Messages / Measure.WallSeconds(() =>
        {
            Array.ForEach(producers, thread => thread.Start());
            var wait = new SpinWait();
            for (int taken = 0; taken < Messages;)
            {
                int count = take();
                taken += count;
                if (count == 0)
                {
                    wait.SpinOnce();
                }
            }

            Array.ForEach(producers, thread => thread.Join());
        });
    }

    private sealed class Message
    {
        internal Message? Next { get; set; }
    }

    private sealed class PutCommand(KeySet keys, ValueSet values) : IWriteCommand
    {
        internal int Index { get; set; }

        public long SizeInBytes => values[Index].Length;

        public void Execute(WriteTransaction transaction) =>
            transaction.OpenOrCreateTree("t"u8).Put(keys[Index], values[Index]);
    }
}
