using System.Buffers.Binary;
using Raven.Storage;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Trees;

/// <summary>Structure by structure, with its parts: the sizes that it keeps itself, and how full it is.</summary>
public sealed class StructureSizesTests
{
    private const int Entries = 3_000;
    private const int EntrySize = 8 + 100 + 2 + 8;

    [Fact]
    public void Each_structure_is_listed_once_with_its_parts_and_its_fill()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Filled(disk);
        var sizes = new List<StructureSize>();
        byte[] name = [];
        using ReadTransaction reader = environment.BeginRead();
        while (StructureSizes.TryAddNext(reader, ref name, readsPages: true, sizes))
        {
        }

        Assert.Equal(
            [("empty", 0), ("heap", 0), ("heap", 1), ("heap", 2), ("numbers", 0), ("words", 0)],
            sizes.Select(size => (size.Name, size.Part)));
        Assert.Equal((0L, 0L, null), (sizes[0].Count, sizes[0].Bytes, sizes[0].Fill));
        StructureSize words = sizes[^1];
        TreeStatistics statistics = reader.TryOpenTree("words"u8)!.GetStatistics();
        Assert.Equal(
            (statistics.Count, statistics.Depth, statistics.LeafPages, statistics.BranchPages),
            (words.Count, words.Depth, words.LeafPages, words.BranchPages));
        double used = (double)Entries * EntrySize / ((words.LeafPages + words.BranchPages) * TreePage.Capacity);
        Assert.InRange(words.Fill!.Value, used, used + 0.02);
        Assert.InRange(sizes[4].Fill!.Value, 0.4, 1);
        Assert.InRange(sizes[1].Fill!.Value, 0.4, 1);
        Assert.Equal(Entries, sizes[1].Count);
    }

    [Fact]
    public void A_cancelled_listing_adds_nothing_and_one_that_reads_no_page_has_no_fill()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Filled(disk);
        using ReadTransaction reader = environment.BeginRead();
        var sizes = new List<StructureSize>();
        byte[] name = [.. "numbers"u8];
        Assert.Throws<OperationCanceledException>(() =>
            StructureSizes.TryAddNext(reader, ref name, true, sizes, new CancellationToken(canceled: true)));
        Assert.Empty(sizes);
        Assert.Equal("numbers"u8, name);
        Assert.True(StructureSizes.TryAddNext(reader, ref name, readsPages: false, sizes));
        Assert.Equal(("words", null), (Assert.Single(sizes).Name, sizes[0].Fill));
        Assert.False(StructureSizes.TryAddNext(reader, ref name, readsPages: false, sizes));
    }

    private static StorageEnvironment Filled(SimulatedFileSystem disk)
    {
        StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() });
        using WriteTransaction transaction = environment.BeginWrite();
        Tree words = transaction.OpenOrCreateTree("words"u8);
        _ = transaction.OpenOrCreateTree("empty"u8);
        byte[] key = new byte[sizeof(long)];
        for (int i = 0; i < Entries; i++)
        {
            BinaryPrimitives.WriteInt64BigEndian(key, i);
            words.Put(key, new byte[100]);
            transaction.OpenOrCreateFixedTree("numbers"u8, sizeof(long)).Put(i, (long)i);
            transaction.OpenOrCreateRowHeap("heap"u8).Insert(new byte[200]);
        }

        transaction.Commit();
        return environment;
    }
}
