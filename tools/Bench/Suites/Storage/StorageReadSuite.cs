using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Point reads and scans of 2 million keys beside LMDB and RocksDB: warm, with a journal backlog, by several threads,
/// and beside a writer.
/// </summary>
internal sealed class StorageReadSuite : IBenchSuite
{
    private const int Keys = 2_000_000;
    private const int Gets = 300_000;

    /// <summary>In order they are so fast that making the threads would be a tenth of fewer.</summary>
    private const int SequentialGets = 3_000_000;
    private const int BacklogBatch = 1_000;
    private const int RecentWriteCount = 300_000;
    private const int WriteBatch = 10_000;
    private const int MixedReaders = 16;

    /// <summary>What a further thread gives at least, of a core; and what is left past the cores.</summary>
    private const double CoreShareMin = 0.75;
    private const double PastCoresMin = 0.9;

    private static readonly TimeSpan MixedTime = TimeSpan.FromMilliseconds(1_500);

    private readonly ValueSet _values = new(128);

    public string Name => "storage";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        KeySet? ordered = null;
        KeySet? shuffled = null;
        KeySet Load() => ordered ??= new KeySet(Keys, 16, isRandom: false);
        KeySet Probes() => shuffled ??= new KeySet(Keys, 16, isRandom: true);
        using var mine = new LazyStore<OurStore>(() => (OurStore)StoreSet.Loaded(stores.Ours, Load(), _values));
        using var lmdb = new LazyStore<Store>(() => StoreSet.Loaded(stores.Lmdb!, Load(), _values));
        using var rocks = new LazyStore<Store>(() => StoreSet.Loaded(stores.Rocks!, Load(), _values));
        foreach ((Func<Store>? make, LazyStore<Store> peer, string name, double gets, double scan) in
            new[] { (stores.Lmdb, lmdb, "LMDB", 0.8, 0.4), (stores.Rocks, rocks, "RocksDB", 2.5, 4.0) })
        {
            yield return Read($"point reads of 2 M keys ({name})", "gets/s", Gets, s => s.GetAll(Probes(), Gets), gets);
            yield return Read($"full scan of 2 M keys ({name})", "keys/s", Keys, s => s.Scan(), scan);

            BenchRow Read(string row, string unit, int count, Func<Store, long> work, double ratio) => new()
            {
                Name = row,
                Unit = unit,
                PeerName = name,
                Target = BenchTarget.RatioAtLeast(ratio),
                Ours = () => Measure.OperationsPerCpuSecond(count, () => work(mine.Value)),
                Peer = make is null ? null : () => Measure.OperationsPerCpuSecond(count, () => work(peer.Value)),
            };
        }

        yield return Single("point reads, managed bytes", "B/op", BenchTarget.AtMost(0), () =>
            Measure.AllocatedBytesPerOperation(Gets, () => mine.Value.GetAll(Probes(), Gets)));
        foreach (BenchRow row in Recent(mine, Load, Probes).Concat(Threads(mine, Load, Probes)))
        {
            yield return row;
        }

        yield return Mixed(mine, Probes);
        foreach (BenchRow row in RecentWrites(stores, Load, Probes))
        {
            yield return row;
        }

        const string Backlog = "point reads of 2 M keys, with a full journal backlog";
        if (!context.Wants(Backlog))
        {
            yield break;
        }

        using ReadTransaction holder = mine.Value.Environment.BeginRead();
        FillBacklog(mine.Value, Probes(), stores.NewFolder().Options.FlushAfterBytes);
        foreach ((Func<Store>? make, LazyStore<Store> peer, string name, double gets) in
            new[] { (stores.Lmdb, lmdb, "LMDB", 0.8), (stores.Rocks, rocks, "RocksDB", 2.5) })
        {
            yield return new BenchRow
            {
                Name = $"{Backlog} ({name})",
                Unit = "gets/s",
                PeerName = name,
                Target = BenchTarget.RatioAtLeast(gets),
                WarmUpRuns = 1,
                Ours = () => Measure.OperationsPerCpuSecond(Gets, () => mine.Value.GetAll(Probes(), Gets)),
                Peer = make is null
                    ? null
                    : () => Measure.OperationsPerCpuSecond(Gets, () => peer.Value.GetAll(Probes(), Gets)),
            };
        }

        yield return Single("the same: journal that waits for a flush", "MB", BenchTarget.None, () =>
            mine.Value.Environment.GetStatistics().JournalBacklogBytes / 1e6);
    }

    /// <summary>Changes keys until as much journal waits as a flush begins at; a reader holds the flush back.</summary>
    private void FillBacklog(OurStore store, KeySet keys, long full)
    {
        for (int first = 0;
            first < keys.Count && store.Environment.GetStatistics().JournalBacklogBytes < full;
            first += BacklogBatch)
        {
            store.PutBatch(keys, first, BacklogBatch, _values);
        }
    }

    /// <summary>Writes with the memory of the leaves searched last, and without it.</summary>
    private IEnumerable<BenchRow> RecentWrites(StoreSet stores, Func<KeySet> ordered, Func<KeySet> random)
    {
        foreach ((string name, Func<KeySet> keys) in new[] { ("in order", ordered), ("random", random) })
        {
            yield return new BenchRow
            {
                Name = $"writes {name}, 10,000 a transaction, recent leaves on: CPU of the writing thread",
                Unit = "writes/s",
                PeerName = "off",
                WarmUpRuns = 0,
                Ours = () => WriteRate(stores, keys(), isOn: true),
                Peer = () => WriteRate(stores, keys(), isOn: false),
            };
        }
    }

    private double WriteRate(StoreSet stores, KeySet keys, bool isOn)
    {
        using var store = (OurStore)stores.Ours();
        return Measure.OperationsPerCpuSecond(RecentWriteCount, () =>
        {
            for (int first = 0; first < RecentWriteCount; first += WriteBatch)
            {
                using WriteTransaction transaction = store.Environment.BeginWrite();
                Tree tree = transaction.OpenOrCreateTree("t"u8);
                tree.UseRecentLeaves = isOn;
                for (int i = first; i < first + WriteBatch; i++)
                {
                    tree.Put(keys[i], _values[i]);
                }

                transaction.Commit();
            }
        });
    }

    private static BenchRow Single(string name, string unit, BenchTarget target, Func<double> ours) =>
        new() { Name = name, Unit = unit, Target = target, Ours = ours, WarmUpRuns = 1 };

    /// <summary>The peer is ours without the memory of the leaves searched last.</summary>
    private static IEnumerable<BenchRow> Recent(
        LazyStore<OurStore> store, Func<KeySet> ordered, Func<KeySet> random)
    {
        foreach ((string name, Func<KeySet> keys) in new[] { ("in order", ordered), ("random", random) })
        {
            yield return new BenchRow
            {
                Name = $"point reads {name}, recent leaves on",
                Unit = "gets/s",
                PeerName = "off",
                Ours = () => Rate(isOn: true),
                Peer = () => Rate(isOn: false),
            };

            double Rate(bool isOn)
            {
                using ReadTransaction reader = store.Value.Environment.BeginRead();
                Tree tree = reader.TryOpenTree("t"u8)!;
                KeySet set = keys();
                tree.UseRecentLeaves = isOn;
                double rate = Measure.OperationsPerCpuSecond(Gets, () => _ = GetAll(tree, set, 0, Gets));
                tree.UseRecentLeaves = true;
                return rate;
            }
        }
    }

    private static IEnumerable<BenchRow> Threads(
        LazyStore<OurStore> store, Func<KeySet> ordered, Func<KeySet> random)
    {
        foreach ((string name, Func<KeySet> keys, int gets) in
            new[] { ("sequential", ordered, SequentialGets), ("random", random, Gets) })
        {
            foreach (int threads in (int[])[1, 2, 4, 8, 16])
            {
                string row = $"{name} point reads by {threads} threads";
                yield return threads == 1
                    ? Single(row, "gets/s", BenchTarget.None, () => ReadBy(store.Value, keys(), gets, threads))
                    : Scaled(row, threads, count => ReadBy(store.Value, keys(), gets, count));
            }
        }
    }

    /// <summary>
    /// Up to the cores the peer is one thread, past them as many threads as there are cores, both in turn.
    /// </summary>
    private static BenchRow Scaled(string name, int threads, Func<int, double> rate)
    {
        int cores = Environment.ProcessorCount;
        bool isPast = threads > cores;
        return new BenchRow
        {
            Name = name,
            Unit = "gets/s",
            PeerName = isPast ? $"{cores} threads" : "1 thread",
            Target = BenchTarget.RatioAtLeast(isPast ? PastCoresMin : CoreShareMin * threads),
            WarmUpRuns = 1,
            Ours = () => rate(threads),
            Peer = () => rate(isPast ? cores : 1),
        };
    }

    private static double ReadBy(OurStore store, KeySet keys, int gets, int threads)
    {
        // All together as many as two threads read, so that a row of many takes no longer.
        int each = threads > 1 ? gets * 2 / threads : gets;
        Thread[] readers = [.. Enumerable.Range(0, threads).Select(number => new Thread(() =>
        {
            using ReadTransaction reader = store.Environment.BeginRead();
            _ = GetAll(reader.TryOpenTree("t"u8)!, keys, number * each, each);
        }))];
        return (double)each * threads / Measure.WallSeconds(() =>
        {
            Array.ForEach(readers, thread => thread.Start());
            Array.ForEach(readers, thread => thread.Join());
        });
    }

    private static long GetAll(Tree tree, KeySet keys, int first, int count)
    {
        long bytes = 0;
        for (int i = 0; i < count; i++)
        {
            bytes += tree.TryGet(keys[(first + i) % keys.Count], out NativeSlice value) ? value.Length : 0;
        }

        return bytes;
    }

    /// <summary>The peer is the same readers without the writer.</summary>
    private BenchRow Mixed(LazyStore<OurStore> store, Func<KeySet> keys) => new()
    {
        Name = "16 readers beside 1 writer, gets per CPU second of the readers",
        Unit = "gets/s",
        PeerName = "without the writer",
        Target = BenchTarget.RatioAtLeast(0.9),
        WarmUpRuns = 1,
        Ours = () => MixedRate(store.Value, keys(), hasWriter: true),
        Peer = () => MixedRate(store.Value, keys(), hasWriter: false),
    };

    private double MixedRate(OurStore store, KeySet keys, bool hasWriter)
    {
        long start = Stopwatch.GetTimestamp();
        bool IsOver() => Stopwatch.GetElapsedTime(start) > MixedTime;
        var rates = new double[MixedReaders];
        Thread[] threads = [.. Enumerable.Range(0, MixedReaders).Select(number => new Thread(() =>
        {
            int gets = 0;
            double seconds = Measure.CpuSeconds(() =>
            {
                for (int next = number; !IsOver(); gets += 1_000)
                {
                    using ReadTransaction reader = store.Environment.BeginRead();
                    Tree tree = reader.TryOpenTree("t"u8)!;
                    for (int i = 0; i < 1_000; i++)
                    {
                        next = (next + MixedReaders) % keys.Count;
                        _ = tree.TryGet(keys[next], out _);
                    }
                }
            });
            rates[number] = gets / seconds;
        }))];
        Array.ForEach(threads, thread => thread.Start());
        for (int first = 0; hasWriter && !IsOver(); first = (first + 100) % (keys.Count - 100))
        {
            store.PutBatch(keys, first, 100, _values);
        }

        Array.ForEach(threads, thread => thread.Join());
        return rates.Average();
    }
}
