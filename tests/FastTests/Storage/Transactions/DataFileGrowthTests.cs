using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Compaction;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>The data file grows step by step, and is no more than one step ahead of what is used.</summary>
public sealed class DataFileGrowthTests
{
    /// <summary>A value that goes through the journal, and so to the data file by a flush.</summary>
    private const int JournaledBytes = 60_000;

    /// <summary>A value that its transaction writes to the data file itself.</summary>
    private const int DirectBytes = 200_000;

    private const long LeastStepBytes = 64L << 10;

    [Theory]
    [InlineData(64L << 10, 64L << 10)]
    [InlineData(1L << 20, 512L << 10)]
    [InlineData(100L << 20, 50L << 20)]
    [InlineData(1L << 30, 64L << 20)]
    [InlineData(1L << 40, 64L << 20)]
    public void A_step_is_half_of_the_file_between_the_least_and_the_most(long length, long step) =>
        Assert.Equal(step, DataFile.GrowthFor(length));

    [Fact]
    public void Flushes_and_a_large_transaction_let_the_file_grow_by_one_bounded_step_at_a_time()
    {
        using var disk = new SimulatedFileSystem();
        using (StorageEnvironment environment = Open(disk))
        {
            for (int i = 0; i < 6; i++)
            {
                Put(environment, 10 * i, 10, JournaledBytes);
                Assert.True(environment.Flush());
                RequireOneStepAhead(environment);
            }

            int flushed = RequireBoundedSteps(disk);
            Assert.True(flushed > 6, $"{flushed} steps by flushes");
            Put(environment, 1_000, 100, DirectBytes);
            int all = RequireBoundedSteps(disk);
            Assert.True(all >= flushed + 3, $"{all - flushed} steps by one transaction");
            RequireOneStepAhead(environment);
            Assert.True(environment.Flush());
            RequireOneStepAhead(environment);
        }

        RequireBoundedSteps(disk);
    }

    [Fact]
    public void The_file_of_a_compacted_copy_is_as_long_as_its_pages()
    {
        using var disk = new SimulatedFileSystem();
        using var targetDisk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        using StorageEnvironment target = Open(targetDisk);
        Put(source, 0, 50, JournaledBytes);
        using (ReadTransaction reader = source.BeginRead())
        {
            StructureCopy.Run(
                reader, target, (ReadOnlySpan<byte> _, out ReadOnlySpan<byte> heap) => heap = default,
                CancellationToken.None);
        }

        Assert.True(target.Flush());
        StorageStatistics statistics = target.GetStatistics();
        long used = statistics.Pages * PageHeader.PageSizeInBytes;
        Assert.InRange(used, 50 * JournaledBytes, 2 * 50 * JournaledBytes);
        Assert.InRange(statistics.DataFileBytes, used, used + LeastStepBytes - 1);
        RequireBoundedSteps(targetDisk);
    }

    /// <summary>On a real file, whose maps are the system's.</summary>
    [Fact]
    [Trait("Invariant", "DATA-4")]
    public void A_page_that_was_read_stays_readable_when_the_file_outgrows_its_map()
    {
        const long MoreThanTheFirstMap = 17L << 20;
        string folder = Directory.CreateTempSubdirectory("raven-map-").FullName;
        try
        {
            var options = new StorageOptions { FileSystem = new RealFileSystem(folder) };
            DataFile.CreateIfNew(options);
            using var data = DataFile.Open(options);
            NativeSlice before = data.GetPage(FreeSpace.PageOfPart(0));
            byte[] bytes = before.Span.ToArray();
            data.EnsureLength(MoreThanTheFirstMap / PageHeader.PageSizeInBytes);
            NativeSlice after = data.GetPage(FreeSpace.PageOfPart(0));
            Assert.False(
                Unsafe.AreSame(
                    ref MemoryMarshal.GetReference(before.Span), ref MemoryMarshal.GetReference(after.Span)),
                "The file has a larger map.");
            Assert.Equal(bytes, after.Span.ToArray());
            Assert.Equal(bytes, before.Span.ToArray());
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static StorageEnvironment Open(SimulatedFileSystem disk) => StorageEnvironment.Open(
        new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() });

    private static void Put(StorageEnvironment environment, int first, int count, int length)
    {
        byte[] value = new byte[length];
        using WriteTransaction transaction = environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t"u8);
        for (int i = first; i < first + count; i++)
        {
            tree.Put(BitConverter.GetBytes(i), value);
        }

        transaction.Commit();
    }

    private static void RequireOneStepAhead(StorageEnvironment environment)
    {
        StorageStatistics statistics = environment.GetStatistics();
        long used = statistics.Pages * PageHeader.PageSizeInBytes;
        Assert.InRange(statistics.DataFileBytes, used, used + DataFile.GrowthFor(used));
    }

    /// <summary>Looks at all that was done to the data file: it never is cut, no call makes it longer by more than a
    /// step, and no write reaches behind its end.</summary>
    /// <returns>By how many steps it grew.</returns>
    private static int RequireBoundedSteps(SimulatedFileSystem disk)
    {
        int file = disk.NumberOf(DataFile.Name);
        long length = 0;
        int steps = 0;
        foreach (DiskOperation operation in disk.Log.Where(operation => operation.File == file))
        {
            if (operation.Kind == DiskOperationKind.SetLength)
            {
                Assert.InRange(operation.Offset, length, length + DataFile.GrowthFor(length));
                steps += operation.Offset > length ? 1 : 0;
                length = operation.Offset;
            }
            else if (operation.Kind == DiskOperationKind.Write)
            {
                Assert.InRange(operation.Offset + operation.Data!.Length, 0, length);
            }
        }

        return steps;
    }
}
