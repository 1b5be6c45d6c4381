using Raven.Storage;
using Raven.Storage.Files;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Durable writes of all sizes of transaction beside LMDB, RocksDB and SQLite doing the same work with the same promise
/// on the same disk; and what that disk does by itself. The clock stops when the data file is synced; the figure until
/// the last commit stands beside it.
/// </summary>
internal sealed class StorageSuite : IBenchSuite
{
    private const int Commits = 8_000;
    private const int SmallLoadKeys = 100_000;
    private const int SequentialSmallKeys = 200_000;
    private const int SequentialKeys = 2_000_000;
    private const int RandomKeys = 2_000_000;
    private const int DiskFileBytes = 16 << 20;
    private const int BlockBytes = 4096;
    private const int CompressedLoadKeys = 50_000;

    private const int FlushesMin = 5;

    private static readonly Work[] WorkList =
    [
        new("1 a transaction, random", Commits, 1, true, 4L << 20, 1.6, 0),
        new("100 a transaction, sequential", SequentialSmallKeys, 100, false, 2L << 20, 1.2, 0),
        new("100 a transaction, random", SmallLoadKeys, 100, true, 9L << 20, 2, 0.9),
        new("10,000 a transaction, sequential", SequentialKeys, 10_000, false, 16L << 20, 0.8, 1.5),
        new("10,000 a transaction, random", RandomKeys, 10_000, true, 80L << 20, 2, 0.8),
    ];

    private static readonly TimeSpan SlowWrite = TimeSpan.FromMilliseconds(2);

    private readonly ValueSet _values = new(128);

    public string Name => "storage";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        if (stores.Missing.Length > 0)
        {
            yield return BenchRow.Skip("rows beside the peers", "writes/s", stores.Missing);
        }

        yield return DiskShare(stores);
        yield return CommitCost(stores);
        foreach (Work work in WorkList)
        {
            foreach (BenchRow row in Loads(stores, work))
            {
                yield return row;
            }
        }

        yield return JournalBytes("journal, 100 a transaction, sequential: KB a transaction", stores, false, 28);
        yield return JournalBytes("journal, 100 a transaction, random: KB a transaction", stores, true, 450);
        foreach (int batch in (int[])[100, 10_000])
        {
            foreach (BenchRow row in Compression(stores, batch, TimeSpan.Zero)
                .Concat(Compression(stores, batch, SlowWrite)))
            {
                yield return row;
            }
        }
    }

    /// <summary>Alternating with the disk's own rate, so that both meet the same neighbours.</summary>
    private BenchRow DiskShare(StoreSet stores)
    {
        var keys = new Lazy<KeySet>(() => new KeySet(Commits, 16, isRandom: true));
        return new BenchRow
        {
            Name = "1 a transaction, random, until the last commit, beside the disk's own rate",
            Unit = "commits/s",
            PeerName = "4 KB write-through into a recycled file",
            Target = BenchTarget.RatioAtLeast(0.75),
            WarmUpRuns = 1,
            Ours = () => StoreSet.LoadRates(stores.Ours, keys.Value, 1, _values)[0],
            Peer = () => DiskRate(stores),
        };
    }

    /// <summary>What a commit costs the writing thread, its system calls counted in, not the waiting.</summary>
    private BenchRow CommitCost(StoreSet stores)
    {
        var keys = new KeySet(Commits, 16, isRandom: true);
        double Run(Func<Store> make)
        {
            using Store store = make();
            return Measure.CpuSeconds(() =>
            {
                for (int i = 0; i < Commits; i++)
                {
                    store.PutBatch(keys, i, 1, _values);
                }
            }) * 1e6 / Commits;
        }

        return new BenchRow
        {
            Name = "1 a transaction, random: CPU of the writing thread",
            Unit = "us a commit",
            PeerName = "RocksDB",
            WarmUpRuns = 1,
            Ours = () => Run(stores.Ours),
            Peer = stores.Rocks is { } rocks ? () => Run(rocks) : null,
        };
    }

    private IEnumerable<BenchRow> Loads(StoreSet stores, Work work)
    {
        var keys = new Lazy<KeySet>(() => new KeySet(work.Keys, 16, work.IsRandom));
        SharedRuns Runs(Func<Store> make) =>
            new(() => StoreSet.LoadRates(make, keys.Value, work.Batch, _values));
        Func<Store> cycling = stores.OursFlushingAfter(work.FlushAfterBytes);
        foreach ((Func<Store>? make, string peer, double ratio) in
            new[]
            {
                (stores.Lmdb, "LMDB", work.LmdbRatio),
                (stores.Rocks, "RocksDB", work.RocksRatio),
                (stores.Sqlite, "SQLite WAL", 0),
            })
        {
            if (make is not null)
            {
                SharedRuns ours = Runs(cycling);
                SharedRuns theirs = Runs(make);
                BenchTarget target = ratio > 0 ? BenchTarget.RatioAtLeast(ratio) : BenchTarget.None;
                yield return Row($"{work.Name}, until the data file is synced ({peer})", 1, target);
                yield return Row($"{work.Name}, until the last commit ({peer})", 0, BenchTarget.None);

                BenchRow Row(string row, int metric, BenchTarget rowTarget) => new()
                {
                    Name = row,
                    Unit = "writes/s",
                    PeerName = peer,
                    Target = rowTarget,
                    WarmUpRuns = 1,
                    Ours = ours.Metric(metric),
                    Peer = theirs.Metric(metric),
                };
            }
        }

        yield return new BenchRow
        {
            Name = $"{work.Name}: flushes before the last commit",
            Unit = "flushes",
            Target = BenchTarget.AtLeast(FlushesMin),
            WarmUpRuns = 0,
            Runs = 1,
            Ours = Runs(cycling).Metric(2),
        };
    }

    /// <summary>A load: it flushes after so much journal that it goes through five flushes at least.</summary>
    private sealed record Work(
        string Name, int Keys, int Batch, bool IsRandom, long FlushAfterBytes, double LmdbRatio, double RocksRatio);

    /// <summary>Uncompressed, as the seeds counted; of a load of 100,000 in 1,000 transactions.</summary>
    private BenchRow JournalBytes(string name, StoreSet stores, bool isRandom, double kilobytesMax) => new()
    {
        Name = name,
        Unit = "KB",
        Target = BenchTarget.AtMost(kilobytesMax),
        WarmUpRuns = 0,
        Ours = () =>
        {
            StoreFolder folder = stores.NewFolder();
            var files = new SlowFileSystem(new RealFileSystem(folder.Path), TimeSpan.Zero);
            var options = new StorageOptions { FileSystem = files, CompressJournal = false };
            using var store = new OurStore(folder, options);
            var keys = new KeySet(SmallLoadKeys, 16, isRandom);
            for (int first = 0; first < keys.Count; first += 100)
            {
                store.PutBatch(keys, first, 100, _values);
            }

            return files.JournalBytes / 1e3 / (keys.Count / 100);
        },
    };

    /// <summary>The peer is our own store that packs nothing, on the same disk, as it is or slowed.</summary>
    private IEnumerable<BenchRow> Compression(StoreSet stores, int batch, TimeSpan delay)
    {
        var ours = new SharedRuns(() => CompressionRun(stores, batch, delay, isCompressed: true));
        var theirs = new SharedRuns(() => CompressionRun(stores, batch, delay, isCompressed: false));
        string disk = delay > TimeSpan.Zero ? "a slowed disk (2 ms + 20 ms/MB a journal write)" : "this disk";
        string name = $"{batch:N0} a transaction, random, journal compressed, on {disk}";
        yield return Row(name, "writes/s", 0);
        yield return Row($"{name}: a commit", "ms", 1);
        yield return Row($"{name}: journal of a commit", "KB", 2);

        BenchRow Row(string row, string unit, int metric) => new()
        {
            Name = row,
            Unit = unit,
            PeerName = "without journal compression",
            WarmUpRuns = 1,
            Ours = ours.Metric(metric),
            Peer = theirs.Metric(metric),
        };
    }

    /// <summary>Writes a second; milliseconds and kilobytes of journal a commit.</summary>
    private double[] CompressionRun(StoreSet stores, int batch, TimeSpan delay, bool isCompressed)
    {
        var keys = new KeySet(CompressedLoadKeys, 16, isRandom: true);
        StoreFolder folder = stores.NewFolder();
        var files = new SlowFileSystem(new RealFileSystem(folder.Path), delay);
        double rate = StoreSet.LoadRates(
            () => new OurStore(folder, folder.Options with { FileSystem = files, CompressJournal = isCompressed }),
            keys,
            batch,
            _values)[0];
        return [rate, 1e3 * batch / rate, files.JournalBytes / 1e3 / files.JournalRecords];
    }

    internal static double DiskRate(StoreSet stores)
    {
        using StoreFolder folder = stores.NewFolder();
        var files = new RealFileSystem(folder.Path);
        var block = new AlignedBytes(BlockBytes);
        using (IFile file = files.Open("disk", FileOpenMode.Create))
        {
            file.WriteAt(0, new byte[DiskFileBytes]);
            file.Sync();
        }

        using IFile journal = files.Open("disk", FileOpenMode.Direct | FileOpenMode.WriteThrough);
        return Commits / Measure.WallSeconds(() =>
        {
            for (int i = 0; i < Commits; i++)
            {
                journal.WriteAt(i * (long)BlockBytes % DiskFileBytes, block.Span);
            }
        });
    }
}
