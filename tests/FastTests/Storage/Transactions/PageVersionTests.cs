using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Pages that transactions change and free while snapshots see them, without a structure above them.</summary>
public sealed class PageVersionTests
{
    private const int OnePage = 100;
    private const int ThreePages = 20_000;

    [Fact]
    [Trait("Invariant", "WRITE-1")]
    public void A_changed_page_keeps_its_number_and_each_snapshot_its_version()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        long page = Write(environment, transaction => Add(transaction, OnePage, content: 1));
        List<ReadTransaction> readers = [environment.BeginRead()];
        for (byte content = 2; content <= 5; content++)
        {
            Write(environment, transaction => Change(transaction, page, content));
            readers.Add(environment.BeginRead());
        }

        Assert.All(readers.Index(), each => RequireContent(each.Item, page, OnePage, (byte)(each.Index + 1)));
        Assert.Single(readers.Select(reader => reader.NextPageNumber).Distinct());
        readers.ForEach(reader => reader.Dispose());
    }

    [Fact]
    [Trait("Invariant", "WRITE-2")]
    public void A_page_is_copied_by_its_first_change_alone_and_its_older_version_stays_for_its_reader()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        long page = Write(environment, transaction => Add(transaction, OnePage, content: 1));
        using ReadTransaction reader = environment.BeginRead();
        NativeSlice seen = reader.GetPage(page);
        long used = environment.Scratch.UsedBytes;
        using (WriteTransaction transaction = environment.BeginWrite())
        {
            NativeSlice first = transaction.ModifyPage(page);
            NativeSlice second = transaction.ModifyPage(page);
            Assert.True(IsSame(first, second));
            Assert.False(IsSame(first, seen));
            Assert.Equal(used + PageHeader.PageSizeInBytes, environment.Scratch.UsedBytes);
            first.WritableSpan[PageHeader.SizeInBytes..].Fill(2);
            transaction.Commit();
        }

        for (byte content = 3; content < 20; content++)
        {
            Write(environment, transaction => Change(transaction, page, content));
            Assert.True(IsSame(seen, reader.GetPage(page)));
            RequireContent(reader, page, OnePage, content: 1);
        }
    }

    [Fact]
    [Trait("Invariant", "FLUSH-2")]
    public void A_flush_waits_for_readers_before_its_boundary_and_writes_no_version_above_it()
    {
        using var disk = new SimulatedFileSystem();
        var scheduler = new ManualScheduler();
        using StorageEnvironment environment = Open(disk, scheduler);
        long page = Write(environment, transaction => Add(transaction, OnePage, content: 1));
        ReadTransaction reader = environment.BeginRead();
        Write(environment, transaction => Change(transaction, page, content: 2));
        Assert.False(environment.Flush());
        Write(environment, transaction => Change(transaction, page, content: 3));
        scheduler.RunAll();
        Assert.Equal(0, environment.GetStatistics().AppliedTransactionId);
        reader.Dispose();
        scheduler.RunAll();
        Assert.Equal(2, environment.GetStatistics().AppliedTransactionId);
        int start = (int)(page * PageHeader.PageSizeInBytes);
        ReadOnlySpan<byte> applied = disk.CurrentImage().Files[DataFile.Name].Span[start..];
        Assert.Equal(2, MemoryMarshal.Read<PageHeader>(applied).TransactionId);
        Assert.Equal(2, applied[PageHeader.SizeInBytes]);
    }

    /// <summary>
    /// The numbers of freed pages are used again for runs that lie over them, and the other way round, before a flush
    /// or a recovery writes any of it: nothing older is written over what is newer.
    /// </summary>
    [Theory]
    [Trait("Invariant", "WRITE-3")]
    [InlineData(true)]
    [InlineData(false)]
    public void Pages_freed_and_used_again_before_a_flush_reach_the_file_as_they_were_written_last(bool isRunLast) =>
        RequireLastContent(isRunLast, environment => Assert.True(environment.Flush()));

    [Theory]
    [Trait("Invariant", "REPLAY-2")]
    [InlineData(true)]
    [InlineData(false)]
    public void Pages_freed_and_used_again_are_recovered_as_they_were_written_last(bool isRunLast) =>
        RequireLastContent(isRunLast, _ => { });

    private static void RequireLastContent(bool isRunLast, Action<StorageEnvironment> finish)
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        long first = isRunLast
            ? Write(environment, AddThreePages)
            : Write(environment, transaction => Add(transaction, ThreePages, content: 1));
        Write(environment, transaction =>
        {
            for (long page = first; page < first + (isRunLast ? 3 : 1); page++)
            {
                transaction.FreePage(page);
            }

            return first;
        });
        long last = isRunLast
            ? Write(environment, transaction => Add(transaction, ThreePages, content: 9))
            : Write(environment, AddSecondPage);
        Assert.Equal(isRunLast ? first : first + 1, last);
        finish(environment);
        using var copy = new SimulatedFileSystem(disk.CurrentImage());
        using StorageEnvironment again = Open(copy);
        using ReadTransaction reader = again.BeginRead();
        RequireContent(reader, last, isRunLast ? ThreePages : OnePage, content: 9);
    }

    private static long AddThreePages(WriteTransaction transaction)
    {
        long first = Add(transaction, OnePage, content: 1);
        Assert.Equal(first + 1, Add(transaction, OnePage, content: 2));
        Assert.Equal(first + 2, Add(transaction, OnePage, content: 3));
        return first;
    }

    /// <summary>The second of the free pages alone: the first stays free.</summary>
    private static long AddSecondPage(WriteTransaction transaction)
    {
        long first = Add(transaction, OnePage, content: 8);
        long second = Add(transaction, OnePage, content: 9);
        transaction.FreePage(first);
        return second;
    }

    private static bool IsSame(NativeSlice left, NativeSlice right) => Unsafe.AreSame(
        ref MemoryMarshal.GetReference(left.Span), ref MemoryMarshal.GetReference(right.Span));

    private static void RequireContent(ReadTransaction reader, long page, int length, byte content)
    {
        ReadOnlySpan<byte> bytes = reader.GetPage(page).Span;
        PageHeader header = MemoryMarshal.Read<PageHeader>(bytes);
        Assert.Equal((page, length), (header.PageNumber, header.RunLengthBytes));
        Assert.Equal(-1, bytes.Slice(PageHeader.SizeInBytes, length).IndexOfAnyExcept(content));
    }

    private static long Add(WriteTransaction transaction, int length, byte content)
    {
        long number = transaction.AllocatePage(PageKind.Overflow, length, out NativeSlice page);
        page.WritableSpan.Slice(PageHeader.SizeInBytes, length).Fill(content);
        return number;
    }

    private static long Change(WriteTransaction transaction, long page, byte content)
    {
        transaction.ModifyPage(page).WritableSpan.Slice(PageHeader.SizeInBytes, OnePage).Fill(content);
        return page;
    }

    private static long Write(StorageEnvironment environment, Func<WriteTransaction, long> change)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        long page = change(transaction);
        transaction.Commit();
        return page;
    }

    /// <summary>An audit would find that the pages belong to no structure.</summary>
    private static StorageEnvironment Open(SimulatedFileSystem disk, ManualScheduler? scheduler = null) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = scheduler ?? new ManualScheduler(),
            AuditsCommits = false,
        });
}
