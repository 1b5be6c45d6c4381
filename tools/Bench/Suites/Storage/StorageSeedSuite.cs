using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Storage;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The seeds' benchmark: 8-byte keys in order with 8-byte values into the tree of fixed keys, durable, beside LMDB
/// appending.
/// </summary>
internal class StorageSeedSuite : IBenchSuite
{
    private const int Entries = 10_000_000;
    private const long LongEntries = 100_000_000;
    private const long FlushAfterBytes = 4L << 20;

    /// <summary>Of the 100 million and the billion: all of them go through five flushes.</summary>
    private const long LongFlushAfterBytes = 14L << 20;
    private const int DeferralFactor = 4;
    private const int FlushesMin = 5;

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
            yield return Absolute(
                $"8-byte keys in order, {batch:N0} a transaction, beside the seeds' 1.824 M", "entries/s",
                ours.Metric(0), AtLeast(1_824_000));
            yield return Absolute(
                $"8-byte keys in order, {batch:N0} a transaction: bytes an entry", "B", ours.Metric(1),
                BenchTarget.AtMost(31));
            yield return Absolute(
                $"8-byte keys in order, {batch:N0} a transaction: flushes before the last commit", "flushes",
                ours.Metric(2), AtLeast(FlushesMin));
        }

        yield return FixedBesideGeneral(stores);
        foreach (BenchRow row in Long(stores, LongEntries))
        {
            yield return row;
        }
    }

    private protected static IEnumerable<BenchRow> Long(StoreSet stores, long entries)
    {
        string name = $"{entries / 1_000_000} million 8-byte keys in order, 100,000 a transaction";
        var run = new Lazy<double[]>(() => Load(
            stores, entries, 100_000, options => options with { FlushAfterBytes = LongFlushAfterBytes }));
        var deferred = new Lazy<double[]>(() => Load(stores, entries, 100_000, Deferred));
        yield return Absolute(name, "entries/s", () => run.Value[0], AtLeast(1_824_000), isOnce: true);
        yield return Absolute($"{name}: bytes an entry", "B", () => run.Value[1], BenchTarget.AtMost(31), isOnce: true);
        yield return Absolute(
            $"{name}: flushes before the last commit", "flushes", () => run.Value[2], AtLeast(FlushesMin),
            isOnce: true);
        yield return Absolute(
            $"{name}, deferred purge", "entries/s", () => deferred.Value[0], AtLeast(2_449_000), isOnce: true) with
        {
            PeerName = "purge as ever",
            Peer = () => run.Value[0],
        };
        yield return Absolute(
            $"{name}, deferred purge: bytes an entry", "B", () => deferred.Value[1], BenchTarget.AtMost(41),
            isOnce: true);
        yield return Absolute(
            $"{name}, deferred purge: flushes before the last commit", "flushes", () => deferred.Value[2],
            AtLeast(FlushesMin), isOnce: true);
    }

    private static BenchTarget AtLeast(double value) => BenchTarget.AtLeast(value);

    private static StorageOptions Deferred(StorageOptions options) => options with
    {
        FlushAfterBytes = DeferralFactor * LongFlushAfterBytes,
        FlushAfterScratchBytes = DeferralFactor * options.FlushAfterScratchBytes,
    };

    /// <summary>A row without a peer. Run once: a run of minutes.</summary>
    private static BenchRow Absolute(
        string name, string unit, Func<double> ours, BenchTarget target, bool isOnce = false) =>
        new()
        {
            Name = name,
            Unit = unit,
            Ours = ours,
            Target = target,
            WarmUpRuns = isOnce ? 0 : 1,
            Runs = isOnce ? 1 : null,
        };

    /// <returns>
    /// Entries a second until the data file is synced, bytes an entry in it, and the flushes before the last commit.
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

        long flushes = environment.GetStatistics().Flushes;

        // A flush that was under way ends before the last commit; the next one does not.
        _ = environment.Flush() && environment.Flush();
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        return [entries / seconds, environment.GetStatistics().DataFileBytes / (double)entries, flushes];
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
