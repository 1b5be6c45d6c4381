using System.Diagnostics;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The workloads of YCSB on 1 KB records, one thread, every update a durable transaction of its own; and deletes of all
/// records in batches.
/// </summary>
internal sealed class StorageYcsbSuite : IBenchSuite
{
    private const int Records = 1_000_000;
    private const int LoadedPerTransaction = 100_000;
    private const int ScanMax = 100;
    private const int Runs = 3;
    private const int DeletesMax = 400_000;
    private const int DeletesInBatch = 1_000;
    private const long DeletesFlushAfterBytes = 24L << 20;
    private const double Skew = 0.99;

    /// <summary>No run takes longer: a store that is slower is timed by what it did.</summary>
    private static readonly TimeSpan RunTimeMax = TimeSpan.FromSeconds(3);

    /// <summary>Of deletes there is one run: so many are needed for five flushes.</summary>
    private static readonly TimeSpan DeletesTimeMax = TimeSpan.FromSeconds(8);

    private static readonly string[] PeerNames = ["", "LMDB", "RocksDB", "SQLite WAL"];

    private readonly ValueSet _values = new(1_000);

    /// <summary>An update changes its record.</summary>
    private readonly ValueSet[] _updates = [new(1_000, seed: 2), new(1_000, seed: 3), new(1_000, seed: 4)];

    public string Name => "storage";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        var load = new Lazy<KeySet>(() => new KeySet(Records, 16, isRandom: true));
        using var ours = new Loaded(stores.Ours, load, _values);
        using var lmdb = new Loaded(stores.Lmdb, load, _values);
        using var rocks = new Loaded(stores.Rocks, load, _values);
        using var sqlite = new Loaded(stores.Sqlite, load, _values);
        Loaded[] sides = [ours, lmdb, rocks, sqlite];
        foreach (BenchRow row in Mixes.SelectMany(mix => MixRows(mix, sides)))
        {
            yield return row;
        }

        // Last of all, as nothing is left after it.
        foreach (BenchRow row in DeleteRows(sides))
        {
            yield return row;
        }
    }

    private static Rounds InTurn(Loaded[] sides, Func<Loaded, double[]> work) =>
        new([.. sides.Select(side => side.IsInstalled ? () => work(side) : (Func<double[]>?)null)]);

    private IEnumerable<BenchRow> MixRows(Mix mix, Loaded[] sides)
    {
        Rounds rounds = InTurn(sides, side => Rates(side, mix));
        for (int side = 1; side < sides.Length; side++)
        {
            if (rounds.Has(side) && mix.Writes)
            {
                yield return Row(", until the data file is synced", side, 1, BenchTarget.RatioAtLeast(0.8));
                yield return Row(", until the last commit", side, 0, BenchTarget.None);
            }
            else if (rounds.Has(side))
            {
                yield return Row("", side, 0, BenchTarget.RatioAtLeast(0.8));
            }
        }

        if (mix.Writes)
        {
            yield return StorageSuite.Flushes($"YCSB {mix.Name}", rounds.Metric(0, 2));
        }

        BenchRow Row(string until, int side, int metric, BenchTarget target) => new()
        {
            Name = $"YCSB {mix.Name}{until} ({PeerNames[side]})",
            Unit = "operations/s",
            PeerName = PeerNames[side],
            Target = target,
            WarmUpRuns = ReferenceEquals(mix, Mixes[0]) ? 1 : 0,
            Runs = Runs,
            Ours = rounds.Metric(0, metric),
            Peer = rounds.Metric(side, metric),
        };
    }

    private static IEnumerable<BenchRow> DeleteRows(Loaded[] sides)
    {
        const string Name = "YCSB records deleted in random order, 1,000 a transaction";
        Rounds rounds = InTurn(sides, DeleteRates);
        for (int side = 1; side < sides.Length; side++)
        {
            if (rounds.Has(side))
            {
                yield return Row("until the data file is synced", side, 1, BenchTarget.RatioAtLeast(0.8));
                yield return Row("until the last commit", side, 0, BenchTarget.None);
            }
        }

        yield return StorageSuite.Flushes(Name, rounds.Metric(0, 2));

        BenchRow Row(string until, int side, int metric, BenchTarget target) => new()
        {
            Name = $"{Name}, {until} ({PeerNames[side]})",
            Unit = "deletes/s",
            PeerName = PeerNames[side],
            Target = target,
            WarmUpRuns = 0,
            Runs = 1,
            Ours = rounds.Metric(0, metric),
            Peer = rounds.Metric(side, metric),
        };
    }

    /// <summary>
    /// A store with all records, made and loaded when it is first asked, by large transactions that are in order, every
    /// store in the same way, so that no peer takes minutes. New records go on behind them.
    /// </summary>
    private sealed class Loaded(Func<Store>? make, Lazy<KeySet> records, ValueSet values) : IDisposable
    {
        private readonly LazyStore<Store> _store = new(() => StoreSet.Loaded(
            make!,
            new KeySet(StorageYcsbSuite.Records, 16, isRandom: true, sortedBy: LoadedPerTransaction),
            values,
            LoadedPerTransaction));

        internal bool IsInstalled => make is not null;

        internal Store Store => _store.Value;

        /// <summary>The store, ours so that it flushes after so much journal; 0 leaves it as it is.</summary>
        internal Store FlushingAfter(long bytes)
        {
            if (bytes > 0 && Store is OurStore ours)
            {
                ours.FlushAfter(bytes);
            }

            return Store;
        }

        internal KeySet Records => records.Value;

        /// <summary>Records that came in since the load.</summary>
        internal int Inserted { get; set; }

        public void Dispose() => _store.Dispose();
    }

    /// <summary>
    /// Shares of reads, updates, inserts, scans, and reads with an update behind, in percent; operations of a run, and
    /// the journal after which it flushes, of which it writes five times as much.
    /// </summary>
    private sealed record Mix(
        string Name, int Reads, int Updates, int Inserts, int Scans, int Operations, long FlushAfterBytes)
    {
        internal bool IsLatest { get; init; }

        internal bool Writes => FlushAfterBytes > 0;
    }

    private static Mix[] Mixes { get; } =
    [
        new("A, half updates", 50, 50, 0, 0, 30_000, 10L << 20),
        new("B, 5% updates", 95, 5, 0, 0, 60_000, 2L << 20),
        new("C, reads", 100, 0, 0, 0, 100_000, 0),
        new("D, 5% inserts, latest read", 95, 0, 5, 0, 60_000, 2L << 20) { IsLatest = true },
        new("E, 95% scans", 0, 0, 5, 95, 15_000, 512L << 10),
        new("F, half read-modify-write", 50, 0, 0, 0, 30_000, 10L << 20),
    ];

    /// <summary>
    /// Operations a second until the last commit, and until all is in the data file; flushes on the way.
    /// </summary>
    private double[] Rates(Loaded loaded, Mix mix)
    {
        Store store = loaded.FlushingAfter(mix.FlushAfterBytes);
        var inserts = new KeySet(mix.Operations, 16, isRandom: true, after: Records + loaded.Inserted);
        int inserted = 0;
        long flushes = store.Flushes;
        var random = new Random(11 + loaded.Inserted);
        long start = Stopwatch.GetTimestamp();
        int operations = 0;
        for (; operations < mix.Operations && Stopwatch.GetElapsedTime(start) < RunTimeMax; operations++)
        {
            inserted += Step(loaded, mix, random, inserts, inserted) ? 1 : 0;
        }

        double committed = Stopwatch.GetElapsedTime(start).TotalSeconds;
        flushes = store.Flushes - flushes;
        if (mix.Writes)
        {
            store.Settle();
        }

        double settled = Stopwatch.GetElapsedTime(start).TotalSeconds;
        loaded.Inserted += inserted;
        return [operations / committed, operations / settled, flushes];
    }

    /// <returns>True if a record came in.</returns>
    private bool Step(Loaded loaded, Mix mix, Random random, KeySet inserts, int inserted)
    {
        Store store = loaded.Store;
        KeySet load = loaded.Records;
        int what = random.Next(100);
        int record = mix.IsLatest ? load.Count - 1 - Popular(random, load.Count) : Popular(random, load.Count);
        if (what < mix.Reads)
        {
            _ = store.Get(load[record]);
        }
        else if (what < mix.Reads + mix.Updates)
        {
            store.PutBatch(load, record, 1, _updates[random.Next(_updates.Length)]);
        }
        else if (what < mix.Reads + mix.Updates + mix.Inserts)
        {
            store.PutBatch(inserts, inserted, 1, _values);
            return true;
        }
        else if (what < mix.Reads + mix.Updates + mix.Inserts + mix.Scans)
        {
            _ = store.ScanFrom(load[record], random.Next(1, ScanMax));
        }
        else
        {
            _ = store.Get(load[record]);
            store.PutBatch(load, record, 1, _updates[random.Next(_updates.Length)]);
        }

        return false;
    }

    /// <summary>A few records are asked for much more often than the rest, near to a Zipf distribution.</summary>
    private static int Popular(Random random, int count) =>
        (int)Math.Min(count - 1, Math.Pow(count, Math.Pow(random.NextDouble(), 1 / (2 - Skew))) - 1);

    /// <summary>As <see cref="Rates"/>; records in the order in which they were loaded, which is none.</summary>
    private static double[] DeleteRates(Loaded loaded)
    {
        Store store = loaded.FlushingAfter(DeletesFlushAfterBytes);
        KeySet keys = loaded.Records;
        long flushes = store.Flushes;
        long start = Stopwatch.GetTimestamp();
        int deleted = 0;
        while (deleted < DeletesMax && Stopwatch.GetElapsedTime(start) < DeletesTimeMax)
        {
            store.DeleteBatch(keys, deleted, DeletesInBatch);
            deleted += DeletesInBatch;
        }

        double committed = Stopwatch.GetElapsedTime(start).TotalSeconds;
        flushes = store.Flushes - flushes;
        store.Settle();
        double settled = Stopwatch.GetElapsedTime(start).TotalSeconds;
        return [deleted / committed, deleted / settled, flushes];
    }
}
