using Raven.Storage.Files;
using Raven.Storage.Transactions;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Durable writes of all sizes of transaction, point reads and scans, beside LMDB and RocksDB doing the same work with
/// the same promise on the same disk; and what that disk does by itself.
/// </summary>
internal sealed class StorageSuite : IBenchSuite
{
    private const int Commits = 4000;
    private const int LoadKeys = 500_000;
    private const int MergerWrites = 60_000;
    private const int Writers = 64;

    private readonly byte[] _value = MakeValue(128);
    private int _folder;

    public string Name => "storage";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        bool hasLmdb = LmdbStore.IsInstalled(out string whyNoLmdb);
        bool hasRocks = RocksStore.IsInstalled(out string whyNoRocks);
        if (!hasLmdb || !hasRocks)
        {
            yield return BenchRow.Skip("rows beside the peer", "writes/s", $"{whyNoLmdb} {whyNoRocks}".Trim());
        }

        Func<Store> ours = () => new OurStore(NextFolder(context));
        Func<Store>? lmdb = hasLmdb ? () => new LmdbStore(NextFolder(context)) : null;
        Func<Store>? rocks = hasRocks ? () => new RocksStore(NextFolder(context)) : null;
        BenchTarget none = BenchTarget.None;

        yield return Row("the disk: 4 KB write-through into a written file", "writes/s", () => DiskRate(context));
        yield return Writes("1 a transaction, durable, random", ours, lmdb, "LMDB", Commits, 1, true, Ratio(1.6));
        yield return Writes("1 a transaction, durable, random (RocksDB)", ours, rocks, "RocksDB", Commits, 1, true,
            none);
        yield return Merged("64 blocked threads through the merger", context, lmdb, BlockedRate, Ratio(20));
        yield return Merged("64 async writers through the merger", context, lmdb, AsyncRate, Ratio(30));
        yield return Writes("100 a transaction, sequential", ours, lmdb, "LMDB", 100_000, 100, false, Ratio(1.2));
        yield return Writes("100 a transaction, random", ours, lmdb, "LMDB", 100_000, 100, true, Ratio(2));
        yield return Writes("100 a transaction, random (RocksDB)", ours, rocks, "RocksDB", 100_000, 100, true, Ratio(
            0.9));
        yield return Writes("10,000 a transaction, sequential", ours, lmdb, "LMDB", LoadKeys, 10_000, false, Ratio(
            0.8));
        yield return Writes(
            "10,000 a transaction, sequential (RocksDB)", ours, rocks, "RocksDB", LoadKeys, 10_000, false, Ratio(1.5));
        yield return Writes("10,000 a transaction, random", ours, lmdb, "LMDB", LoadKeys, 10_000, true, Ratio(2));
        yield return Writes(
            "10,000 a transaction, random (RocksDB)", ours, rocks, "RocksDB", LoadKeys, 10_000, true, Ratio(0.8));
        foreach (BenchRow row in Reads(context, ours, lmdb, rocks))
        {
            yield return row;
        }
    }

    private static BenchTarget Ratio(double ratio) => BenchTarget.RatioAtLeast(ratio);

    private static byte[] MakeValue(int length)
    {
        byte[] value = new byte[length];
        new Random(1).NextBytes(value.AsSpan(0, length / 2));
        return value;
    }

    private static BenchRow Row(string name, string unit, Func<double> ours) =>
        new() { Name = name, Unit = unit, Ours = ours, WarmUpRuns = 1 };

    private string NextFolder(BenchContext context) =>
        Path.Combine(context.ScratchDirectory, $"storage-{Interlocked.Increment(ref _folder)}");

    /// <summary>
    /// A whole load into a new store; the clock stops when everything is in its final place and synced.
    /// </summary>
    private BenchRow Writes(
        string name, Func<Store> ours, Func<Store>? peer, string peerName, int count, int batch, bool isRandom,
        BenchTarget target)
    {
        var keys = new Lazy<KeySet>(() => new KeySet(count, 16, isRandom));
        double Run(Func<Store> make)
        {
            using Store store = make();
            return count / Measure.WallSeconds(() =>
            {
                for (int first = 0; first < count; first += batch)
                {
                    store.PutBatch(keys.Value, first, Math.Min(batch, count - first), _value);
                }

                store.Settle();
            });
        }

        return new BenchRow
        {
            Name = name,
            Unit = "writes/s",
            Ours = () => Run(ours),
            Peer = peer is null ? null : () => Run(peer),
            PeerName = peerName,
            Target = target,
            WarmUpRuns = 1,
        };
    }

    private BenchRow Merged(
        string name, BenchContext context, Func<Store>? lmdb, Func<TransactionMerger, double> rate, BenchTarget target)
    {
        var keys = new Lazy<KeySet>(() => new KeySet(Commits, 16, isRandom: true));
        return new BenchRow
        {
            Name = name,
            Unit = "writes/s",
            PeerName = "LMDB, 1 thread",
            Target = target,
            WarmUpRuns = 1,
            Ours = () =>
            {
                using var store = new OurStore(NextFolder(context));
                using var merger = new TransactionMerger(store.Environment);
                return rate(merger);
            },
            Peer = lmdb is null ? null : () =>
            {
                using Store store = lmdb();
                return Commits / Measure.WallSeconds(() =>
                {
                    for (int i = 0; i < Commits; i++)
                    {
                        store.PutBatch(keys.Value, i, 1, _value);
                    }
                });
            },
        };
    }

    private double BlockedRate(TransactionMerger merger)
    {
        var keys = new KeySet(MergerWrites, 16, isRandom: true);
        Thread[] threads = [.. Enumerable.Range(0, Writers).Select(writer => new Thread(() =>
        {
            var put = new PutCommand(keys, _value);
            for (int i = writer; i < MergerWrites; i += Writers)
            {
                put.Index = i;
                merger.Execute(put);
            }
        }))];
        return MergerWrites / Measure.WallSeconds(() =>
        {
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());
        });
    }

    private double AsyncRate(TransactionMerger merger)
    {
        var keys = new KeySet(MergerWrites, 16, isRandom: true);
        async Task WriteAsync(int writer)
        {
            var put = new PutCommand(keys, _value);
            await Task.Yield();
            for (int i = writer; i < MergerWrites; i += Writers)
            {
                put.Index = i;
                await merger.Enqueue(put).ConfigureAwait(false);
            }
        }

        return MergerWrites / Measure.WallSeconds(
            () => Task.WaitAll([.. Enumerable.Range(0, Writers).Select(WriteAsync)]));
    }

    private IEnumerable<BenchRow> Reads(BenchContext context, Func<Store> ours, Func<Store>? lmdb, Func<Store>? rocks)
    {
        if (!context.Wants("point reads") && !context.Wants("full scan"))
        {
            yield break;
        }

        var load = new KeySet(2_000_000, 16, isRandom: false);
        var probes = new KeySet(2_000_000, 16, isRandom: true);
        using Store mine = Load(ours, load);
        foreach ((Func<Store>? make, string name, double gets, double scan) in
            new[] { (lmdb, "LMDB", 0.8, 0.4), (rocks, "RocksDB", 2.5, 4.0) })
        {
            using Store? peer = make is null ? null : Load(make, load);
            yield return Read($"point reads of 2 M keys ({name})", "gets/s", 300_000, s => s.GetAll(probes, 300_000));
            yield return Read($"full scan of 2 M keys ({name})", "keys/s", load.Count, s => s.Scan());

            BenchRow Read(string row, string unit, int count, Func<Store, long> work) => new()
            {
                Name = row,
                Unit = unit,
                PeerName = name,
                Target = Ratio(unit == "gets/s" ? gets : scan),
                Ours = () => Measure.OperationsPerCpuSecond(count, () => work(mine)),
                Peer = peer is null ? null : () => Measure.OperationsPerCpuSecond(count, () => work(peer)),
            };
        }
    }

    private Store Load(Func<Store> make, KeySet keys)
    {
        Store store = make();
        for (int first = 0; first < keys.Count; first += 10_000)
        {
            store.PutBatch(keys, first, 10_000, _value);
        }

        store.Settle();
        return store;
    }

    private double DiskRate(BenchContext context)
    {
        var files = new RealFileSystem(NextFolder(context));
        byte[] block = GC.AllocateUninitializedArray<byte>(4096 + 4096, pinned: true);
        int skip = (int)(4096 - System.Runtime.InteropServices.Marshal.UnsafeAddrOfPinnedArrayElement(block, 0) % 4096);
        using (IFile file = files.Open("disk", FileOpenMode.Create))
        {
            file.WriteAt(0, new byte[16 << 20]);
            file.Sync();
        }

        using IFile journal = files.Open("disk", FileOpenMode.Direct | FileOpenMode.WriteThrough);
        return Commits / Measure.WallSeconds(() =>
        {
            for (int i = 0; i < Commits; i++)
            {
                journal.WriteAt(i % 4096 * 4096L, block.AsSpan(skip, 4096));
            }
        });
    }

    private sealed class PutCommand(KeySet keys, byte[] value) : IWriteCommand
    {
        internal int Index { get; set; }

        public long SizeInBytes => value.Length;

        public void Execute(WriteTransaction transaction) =>
            transaction.OpenOrCreateTree("t"u8).Put(keys[Index], value);
    }
}
