using System.Numerics;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>The bits of the free-space map, and what is counted of them.</summary>
public sealed class FreeSpaceTests
{
    [Fact]
    [Trait("Invariant", "FREE-1")]
    public void The_first_page_of_each_part_of_the_file_but_the_first_holds_its_bits()
    {
        const long Boundary = FreeSpace.PagesPerPart;
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        using WriteTransaction transaction = environment.BeginWrite();
        Assert.Equal(2, FreeSpace.PageOfPart(0));

        // As if all pages of the first part but two were in use.
        transaction.Point.NextPageNumber = Boundary - 2;
        Assert.Equal(
            [Boundary - 2, Boundary - 1, Boundary + 1, Boundary + 2],
            Enumerable.Range(0, 4).Select(_ => transaction.AllocatePage(PageKind.Overflow, 100, out NativeSlice _)));
        transaction.FreePage(Boundary + 1);
        ReadOnlySpan<byte> map = transaction.GetPage(Boundary).Span;
        Assert.Equal(PageKind.FreeSpace, MemoryMarshal.Read<PageHeader>(map).Kind);
        Assert.Equal(0b10, map[PageHeader.SizeInBytes]);
        Assert.True(FreeSpace.IsFree(transaction, Boundary + 1));
        Assert.False(FreeSpace.IsFree(transaction, Boundary + 2));
    }

    [Fact]
    [Trait("Invariant", "FREE-2")]
    [Trait("Invariant", "FREE-3")]
    public void Counts_are_those_of_the_bits_after_commits_and_rollbacks_and_no_unused_page_has_one()
    {
        var random = new Random(1);
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        int rollbacks = 0;
        long freeMax = 0;
        for (int i = 0; i < 60; i++)
        {
            using (WriteTransaction transaction = environment.BeginWrite())
            {
                Tree tree = transaction.OpenOrCreateTree("t"u8);
                for (int key = random.Next(8); key >= 0; key--)
                {
                    tree.Put([(byte)random.Next(30)], new byte[random.Next(60_000)]);
                    tree.Delete([(byte)random.Next(30)]);
                }

                if (random.Next(3) == 0)
                {
                    rollbacks++;
                }
                else
                {
                    transaction.Commit();
                }
            }

            using ReadTransaction reader = environment.BeginRead();
            ReadOnlySpan<ulong> words =
                MemoryMarshal.Cast<byte, ulong>(reader.GetPage(FreeSpace.PageOfPart(0)).Span[PageHeader.SizeInBytes..]);
            long free = 0;
            foreach (ulong word in words)
            {
                free += BitOperations.PopCount(word);
            }

            int next = (int)reader.NextPageNumber;
            Assert.False(FreeSpace.AnyFree(words, next, FreeSpace.PagesPerPart - next));
            Assert.Equal(free, environment.FreeSpace.FreePages);
            freeMax = Math.Max(freeMax, free);
        }

        Assert.InRange(rollbacks, 5, 55);
        Assert.True(freeMax > 10, $"{freeMax} pages were free");
    }

    private static StorageEnvironment Open(SimulatedFileSystem disk) => StorageEnvironment.Open(
        new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() });
}
