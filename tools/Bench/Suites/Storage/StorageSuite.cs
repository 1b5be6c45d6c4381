using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Platform;

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
    private const int SequentialKeys = 1_000_000;
    private const int RandomKeys = 1_000_000;
    private const int DiskFileBytes = 16 << 20;
    private const int BlockBytes = 4096;
    private const int CompressionRuns = 3;
    private const long SequentialBytesFlushed = 2L << 20;
    private const long RandomBytesFlushed = 11L << 20;
    private const int RocksSide = 2;
    private const int DiskSide = 4;

    private static readonly string[] PeerNames =
        ["", "LMDB", "RocksDB", "SQLite WAL", "4 KB write-through into a recycled file"];

    private static readonly Work[] WorkList =
    [
        new("1 a transaction, random", Commits, 1, true, 5L << 20, 1.6, 0),
        new("100 a transaction, sequential", SequentialSmallKeys, 100, false, 3L << 20, 1.2, 0),
        new("100 a transaction, random", SmallLoadKeys, 100, true, 9L << 20, 2, 0.9),
        new("10,000 a transaction, sequential", SequentialKeys, 10_000, false, 11L << 20, 0.8, 1.5),
        new("10,000 a transaction, random", RandomKeys, 10_000, true, 0, 2, 0.8)
        {
            Runs = 3, TimeMax = TimeSpan.FromSeconds(12),
        },
    ];

    private static readonly Packed[] PackedLoads =
    [
        new("compressed", JournalCompression.Always, 50_000, 100, 4L << 20),
        new("compressed", JournalCompression.Always, 200_000, 10_000, 10L << 20),
        new("compressed where that is faster", JournalCompression.Adaptive, 400_000, 10_000, 20L << 20),
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

        foreach (Work work in WorkList)
        {
            foreach (BenchRow row in Loads(stores, work))
            {
                yield return row;
            }
        }

        foreach (BenchRow row in JournalBytes(stores, "sequential", false, SequentialBytesFlushed, 28)
            .Concat(JournalBytes(stores, "random", true, RandomBytesFlushed, 450)))
        {
            yield return row;
        }

        foreach (Packed load in PackedLoads)
        {
            foreach (BenchRow row in Compression(stores, load, TimeSpan.Zero)
                .Concat(Compression(stores, load, SlowWrite)))
            {
                yield return row;
            }
        }
    }

    private IEnumerable<BenchRow> Loads(StoreSet stores, Work work)
    {
        var keys = new Lazy<KeySet>(() => new KeySet(work.Keys, 16, work.IsRandom));
        Func<double[]>? Side(Func<Store>? make) =>
            make is null ? null : () => StoreSet.LoadRates(make, keys.Value, work.Batch, _values, work.TimeMax);
        bool isSingle = work.Batch == 1;
        var flushAfter = new Lazy<long>(() => work.FlushAfterBytes > 0
            ? work.FlushAfterBytes
            : stores.FlushAfterBytes(keys.Value, work.Batch, _values, work.TimeMax));
        var rounds = new Rounds(
            Side(() => stores.OursFlushingAfter(flushAfter.Value)()),
            Side(stores.Lmdb),
            Side(stores.Rocks),
            Side(stores.Sqlite),
            isSingle ? () => DiskRates(stores) : null);
        if (isSingle)
        {
            yield return Row("until the data file is synced, beside the disk's own rate", DiskSide, 1, 0.75);
            yield return Row("until the last commit, beside the disk's own rate", DiskSide, 0, 0);

            // What a commit costs the writing thread, its system calls counted in, not the waiting.
            yield return Row("CPU of the writing thread", RocksSide, 3, 0) with { Unit = "us a commit" };
        }

        foreach ((int side, double ratio) in
            new[] { (1, work.LmdbRatio), (RocksSide, work.RocksRatio), (3, 0) }.Where(peer => rounds.Has(peer.Item1)))
        {
            yield return Row($"until the data file is synced ({PeerNames[side]})", side, 1, ratio);
            yield return Row($"until the last commit ({PeerNames[side]})", side, 0, 0);
        }

        yield return Flushes(work.Name, rounds.Metric(0, 2));
        if (work.FlushAfterBytes == 0)
        {
            yield return new BenchRow
            {
                Name = $"{work.Name}: journal after which it flushes",
                Unit = "MB",
                WarmUpRuns = 0,
                Runs = 1,
                Ours = () => flushAfter.Value / 1e6,
            };
        }

        BenchRow Row(string row, int side, int metric, double ratio) => new()
        {
            Name = $"{work.Name}, {row}",
            Unit = "writes/s",
            PeerName = PeerNames[side],
            Target = ratio > 0 ? BenchTarget.RatioAtLeast(ratio) : BenchTarget.None,
            WarmUpRuns = 0,
            Runs = work.Runs,
            Ours = rounds.Metric(0, metric),
            Peer = rounds.Has(side) ? rounds.Metric(side, metric) : null,
        };
    }

    /// <summary>How often a load, of which the first run counts, was brought into the data file on its way.</summary>
    internal static BenchRow Flushes(string name, Func<double> count) => new()
    {
        Name = $"{name}: flushes before the last commit",
        Unit = "flushes",
        Target = BenchTarget.AtLeast(StoreSet.FlushesMin),
        WarmUpRuns = 0,
        Runs = 1,
        Ours = count,
    };

    /// <summary>A load: it flushes after so much journal that it goes through just over five flushes; 0: what that is
    /// hangs on the disk of the hour, and is tried out.</summary>
    private sealed record Work(
        string Name, int Keys, int Batch, bool IsRandom, long FlushAfterBytes, double LmdbRatio, double RocksRatio)
    {
        /// <summary>Rounds, if five would take minutes.</summary>
        internal int? Runs { get; init; }

        /// <summary>
        /// More than others have, if a store that is cut off would have had less to do than others; in fewer rounds.
        /// </summary>
        internal TimeSpan? TimeMax { get; init; }
    }

    /// <summary>A load with the journal compressed, and without.</summary>
    private sealed record Packed(
        string Name, JournalCompression Compression, int Keys, int Batch, long FlushAfterBytes);

    /// <summary>
    /// Uncompressed, as the figures that were published; of a load of 100,000 in 1,000 transactions. A count: one run.
    /// </summary>
    private IEnumerable<BenchRow> JournalBytes(
        StoreSet stores, string order, bool isRandom, long flushAfter, double kilobytesMax)
    {
        var run = new SharedRuns(() =>
        {
            StoreFolder folder = stores.NewFolder();
            var files = new SlowFileSystem(new RealFileSystem(folder.Path), TimeSpan.Zero);
            var options = new StorageOptions
            {
                FileSystem = files,
                JournalCompression = JournalCompression.Never,
                FlushAfterBytes = flushAfter,
            };
            using var store = new OurStore(folder, options);
            var keys = new KeySet(SmallLoadKeys, 16, isRandom);
            for (int first = 0; first < keys.Count; first += 100)
            {
                store.PutBatch(keys, first, 100, _values);
            }

            return [files.JournalBytes / 1e3 / (keys.Count / 100), store.Flushes];
        });
        string name = $"journal, 100 a transaction, {order}";
        yield return new BenchRow
        {
            Name = $"{name}: KB a transaction",
            Unit = "KB",
            Target = BenchTarget.AtMost(kilobytesMax),
            WarmUpRuns = 0,
            Runs = 1,
            Ours = run.Metric(0),
        };
        yield return Flushes(name, run.Metric(1));
    }

    /// <summary>The peer is our own store that packs nothing, on the same disk, as it is or slowed.</summary>
    private IEnumerable<BenchRow> Compression(StoreSet stores, Packed load, TimeSpan delay)
    {
        var rounds = new Rounds(
            () => CompressionRun(stores, load, delay, load.Compression),
            () => CompressionRun(stores, load, delay, JournalCompression.Never));
        string disk = delay > TimeSpan.Zero ? "a slowed disk (2 ms + 20 ms/MB a journal write)" : "this disk";
        string name = $"{load.Batch:N0} a transaction, random, journal {load.Name}, on {disk}";
        yield return Row($"{name}, until the data file is synced", "writes/s", 1);
        yield return Row($"{name}, until the last commit", "writes/s", 0);
        yield return Row($"{name}: a commit", "ms", 2);
        yield return Row($"{name}: journal of a commit", "KB", 3);
        yield return Flushes(name, rounds.Metric(0, 4));

        BenchRow Row(string row, string unit, int metric) => new()
        {
            Name = row,
            Unit = unit,
            PeerName = "without journal compression",
            WarmUpRuns = 0,
            Runs = CompressionRuns,
            Ours = rounds.Metric(0, metric),
            Peer = rounds.Metric(1, metric),
        };
    }

    /// <summary>
    /// Writes a second until the last commit, and until the data file is synced; milliseconds and kilobytes of journal
    /// a commit; flushes.
    /// </summary>
    private double[] CompressionRun(StoreSet stores, Packed load, TimeSpan delay, JournalCompression compression)
    {
        var keys = new KeySet(load.Keys, 16, isRandom: true);
        StoreFolder folder = stores.NewFolder();
        var files = new SlowFileSystem(new RealFileSystem(folder.Path), delay);
        StorageOptions options = folder.Options with
        {
            FileSystem = files,
            JournalCompression = compression,
            FlushAfterBytes = load.FlushAfterBytes,
        };
        double[] rates = StoreSet.LoadRates(() => new OurStore(folder, options), keys, load.Batch, _values);
        return
        [
            rates[0], rates[1], 1e3 * load.Batch / rates[0], files.JournalBytes / 1e3 / files.JournalRecords, rates[2],
        ];
    }

    /// <summary>Twice the same: what is written is in its place.</summary>
    private static double[] DiskRates(StoreSet stores)
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
        double rate = Commits / Measure.WallSeconds(() =>
        {
            for (int i = 0; i < Commits; i++)
            {
                journal.WriteAt(i * (long)BlockBytes % DiskFileBytes, block.Span);
            }
        });
        return [rate, rate];
    }
}
