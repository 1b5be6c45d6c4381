using System.IO.Hashing;
using System.Security.Cryptography;
using Raven.Storage.Files;
using Raven.Storage.Platform;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Large values, one a transaction; ways to write a journal; reading at positions with and without tasks; space.
/// </summary>
internal sealed class StorageValueSuite : IBenchSuite
{
    private const int JournalWriteBytes = 16 << 10;
    private const int JournalWrites = 65_536;
    private const int PieceBytes = 1 << 20;
    private const int ReadThreads = 16;
    private const int ReadFileBytes = 256 << 20;
    private const int ReadBytes = 128 << 20;
    private const int Documents = 1_000_000;
    private const long SpaceFlushAfterBytes = 56L << 20;
    private const string DataFileName = "data.voron";

    private static readonly Large[] Loads =
    [
        new("64 KB", 64 << 10, 2_048, 23L << 20),
        new("1 MB", 1 << 20, 256, 46L << 20),
        new("16 MB", 16 << 20, 18, 48L << 20),
    ];

    public string Name => "storage";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        foreach (Large load in Loads)
        {
            foreach (BenchRow row in Values(stores, load))
            {
                yield return row;
            }
        }

        foreach (BenchRow row in JournalTechniques(stores).Concat(PositionalReads(stores)))
        {
            yield return row;
        }

        var space = new SharedRuns(() => Space(stores));
        yield return new BenchRow
        {
            Name = "space after 1 M documents of 1 KB in random order (du of the data file)",
            Unit = "x payload",
            Target = BenchTarget.AtMost(1.25),
            WarmUpRuns = 0,
            Runs = 1,
            Ours = space.Metric(0),
        };
        yield return StorageSuite.Flushes("space after 1 M documents of 1 KB in random order", space.Metric(1));
    }

    private static IEnumerable<BenchRow> Values(StoreSet stores, Large load)
    {
        string name = $"values of {load.Label}, 1 a transaction";
        var keys = new KeySet(load.Count, 16, isRandom: false);
        var value = new Lazy<ValueSet>(() =>
        {
            byte[] bytes = new byte[load.Size];
            new Random(3).NextBytes(bytes);
            return new ValueSet(bytes);
        });
        Func<double[]>? Side(Func<Store>? make) =>
            make is null ? null : () => StoreSet.LoadRates(make, keys, 1, value.Value);
        var rounds = new Rounds(
            Side(stores.OursFlushingAfter(load.FlushAfterBytes)), Side(stores.Lmdb), Side(stores.Rocks));
        foreach ((int side, string peer) in new[] { (1, "LMDB"), (2, "RocksDB") }.Where(each => rounds.Has(each.Item1)))
        {
            yield return Row("until the data file is synced", 1, BenchTarget.RatioAtLeast(1));
            yield return Row("until the last commit", 0, BenchTarget.None);

            BenchRow Row(string until, int metric, BenchTarget target)
            {
                Func<double> ours = rounds.Metric(0, metric);
                Func<double> theirs = rounds.Metric(side, metric);
                return new()
                {
                    Name = $"{name}, {until} ({peer})",
                    Unit = "MB/s",
                    PeerName = peer,
                    Target = target,
                    WarmUpRuns = 0,
                    Ours = () => ours() * load.Size / 1e6,
                    Peer = () => theirs() * load.Size / 1e6,
                };
            }
        }

        yield return StorageSuite.Flushes(name, rounds.Metric(0, 2));
    }

    /// <summary>Values of one size; what is written of them counts for a flush as journal does.</summary>
    private sealed record Large(string Label, int Size, int Count, long FlushAfterBytes);

    private static IEnumerable<BenchRow> JournalTechniques(StoreSet stores)
    {
        foreach ((string name, FileOpenMode mode, bool syncs) in new[]
            {
                ("buffered", FileOpenMode.Existing, false),
                ("buffered + sync", FileOpenMode.Existing, true),
                ("O_DSYNC", FileOpenMode.WriteThrough, false),
                ("O_DIRECT", FileOpenMode.Direct, false),
                ("O_DIRECT + O_DSYNC", FileOpenMode.Direct | FileOpenMode.WriteThrough, false),
            })
        {
            foreach (string file in (string[])["growing", "preallocated", "recycled"])
            {
                yield return new BenchRow
                {
                    Name = $"journal of 16 KB commits: {name}, {file} file",
                    Unit = "writes/s",
                    WarmUpRuns = 0,

                    // A gigabyte each: all of them together take some 100 s, once.
                    Runs = 1,
                    Ours = () => JournalRate(stores, mode, syncs, file),
                };
            }
        }
    }

    private static double JournalRate(StoreSet stores, FileOpenMode mode, bool syncs, string preparation)
    {
        using StoreFolder folder = stores.NewFolder();
        var files = new RealFileSystem(folder.Path);
        using (IFile made = files.Open("journal", FileOpenMode.Create))
        {
            if (preparation != "growing")
            {
                made.Preallocate((long)JournalWrites * JournalWriteBytes);
            }

            if (preparation == "recycled")
            {
                byte[] piece = new byte[PieceBytes];
                for (long offset = 0; offset < (long)JournalWrites * JournalWriteBytes; offset += PieceBytes)
                {
                    made.WriteAt(offset, piece);
                }
            }

            made.Sync();
        }

        using IFile journal = files.Open("journal", mode);
        var buffer = new AlignedBytes(JournalWriteBytes);
        return JournalWrites / Measure.WallSeconds(() =>
        {
            for (int i = 0; i < JournalWrites; i++)
            {
                journal.WriteAt((long)i * JournalWriteBytes, buffer.Span);
                if (syncs)
                {
                    journal.Sync();
                }
            }
        });
    }

    /// <summary>The peer reads the same with a task for each read.</summary>
    private static IEnumerable<BenchRow> PositionalReads(StoreSet stores)
    {
        foreach (int size in (int[])[4 << 10, 64 << 10])
        {
            var path = new Lazy<string>(() => MakeReadFile(stores.NewFolder().Path));
            yield return new BenchRow
            {
                Name = $"16 threads read {size >> 10} KB at random positions and hash it, synchronously",
                Unit = "MB/s",
                PeerName = "asynchronously",
                WarmUpRuns = 1,
                Ours = () => ReadRate(path.Value, size, ReadSync),
                Peer = () => ReadRate(path.Value, size, (handle, buffer, offset) =>
                    RandomAccess.ReadAsync(handle, buffer, offset).AsTask().GetAwaiter().GetResult()),
            };
        }

        static int ReadSync(Microsoft.Win32.SafeHandles.SafeFileHandle handle, byte[] buffer, long offset) =>
            RandomAccess.Read(handle, buffer, offset);
    }

    private static string MakeReadFile(string folder)
    {
        string path = Path.Combine(folder, "reads");
        Directory.CreateDirectory(folder);
        byte[] megabyte = RandomNumberGenerator.GetBytes(1 << 20);
        using FileStream file = File.Create(path);
        for (int i = 0; i < ReadFileBytes >> 20; i++)
        {
            file.Write(megabyte);
        }

        return path;
    }

    private static double ReadRate(
        string path, int size, Func<Microsoft.Win32.SafeHandles.SafeFileHandle, byte[], long, int> read)
    {
        using Microsoft.Win32.SafeHandles.SafeFileHandle handle = File.OpenHandle(path);
        int each = ReadBytes / size / ReadThreads;
        Thread[] threads = [.. Enumerable.Range(0, ReadThreads).Select(number => new Thread(() =>
        {
            var random = new Random(number);
            byte[] buffer = new byte[size];
            for (int i = 0; i < each; i++)
            {
                _ = read(handle, buffer, random.NextInt64(ReadFileBytes / size) * size);
                _ = XxHash3.HashToUInt64(buffer);
            }
        }))];
        return (double)each * ReadThreads * size / 1e6 / Measure.WallSeconds(() =>
        {
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());
        });
    }

    /// <summary>Documents as the server keeps them: rows in a heap, found by a tree of keys.</summary>
    /// <returns>The data file, of the payload, and the flushes before the last commit.</returns>
    private static double[] Space(StoreSet stores)
    {
        var keys = new KeySet(Documents, 16, isRandom: true);
        const int Length = 1_000;
        var documents = new ValueSet(Length);
        StoreFolder folder = stores.NewFolder();
        using var store = new OurStore(folder, folder.Options with { FlushAfterBytes = SpaceFlushAfterBytes });
        for (int first = 0; first < Documents; first += 5_000)
        {
            using Raven.Storage.Transactions.WriteTransaction transaction = store.Environment.BeginWrite();
            var rows = transaction.OpenOrCreateRowHeap("rows"u8);
            var tree = transaction.OpenOrCreateTree("t"u8);
            for (int i = first; i < first + 5_000; i++)
            {
                long id = rows.Insert(documents[i]);
                tree.Put(keys[i], System.Runtime.InteropServices.MemoryMarshal.AsBytes(new ReadOnlySpan<long>(in id)));
            }

            transaction.Commit();
        }

        long flushes = store.Flushes;
        store.Settle();
        return [folder.BytesOnDisk(DataFileName) / ((double)Documents * (Length + 16)), flushes];
    }
}
