using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// 8-byte keys in order with 8-byte values into the tree of fixed keys, durable, beside LMDB
/// appending.
/// </summary>
internal class StorageSeedSuite : IBenchSuite
{
    private const int Entries = 10_000_000;
    private const long LongEntries = 100_000_000;
    private const long FlushAfterBytes = 6L << 20;

    /// <summary>Of the 100 million: four times as much still goes through five flushes.</summary>
    private const long LongFlushAfterBytes = 14L << 20;
    private const int DeferralFactor = 4;

    public virtual string Name => "storage";

    public bool IsOnDisk => true;

    public virtual IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        foreach (int batch in (int[])[10_000, 100_000])
        {
            var lmdb = new SharedRuns(() => StoreSet.LoadRates(
                stores.LmdbAppending!, new KeySet(Entries, sizeof(long), isRandom: false), batch, new ValueSet(8)));
            var ours = new SharedRuns(() => Load(
                stores, Entries, batch, options => options with { FlushAfterBytes = FlushAfterBytes }));
            yield return new BenchRow
            {
                Name = $"8-byte keys in order, {batch:N0} a transaction, until the data file is synced",
                Unit = "entries/s",
                PeerName = "LMDB, MDB_APPEND",
                Target = BenchTarget.RatioAtLeast(0.4),
                WarmUpRuns = 1,
                Ours = ours.Metric(0),
                Peer = stores.LmdbAppending is null ? null : lmdb.Metric(1),
            };
            string name = $"8-byte keys in order, {batch:N0} a transaction";
            yield return Absolute($"{name}, until the last commit", "entries/s", ours.Metric(3), BenchTarget.None) with
            {
                PeerName = "LMDB, MDB_APPEND",
                Peer = stores.LmdbAppending is null ? null : lmdb.Metric(0),
            };
            yield return Absolute(
                $"{name}, beside a published 1.824 M", "entries/s", ours.Metric(0), AtLeast(1_824_000));
            yield return Absolute($"{name}: bytes an entry", "B", ours.Metric(1), BenchTarget.AtMost(31));
            yield return StorageSuite.Flushes(name, ours.Metric(2));
        }

        yield return FixedBesideGeneral(stores);
        foreach (BenchRow row in Long(stores, LongEntries, LongFlushAfterBytes))
        {
            yield return row;
        }
    }

    private protected static IEnumerable<BenchRow> Long(StoreSet stores, long entries, long flushAfter)
    {
        string name = $"{entries / 1_000_000} million 8-byte keys in order, 100,000 a transaction";
        var run = new Lazy<double[]>(() => Load(
            stores, entries, 100_000, options => options with { FlushAfterBytes = flushAfter }));
        var deferred = new Lazy<double[]>(() => Load(
            stores, entries, 100_000, options => Deferred(options with { FlushAfterBytes = flushAfter })));
        yield return Once(name, "entries/s", () => run.Value[0], AtLeast(1_824_000));
        yield return Once($"{name}, until the last commit", "entries/s", () => run.Value[3], BenchTarget.None);
        yield return Once($"{name}: bytes an entry", "B", () => run.Value[1], BenchTarget.AtMost(31));
        yield return StorageSuite.Flushes(name, () => run.Value[2]);
        string purge = $"{name}, deferred purge";
        yield return Once(purge, "entries/s", () => deferred.Value[0], AtLeast(2_449_000)) with
        {
            PeerName = "purge as ever",
            Peer = () => run.Value[0],
        };
        yield return Once(
            $"{purge}, until the last commit", "entries/s", () => deferred.Value[3], BenchTarget.None) with
        {
            PeerName = "purge as ever",
            Peer = () => run.Value[3],
        };
        yield return Once($"{purge}: bytes an entry", "B", () => deferred.Value[1], BenchTarget.AtMost(41));
        yield return StorageSuite.Flushes(purge, () => deferred.Value[2]);
    }

    /// <summary>A run of minutes.</summary>
    private static BenchRow Once(string name, string unit, Func<double> ours, BenchTarget target) =>
        Absolute(name, unit, ours, target) with { WarmUpRuns = 0, Runs = 1 };

    private static BenchTarget AtLeast(double value) => BenchTarget.AtLeast(value);

    /// <summary>
    /// A flush is due as often as without, and put off while the load continues: up to four times as much journal.
    /// </summary>
    private static StorageOptions Deferred(StorageOptions options) => options with
    {
        FlushDeferredBytesMax = DeferralFactor * options.FlushAfterBytes,
    };

    private static BenchRow Absolute(string name, string unit, Func<double> ours, BenchTarget target) =>
        new() { Name = name, Unit = unit, Ours = ours, Target = target, WarmUpRuns = 1 };

    /// <returns>
    /// Entries a second until the data file is synced, bytes an entry in it, the flushes before the last commit, and
    /// entries a second until then.
    /// </returns>
    private static double[] Load(
        StoreSet stores, long entries, int batch, Func<StorageOptions, StorageOptions> change)
    {
        using StoreFolder folder = stores.NewFolder();
        using StorageEnvironment environment = StorageEnvironment.Open(change(folder.Options));
        long start = Stopwatch.GetTimestamp();
        for (long first = 0; first < entries; first += batch)
        {
            using WriteTransaction transaction = environment.BeginWrite();
            FixedTree tree = transaction.OpenOrCreateFixedTree("t"u8, sizeof(long));
            for (long key = first; key < first + batch; key++)
            {
                tree.Put(key, key);
            }

            transaction.Commit();
        }

        double committed = Stopwatch.GetElapsedTime(start).TotalSeconds;
        long flushes = environment.GetStatistics().Flushes;

        // A flush that was under way ends before the last commit; the next one does not.
        _ = environment.Flush() && environment.Flush();
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        double bytes = environment.GetStatistics().DataFileBytes / (double)entries;
        return [entries / seconds, bytes, flushes, entries / committed];
    }

    /// <summary>The peer is the general tree with the same keys, both by the CPU time of the writing thread.</summary>
    private static BenchRow FixedBesideGeneral(StoreSet stores) => new()
    {
        Name = "tree of fixed keys, 8-byte keys in order, 10,000 a transaction",
        Unit = "entries/s",
        PeerName = "the general tree",
        Target = BenchTarget.RatioAtLeast(1.18),
        WarmUpRuns = 1,
        Ours = () => CpuRate(stores, isFixed: true),
        Peer = () => CpuRate(stores, isFixed: false),
    };

    private static double CpuRate(StoreSet stores, bool isFixed)
    {
        const int Count = 500_000;
        const int Batch = 10_000;
        using StoreFolder folder = stores.NewFolder();
        using StorageEnvironment environment = StorageEnvironment.Open(folder.Options);
        return Measure.OperationsPerCpuSecond(Count, () =>
        {
            Span<byte> key = stackalloc byte[sizeof(long)];
            for (int first = 0; first < Count; first += Batch)
            {
                using WriteTransaction transaction = environment.BeginWrite();
                FixedTree? numbers = isFixed ? transaction.OpenOrCreateFixedTree("f"u8, sizeof(long)) : null;
                Tree? general = isFixed ? null : transaction.OpenOrCreateTree("t"u8);
                for (int i = first; i < first + Batch; i++)
                {
                    numbers?.Put(i, (long)i);
                    BinaryPrimitives.WriteInt64BigEndian(key, i);
                    general?.Put(key, key);
                }

                transaction.Commit();
            }
        });
    }
}
