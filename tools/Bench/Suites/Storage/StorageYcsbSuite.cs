using System.Diagnostics;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The workloads of YCSB on 1 KB records, one thread, every update a durable transaction of its own; and deletes of all
/// records in batches, as the seeds measured.
/// </summary>
internal sealed class StorageYcsbSuite : IBenchSuite
{
    private const int Records = 1_000_000;
    private const int Operations = 4_000;
    private const int CheapFactor = 10;
    private const int ScanMax = 100;
    private const int DeletesInBatch = 1_000;
    private const long FlushAfterBytes = 1L << 20;
    private const int FlushesMin = 5;
    private const double Skew = 0.99;

    /// <summary>No deleting takes longer: a store that is slower is timed by what it did.</summary>
    private static readonly TimeSpan DeleteTimeMax = TimeSpan.FromSeconds(10);

    private readonly ValueSet _values = new(1_000);

    /// <summary>An update changes its record.</summary>
    private readonly ValueSet[] _updates = [new(1_000, seed: 2), new(1_000, seed: 3), new(1_000, seed: 4)];

    public string Name => "storage";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        var load = new Lazy<KeySet>(() => new KeySet(Records, 16, isRandom: true));
        using var ours = new Loaded(stores.OursFlushingAfter(FlushAfterBytes), load, _values);
        using var lmdb = new Loaded(stores.Lmdb, load, _values);
        using var rocks = new Loaded(stores.Rocks, load, _values);
        using var sqlite = new Loaded(stores.Sqlite, load, _values);
        (Loaded Store, string Name)[] peers = [(lmdb, "LMDB"), (rocks, "RocksDB"), (sqlite, "SQLite WAL")];
        foreach ((Loaded peer, string name) in peers.Where(each => each.Store.IsInstalled))
        {
            foreach (BenchRow row in Mixes.SelectMany(mix => MixRows(mix, ours, peer, name)))
            {
                yield return row;
            }
        }

        // Last of all, as nothing is left after it.
        Func<double> deleted = Measured.Once(() => DeleteRate(ours));
        foreach ((Loaded peer, string name) in peers.Where(each => each.Store.IsInstalled))
        {
            yield return new BenchRow
            {
                Name = $"YCSB records deleted in random order, 1,000 a transaction ({name})",
                Unit = "deletes/s",
                PeerName = name,
                Target = BenchTarget.RatioAtLeast(0.8),
                WarmUpRuns = 0,
                Runs = 1,
                Ours = deleted,
                Peer = () => DeleteRate(peer),
            };
        }
    }

    private IEnumerable<BenchRow> MixRows(Mix mix, Loaded ours, Loaded peer, string name)
    {
        var runs = new SharedRuns(() => Rates(ours, mix));
        var theirs = new SharedRuns(() => Rates(peer, mix));
        if (!mix.Writes)
        {
            yield return Row($"YCSB {mix.Name} ({name})", 0, BenchTarget.RatioAtLeast(0.8));
            yield break;
        }

        yield return Row(
            $"YCSB {mix.Name}, until the data file is synced ({name})", 1, BenchTarget.RatioAtLeast(0.8));
        yield return Row($"YCSB {mix.Name}, until the last commit ({name})", 0, BenchTarget.None);
        if (ReferenceEquals(mix, Mixes[0]))
        {
            yield return new BenchRow
            {
                Name = $"YCSB {mix.Name}: flushes before the last commit ({name})",
                Unit = "flushes",
                Target = BenchTarget.AtLeast(FlushesMin),
                WarmUpRuns = 0,
                Runs = 1,
                Ours = runs.Metric(2),
            };
        }

        BenchRow Row(string row, int metric, BenchTarget target) => new()
        {
            Name = row,
            Unit = "operations/s",
            PeerName = name,
            Target = target,
            WarmUpRuns = 1,
            Ours = runs.Metric(metric),
            Peer = theirs.Metric(metric),
        };
    }

    /// <summary>A store with all records, made and loaded when it is first asked; new records go on behind
    /// them.</summary>
    private sealed class Loaded(Func<Store>? make, Lazy<KeySet> records, ValueSet values) : IDisposable
    {
        private readonly LazyStore<Store> _store = new(() => StoreSet.Loaded(make!, records.Value, values));

        internal bool IsInstalled => make is not null;

        internal Store Store => _store.Value;

        internal KeySet Records => records.Value;

        /// <summary>Records that came in since the load.</summary>
        internal int Inserted { get; set; }

        public void Dispose() => _store.Dispose();
    }

    /// <summary>Shares of reads, updates, inserts, scans, and reads with an update behind, in percent.</summary>
    private sealed record Mix(string Name, int Reads, int Updates, int Inserts, int Scans, bool IsLatest = false)
    {
        internal bool Writes => Reads + Scans < 100;
    }

    private static Mix[] Mixes { get; } =
    [
        new("A, half updates", 50, 50, 0, 0),
        new("B, 5% updates", 95, 5, 0, 0),
        new("C, reads", 100, 0, 0, 0),
        new("D, 5% inserts, latest read", 95, 0, 5, 0, IsLatest: true),
        new("E, 95% scans", 0, 0, 5, 95),
        new("F, half read-modify-write", 50, 0, 0, 0),
    ];

    /// <summary>
    /// Operations a second until the last commit, and until all is in the data file; flushes on the way.
    /// </summary>
    private double[] Rates(Loaded loaded, Mix mix)
    {
        Store store = loaded.Store;
        int operations = mix.Updates > 0 && mix.Reads < 95 || mix.Reads + mix.Updates + mix.Inserts + mix.Scans < 100
            ? Operations
            : Operations * CheapFactor;
        var inserts = new KeySet(operations, 16, isRandom: true, after: Records + loaded.Inserted);
        int inserted = 0;
        long flushes = store.Flushes;
        long start = Stopwatch.GetTimestamp();
        var random = new Random(11 + loaded.Inserted);
        for (int i = 0; i < operations; i++)
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

    /// <returns>True where a record came in.</returns>
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

    private static double DeleteRate(Loaded loaded)
    {
        Store store = loaded.Store;
        KeySet keys = loaded.Records;
        long start = Stopwatch.GetTimestamp();
        int deleted = 0;
        while (deleted < keys.Count && Stopwatch.GetElapsedTime(start) < DeleteTimeMax)
        {
            store.DeleteBatch(keys, deleted, DeletesInBatch);
            deleted += DeletesInBatch;
        }

        store.Settle();
        return deleted / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }
}
