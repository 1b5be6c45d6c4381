using System.Diagnostics;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// What the decisions on page size, sorted merging and separators were made by: <c>Bench storage-choices</c>. Built
/// again with <c>-p:PageSizeBytes=4096</c>, or with another <c>TreeSplit.Separator</c>, it measures the other choice.
/// CPU is that of the whole process: the flush is part of the price.
/// </summary>
internal sealed class StorageChoiceSuite : IBenchSuite
{
    private const int Keys = 400_000;
    private const int Documents = 200_000;
    private const int Albums = 20_000;
    private const int Gets = 300_000;
    private const int Deleted = 100_000;
    private const int LargeValueBytes = 256 << 20;

    private readonly ValueSet _values = new(128);

    public string Name => "storage-choices";

    public bool IsOnDisk => true;

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var stores = new StoreSet(context);
        string page = $"pages of {PageHeader.PageSizeInBytes / 1024} KB";
        foreach ((string name, bool isRandom, int keys, int batch) in
            new[]
            {
                ("10,000 a transaction, sequential", false, Keys, 10_000),
                ("10,000 a transaction, random", true, Keys, 10_000),
                ("100 a transaction, random", true, Keys / 8, 100),
            })
        {
            var run = new SharedRuns(() => Load(stores, keys, batch, isRandom, isSorted: false));
            yield return Row($"{page}: {name}", "writes/CPU s", run.Metric(0));
            yield return Row($"{page}: {name}: journal bytes a write", "B", run.Metric(1));
        }

        var deletes = new SharedRuns(() => Deletes(stores));
        yield return Row($"{page}: records of 1 KB deleted, 1,000 a transaction", "deletes/CPU s", deletes.Metric(0));
        yield return Row($"{page}: records of 1 KB deleted: journal bytes a delete", "B", deletes.Metric(1));
        yield return Row("values of 1 MB, 1 a transaction", "MB/CPU s", () => LargeValues(stores, 1 << 20));
        yield return Row("values of 16 MB, 1 a transaction", "MB/CPU s", () => LargeValues(stores, 16 << 20));
        foreach (int batch in (int[])[64, 10_000])
        {
            yield return Sorted(stores, batch);
        }

        var reads = new SharedRuns(() => Reads(stores));
        yield return Row($"{page}: random point reads", "gets/CPU s", reads.Metric(0));
        yield return Row($"{page}: scan", "keys/CPU s", reads.Metric(1));
        var documents = new SharedRuns(() => LoadDocuments(stores));
        yield return Row($"{page}: documents of 1 KB, 1,000 a transaction", "documents/CPU s", documents.Metric(0));
        yield return Row($"{page}: documents of 1 KB: space", "x payload", documents.Metric(1));
        var albums = new SharedRuns(() => Branches(stores));
        yield return Row("index of titles: bytes of branch pages an entry", "B", albums.Metric(0));
        yield return Row("index of titles: leaves a branch page", "leaves", albums.Metric(1));
        yield return Row("index of titles: random point reads", "gets/CPU s", albums.Metric(2));
    }

    private static BenchRow Row(string name, string unit, Func<double> ours) =>
        new() { Name = name, Unit = unit, Ours = ours, WarmUpRuns = 1 };

    /// <summary>The keys of a transaction in their order, beside the order in which they came.</summary>
    private BenchRow Sorted(StoreSet stores, int batch)
    {
        int keys = batch == 64 ? Keys / 16 : Keys;
        return new BenchRow
        {
            Name = $"{batch:N0} random keys a transaction, sorted first",
            Unit = "writes/CPU s",
            PeerName = "as they come",
            WarmUpRuns = 1,
            Ours = () => Load(stores, keys, batch, isRandom: true, isSorted: true)[0],
            Peer = () => Load(stores, keys, batch, isRandom: true, isSorted: false)[0],
        };
    }

    /// <summary>Into a tree that has as many keys already. Sorting is part of the time.</summary>
    private double[] Load(StoreSet stores, int count, int batch, bool isRandom, bool isSorted)
    {
        StoreFolder folder = stores.NewFolder();
        var files = new SlowFileSystem(new Raven.Storage.Platform.RealFileSystem(folder.Path), TimeSpan.Zero);
        using var store = new OurStore(folder, new StorageOptions { FileSystem = files });
        var keys = new KeySet(Keys + count, 16, isRandom);
        for (int first = 0; first < Keys; first += 10_000)
        {
            store.PutBatch(keys, first, 10_000, _values);
        }

        _ = store.Environment.Flush() && store.Environment.Flush();
        int[] order = new int[batch];
        long bytes = files.JournalBytes;
        double start = ProcessSeconds();
        for (int first = Keys; first + batch <= keys.Count; first += batch)
        {
            for (int i = 0; i < batch; i++)
            {
                order[i] = first + i;
            }

            if (isSorted)
            {
                Array.Sort(order, (left, right) => keys[left].SequenceCompareTo(keys[right]));
            }

            using WriteTransaction transaction = store.Environment.BeginWrite();
            Tree tree = transaction.OpenOrCreateTree("t"u8);
            foreach (int index in order)
            {
                tree.Put(keys[index], _values[index]);
            }

            transaction.Commit();
        }

        _ = store.Environment.Flush() && store.Environment.Flush();
        return [count / (ProcessSeconds() - start), (files.JournalBytes - bytes) / (double)count];
    }

    private static double[] Deletes(StoreSet stores)
    {
        StoreFolder folder = stores.NewFolder();
        var files = new SlowFileSystem(new Raven.Storage.Platform.RealFileSystem(folder.Path), TimeSpan.Zero);
        using var store = new OurStore(folder, new StorageOptions { FileSystem = files });
        var keys = new KeySet(Deleted, 16, isRandom: true);
        var values = new ValueSet(1_000);
        for (int first = 0; first < keys.Count; first += 10_000)
        {
            store.PutBatch(keys, first, 10_000, values);
        }

        _ = store.Environment.Flush() && store.Environment.Flush();
        long bytes = files.JournalBytes;
        double start = ProcessSeconds();
        for (int first = 0; first < keys.Count; first += 1_000)
        {
            store.DeleteBatch(keys, first, 1_000);
        }

        _ = store.Environment.Flush() && store.Environment.Flush();
        return [Deleted / (ProcessSeconds() - start), (files.JournalBytes - bytes) / (double)Deleted];
    }

    private static double LargeValues(StoreSet stores, int length)
    {
        using var store = new OurStore(stores.NewFolder());
        var keys = new KeySet(LargeValueBytes / length, 16, isRandom: false);
        var values = new ValueSet(length);
        double start = ProcessSeconds();
        for (int i = 0; i < keys.Count; i++)
        {
            store.PutBatch(keys, i, 1, values);
        }

        return LargeValueBytes / 1e6 / (ProcessSeconds() - start);
    }

    private double[] Reads(StoreSet stores)
    {
        var keys = new KeySet(2 * Keys, 16, isRandom: true);
        using Store store = StoreSet.Loaded(stores.Ours, keys, _values);
        _ = store.GetAll(keys, Gets);
        return
        [
            Measure.OperationsPerCpuSecond(Gets, () => store.GetAll(keys, Gets)),
            Measure.OperationsPerCpuSecond(keys.Count, () => store.Scan()),
        ];
    }

    private static double[] LoadDocuments(StoreSet stores)
    {
        using var store = new OurStore(stores.NewFolder());
        var random = new Random(5);
        var documents = new ValueSet(1_100);
        long payload = 0;
        double start = ProcessSeconds();
        for (int first = 0; first < Documents; first += 1_000)
        {
            using WriteTransaction transaction = store.Environment.BeginWrite();
            RowHeap rows = transaction.OpenOrCreateRowHeap("rows"u8);
            for (int i = 0; i < 1_000; i++)
            {
                int length = random.Next(900, 1_100);
                _ = rows.Insert(documents[first + i].AsSpan(0, length));
                payload += length;
            }

            transaction.Commit();
        }

        _ = store.Environment.Flush() && store.Environment.Flush();
        double rate = Documents / (ProcessSeconds() - start);
        return [rate, store.Environment.GetStatistics().Pages * (double)PageHeader.PageSizeInBytes / payload];
    }

    /// <summary>Titles in lower case with a number behind, as an index has them.</summary>
    private static double[] Branches(StoreSet stores)
    {
        using var store = new OurStore(stores.NewFolder());
        var load = new AlbumLoad();
        for (int first = 0; first < Albums; first += 1_000)
        {
            load.Write(store.Environment, first, 1_000);
        }

        using ReadTransaction reader = store.Environment.BeginRead();
        Tree titles = reader.TryOpenTree("titles"u8)!;
        TreeStatistics statistics = titles.GetStatistics();
        byte[][] keys = [.. Enumerable.Range(0, Albums).Select(AlbumLoad.TitleKey)];
        new Random(7).Shuffle(keys);
        double rate = Measure.OperationsPerCpuSecond(Gets, () =>
        {
            for (int i = 0; i < Gets; i++)
            {
                _ = titles.TryGet(keys[i % Albums], out _);
            }
        });
        return
        [
            statistics.BranchPages * (double)PageHeader.PageSizeInBytes / titles.Count,
            statistics.LeafPages / (double)statistics.BranchPages,
            rate,
        ];
    }

    private static double ProcessSeconds()
    {
        using var process = Process.GetCurrentProcess();
        return process.TotalProcessorTime.TotalSeconds;
    }
}
