using System.Diagnostics;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The workloads of YCSB on 1 KB records, one thread, every update a durable transaction of its own; and deletes of all
/// records in batches, as the seeds measured.
/// </summary>
internal sealed class StorageYcsbSuite : IBenchSuite
{
    private const int Records = 200_000;
    private const int Operations = 4_000;
    private const int ScanMax = 100;
    private const double Skew = 0.99;

    private readonly ValueSet _values = new(1_000);

    public string Name => "storage";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        var keys = new KeySet(Records * 2, 16, isRandom: true);
        var load = new KeySet(Records, 16, isRandom: true);
        using var ours = new LazyStore<Store>(() => StoreSet.Loaded(stores.Ours, load, _values));
        foreach ((Func<Store>? make, string name) in
            new[] { (stores.Lmdb, "LMDB"), (stores.Rocks, "RocksDB"), (stores.Sqlite, "SQLite WAL") })
        {
            if (make is null)
            {
                continue;
            }

            using var peer = new LazyStore<Store>(() => StoreSet.Loaded(make, load, _values));
            foreach (Mix mix in Mixes)
            {
                yield return new BenchRow
                {
                    Name = $"YCSB {mix.Name} ({name})",
                    Unit = "operations/s",
                    PeerName = name,
                    Target = BenchTarget.RatioAtLeast(0.8),
                    WarmUpRuns = 1,
                    Ours = () => Rate(ours.Value, mix, load, keys),
                    Peer = () => Rate(peer.Value, mix, load, keys),
                };
            }

            yield return new BenchRow
            {
                Name = $"YCSB records deleted, 1,000 a transaction ({name})",
                Unit = "deletes/s",
                PeerName = name,
                Target = BenchTarget.RatioAtLeast(0.8),
                WarmUpRuns = 0,
                Ours = Measured.Once(() => DeleteRate(stores.Ours)),
                Peer = Measured.Once(() => DeleteRate(make)),
            };
        }
    }

    /// <summary>Shares of reads, updates, inserts, scans, and reads with an update behind, in percent.</summary>
    private sealed record Mix(string Name, int Reads, int Updates, int Inserts, int Scans, bool IsLatest = false);

    private static Mix[] Mixes { get; } =
    [
        new("A, half updates", 50, 50, 0, 0),
        new("B, 5% updates", 95, 5, 0, 0),
        new("C, reads", 100, 0, 0, 0),
        new("D, 5% inserts, latest read", 95, 0, 5, 0, IsLatest: true),
        new("E, 95% scans", 0, 0, 5, 95),
        new("F, half read-modify-write", 50, 0, 0, 0),
    ];

    private double Rate(Store store, Mix mix, KeySet load, KeySet inserts)
    {
        var random = new Random(11);
        int nextInsert = 0;
        int operations = mix.Updates + mix.Inserts + (100 - mix.Reads - mix.Scans) == 0 ? Operations * 10 : Operations;
        return operations / Measure.WallSeconds(() =>
        {
            for (int i = 0; i < operations; i++)
            {
                int what = random.Next(100);
                int record = mix.IsLatest ? load.Count - 1 - Popular(random, load.Count) : Popular(random, load.Count);
                if (what < mix.Reads)
                {
                    _ = store.Get(load[record]);
                }
                else if (what < mix.Reads + mix.Updates)
                {
                    store.PutBatch(load, record, 1, _values);
                }
                else if (what < mix.Reads + mix.Updates + mix.Inserts)
                {
                    store.PutBatch(inserts, nextInsert++ % inserts.Count, 1, _values);
                }
                else if (what < mix.Reads + mix.Updates + mix.Inserts + mix.Scans)
                {
                    _ = store.ScanFrom(load[record], random.Next(1, ScanMax));
                }
                else
                {
                    _ = store.Get(load[record]);
                    store.PutBatch(load, record, 1, _values);
                }
            }
        });
    }

    /// <summary>A few records are asked for much more often than the rest, near to a Zipf distribution.</summary>
    private static int Popular(Random random, int count) =>
        (int)Math.Min(count - 1, Math.Pow(count, Math.Pow(random.NextDouble(), 1 / (2 - Skew))) - 1);

    private double DeleteRate(Func<Store> make)
    {
        var keys = new KeySet(Records / 2, 16, isRandom: true);
        using Store store = StoreSet.Loaded(make, keys, _values);
        long start = Stopwatch.GetTimestamp();
        for (int first = 0; first < keys.Count; first += 1_000)
        {
            store.DeleteBatch(keys, first, 1_000);
        }

        store.Settle();
        return keys.Count / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }
}
