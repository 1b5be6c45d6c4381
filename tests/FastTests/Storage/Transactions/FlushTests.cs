using System.Text;
using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>The background flush: it holds no writer up, waits for readers within their budget, and gives
/// back.</summary>
public sealed class FlushTests
{
    private const int CommitsBesideSync = 260;

    private static readonly TimeSpan JournalWrite = TimeSpan.FromMilliseconds(50);

    [Fact]
    [Trait("Invariant", "FLUSH-4")]
    public void Commits_and_readers_do_not_wait_for_the_sync_of_the_data_file()
    {
        using var disk = new SimulatedFileSystem();
        using var gated = new GatedFileSystem(disk);
        var clock = new ManualClock();
        using StorageEnvironment environment = Open(gated, new ManualScheduler(), clock);
        Put(environment, 0);
        gated.Gate.Reset();
        var flush = new Thread(() => environment.Flush());
        flush.Start();
        Assert.True(gated.IsWaiting.Wait(Deadline.Hang));
        for (int i = 1; i <= 50; i++)
        {
            Put(environment, i);
        }

        using (ReadTransaction reader = environment.BeginRead())
        {
            Assert.Equal(51, reader.TryOpenTree("t"u8)!.Count);
        }

        clock.Advance(TimeSpan.FromSeconds(13));
        gated.Gate.Set();
        flush.Join();
        StorageStatistics statistics = environment.GetStatistics();
        Assert.Equal(1, statistics.AppliedTransactionId);
        Assert.Equal(1, statistics.Flushes);
        Assert.Equal(TimeSpan.Zero, statistics.LongestFlushLock);
    }

    /// <summary>
    /// The clock is the disk's: 50 ms a journal write, 13 s a sync of the data file, and nothing else takes time. What
    /// a commit takes on it is what it waits for, and so the ratio is the one that a disk as slow would show, the same
    /// in every run and on a busy machine. Some 250 commits pass beside the sync; one that waited for it would take all
    /// that is left of the 13 s.
    /// </summary>
    [Fact]
    public void A_data_file_sync_of_13_seconds_at_most_doubles_the_p99_of_commits()
    {
        (TimeSpan without, int commits, _) = P99OfCommits(TimeSpan.Zero);
        Assert.True(without >= JournalWrite && commits >= CommitsBesideSync / 2, $"{commits} commits, {without}");
        (TimeSpan with, commits, TimeSpan longestLock) = P99OfCommits(JournalWrite * CommitsBesideSync);
        Assert.True(with <= 2 * without, $"{with} beside the sync, {without} without");
        Assert.True(commits >= CommitsBesideSync / 2, $"{commits} commits beside the sync");
        Assert.True(longestLock <= 3 * JournalWrite, $"the flush held the lock for {longestLock}");
    }

    [Fact]
    [Trait("Invariant", "FLUSH-2")]
    public void A_reader_over_its_budget_is_ended_with_its_purpose_named_and_the_flush_goes_on()
    {
        using var disk = new SimulatedFileSystem();
        var clock = new ManualClock();
        using StorageEnvironment environment = Open(disk, new ManualScheduler(), clock);
        Put(environment, 0);
        ReadTransaction reader = environment.BeginRead();
        reader.Purpose = "a slow export";
        Put(environment, 1);
        Assert.False(environment.Flush());
        clock.Advance(TimeSpan.FromSeconds(59));
        Put(environment, 2);
        Assert.Equal(1, reader.TryOpenTree("t"u8)!.Count);
        clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("a slow export", environment.GetStatistics().OldestReader.Purpose);
        Put(environment, 3);
        SnapshotExpiredException expired =
            Assert.Throws<SnapshotExpiredException>(() => reader.TryOpenTree("t"u8)!.Contains("k0"u8));
        Assert.Contains("a slow export", expired.Message, StringComparison.Ordinal);
        Assert.True(environment.Flush());
        Assert.Equal(0, environment.GetStatistics().Readers);
    }

    [Fact]
    public void A_reader_that_a_flush_waits_for_is_ended_at_its_age_limit_without_further_commits()
    {
        using var disk = new SimulatedFileSystem();
        var clock = new ManualClock();
        var scheduler = new ManualScheduler();
        using StorageEnvironment environment = Open(disk, scheduler, clock);
        Put(environment, 0);
        ReadTransaction reader = environment.BeginRead();
        Put(environment, 1);
        Assert.False(environment.Flush());
        clock.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal(1, reader.TryOpenTree("t"u8)!.Count);
        clock.Advance(TimeSpan.FromSeconds(9));
        Assert.Throws<SnapshotExpiredException>(() => reader.TryOpenTree("t"u8)!.Contains("k0"u8));
        scheduler.RunAll();
        Assert.Equal(1, environment.GetStatistics().Flushes);
        Assert.Equal(environment.LastTransactionId, environment.Data.Applied.TransactionId);
        environment.Dispose();
        clock.Advance(TimeSpan.FromHours(1));
        Assert.Equal(0, scheduler.Count);
    }

    [Fact]
    public void A_reader_is_ended_for_bytes_committed_since_it_began_and_not_for_earlier_ones()
    {
        const int Budget = 128 << 10;
        const int Commits = 50;
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            JournalCompression = JournalCompression.Never,
            SnapshotBacklogBytesMax = Budget,
        });
        for (int i = 0; i < Commits; i++)
        {
            Put(environment, i);
        }

        // A record takes 4 KB of the journal at least.
        Assert.True(environment.Pressure.BacklogBytes > Budget);
        using ReadTransaction reader = environment.BeginRead();
        Put(environment, Commits);
        Assert.False(environment.Flush());
        Put(environment, Commits);
        Assert.True(reader.TryOpenTree("t"u8)!.Contains("k0"u8));
        for (int i = 0; i < Commits; i++)
        {
            Put(environment, i);
        }

        Assert.Throws<SnapshotExpiredException>(() => reader.TryOpenTree("t"u8)!.Contains("k0"u8));
        Assert.True(environment.Flush());
    }

    [Fact]
    public void Every_reader_over_its_budget_is_ended_even_behind_one_that_was_ended_before()
    {
        const int Budget = 64 << 10;
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            JournalCompression = JournalCompression.Never,
            SnapshotBacklogBytesMax = Budget,
        });
        Put(environment, 0);
        using ReadTransaction first = environment.BeginRead();
        using ReadTransaction second = environment.BeginRead();
        Put(environment, 0);
        Assert.False(environment.Flush());
        ReadTransaction newer = environment.BeginRead();
        for (int i = 0; i < 20; i++)
        {
            Put(environment, i);
        }

        // The first does not look, and so stays open: it hides none of the others.
        Assert.Throws<SnapshotExpiredException>(() => second.TryOpenTree("t"u8)!.Contains("k0"u8));
        Assert.True(newer.TryOpenTree("t"u8)!.Contains("k0"u8), "The flush does not wait for it.");
        Assert.Throws<SnapshotExpiredException>(() => first.TryOpenTree("t"u8)!.Contains("k0"u8));
        Assert.False(environment.Flush(), "What was committed behind the newer one waits for it.");
        newer.Dispose();
        Assert.True(environment.Flush());
    }

    [Fact]
    public void Writers_wait_for_a_backlog_above_its_bound_and_go_on_when_it_is_applied()
    {
        const int Bound = 128 << 10;
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            JournalCompression = JournalCompression.Never,
            JournalSizeBytesMin = 8 * Bound,
            JournalSizeBytesMax = 8 * Bound,
            FlushAfterBytes = Bound,
            BacklogBytesMax = Bound,
            WriterWaitMax = TimeSpan.FromMilliseconds(1),
        });
        for (int round = 1; round <= 3; round++)
        {
            using (WriteTransaction transaction = environment.BeginWrite())
            {
                transaction.OpenOrCreateTree("t"u8).Put("k"u8, RandomBytes(60_000, round));
                transaction.OpenOrCreateTree("u"u8).Put("k"u8, RandomBytes(60_000, -round));
                transaction.OpenOrCreateTree("v"u8).Put("k"u8, RandomBytes(60_000, 100 + round));
                transaction.Commit();
            }

            // One record of one file, which the header still names: it is applied, and counts no more.
            Assert.Throws<StorageBusyException>(() => environment.BeginWrite());
            Assert.True(environment.Flush());
            Assert.Equal(0, environment.GetStatistics().JournalBacklogBytes);
        }

        Assert.Equal(1, environment.GetStatistics().JournalFiles.Created);
    }

    [Fact]
    public void Writers_wait_while_all_scratch_memory_is_used_and_go_on_when_a_flush_frees_some()
    {
        using var disk = new SimulatedFileSystem();
        var budget = new ScratchBudget(6 << 20);
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            ScratchBudget = budget,
            WriterWaitMax = TimeSpan.FromMilliseconds(1),
        });
        StorageBusyException? refusal = null;
        for (int i = 0; i < 2_000 && refusal is null; i++)
        {
            refusal = Record.Exception(() => Put(environment, i, 5_000)) as StorageBusyException;
        }

        Assert.NotNull(refusal);
        Assert.InRange(environment.GetStatistics().Scratch.UsedBytes, 4 << 20, 7 << 20);
        Assert.True(environment.Flush());
        Put(environment, 0);
    }

    [Fact]
    public void A_reader_that_holds_the_scratch_memory_that_writers_wait_for_is_ended()
    {
        using var disk = new SimulatedFileSystem();
        var clock = new ManualClock();
        List<string> told = [];
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Clock = clock,
            ScratchBudget = new ScratchBudget(6 << 20),
            OnEvent = happened => told.Add(happened.Message),
        });
        Put(environment, 0);
        using ReadTransaction reader = environment.BeginRead();
        reader.Purpose = "a slow export";
        Exception? failure = null;
        var writer = new Thread(() => failure = Record.Exception(() =>
        {
            for (int i = 0; i < 1_500; i++)
            {
                Put(environment, i, 5_000);
            }
        }));
        writer.Start();
        Deadline.Until(() => environment.Options.ScratchBudget.IsUsedUp);
        Deadline.LetGracePass();
        Assert.True(reader.TryOpenTree("t"u8)!.Contains("k0"u8), "Who reads for a moment is not ended.");

        // Far less than the journal that a reader may hold back, and than the time.
        Assert.True(environment.Pressure.BacklogBytes < environment.Options.SnapshotBacklogBytesMax / 10);
        clock.Advance(TimeSpan.FromSeconds(6));
        Exception? end = null;
        bool IsEnded() =>
            (end = Record.Exception(() => { reader.TryOpenTree("t"u8)!.GetCursor().SeekFirst(); })) is not null;
        SpinWait.SpinUntil(IsEnded, Deadline.Hang);
        reader.Dispose();
        writer.Join();
        Assert.Null(failure);
        SnapshotExpiredException expired = Assert.IsType<SnapshotExpiredException>(end);
        Assert.Contains("a slow export", expired.Message, StringComparison.Ordinal);
        Assert.Contains(told, line => line.Contains("a slow export", StringComparison.Ordinal)
            && line.Contains("of scratch memory", StringComparison.Ordinal));
    }

    /// <summary>No flush waits for it: what it holds is the memory of what has been applied.</summary>
    [Fact]
    public void A_reader_of_the_newest_state_that_holds_all_scratch_memory_is_ended_too()
    {
        using var disk = new SimulatedFileSystem();
        var clock = new ManualClock();
        var scheduler = new ManualScheduler();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Clock = clock,
            Scheduler = scheduler,
            ScratchBudget = new ScratchBudget(6 << 20),
        });
        using (WriteTransaction large = environment.BeginWrite())
        {
            Tree tree = large.OpenOrCreateTree("t"u8);
            for (int i = 0; i < 1_500; i++)
            {
                tree.Put(Encoding.ASCII.GetBytes($"k{i}"), new byte[5_000]);
            }

            large.Commit();
        }

        using ReadTransaction reader = environment.BeginRead();
        scheduler.RunAll();
        Assert.Equal(environment.LastTransactionId, environment.GetStatistics().AppliedTransactionId);
        Assert.True(environment.Options.ScratchBudget.IsUsedUp);
        Exception? failure = null;
        var writer = new Thread(() => failure = Record.Exception(() => Put(environment, 0)));
        writer.Start();
        Deadline.LetGracePass();
        Assert.True(reader.TryOpenTree("t"u8)!.Contains("k0"u8), "Who reads for a moment is not ended.");
        clock.Advance(TimeSpan.FromSeconds(6));
        bool IsEnded() =>
            Record.Exception(() => { reader.TryOpenTree("t"u8)!.GetCursor().SeekFirst(); }) is SnapshotExpiredException;
        bool isEnded = SpinWait.SpinUntil(IsEnded, Deadline.Hang);
        reader.Dispose();
        writer.Join();
        Assert.True(isEnded);
        Assert.Null(failure);
    }

    [Fact]
    public void A_recovery_reports_its_progress()
    {
        using var disk = new SimulatedFileSystem();
        using (StorageEnvironment environment = Open(disk, new ManualScheduler(), TimeProvider.System))
        {
            for (int i = 0; i < 20; i++)
            {
                Put(environment, i, 5_000);
            }

            List<string> told = [];
            using var copy = new SimulatedFileSystem(disk.CurrentImage());
            StorageEnvironment.Open(new StorageOptions
            {
                FileSystem = copy,
                Scheduler = new ManualScheduler(),
                RecoveryProgressBytes = 16 << 10,
                OnEvent = happened => told.Add(happened.Message),
            }).Dispose();
            Assert.InRange(
                told.Count(line => line.Contains("recovering, 0 MB of journal read", StringComparison.Ordinal)), 3, 20);
        }
    }

    [Fact]
    [Trait("Invariant", "SCRATCH-2")]
    public void After_a_flush_scratch_memory_holds_nothing_and_journals_are_used_again()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk, new ManualScheduler(), TimeProvider.System);
        for (int round = 0; round < 30; round++)
        {
            for (int i = 0; i < 20; i++)
            {
                Put(environment, i);
            }

            Assert.True(environment.Flush());
            Assert.Equal(0, environment.GetStatistics().Scratch.UsedBytes);
        }

        StorageStatistics statistics = environment.GetStatistics();
        Assert.True(statistics.JournalFiles.Recycled > statistics.JournalFiles.Created);
        Assert.True(statistics.JournalFileBytes <= 1 << 20, $"{statistics.JournalFileBytes} bytes of journal files");
        Assert.True(statistics.JournalWrites.Count >= 600);
        Assert.True(statistics.JournalWrites.Percentile(0.5) <= statistics.JournalWrites.Percentile(0.99));
    }

    [Theory]
    [InlineData(0, 2 << 20)]
    [InlineData(8 << 20, 256 << 10)]
    public void A_flush_begins_at_a_share_of_the_scratch_memory_of_the_process(int usedByOthers, int sizeMax)
    {
        using var disk = new SimulatedFileSystem();
        var scheduler = new ManualScheduler();
        var budget = new ScratchBudget(16 << 20);
        budget.Add(usedByOthers);
        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = disk, Scheduler = scheduler, ScratchBudget = budget });
        long largest = 0;
        for (int i = 0; i < 1_500; i++)
        {
            Put(environment, i * 7919 % 1_500, 5_000);
            largest = Math.Max(largest, environment.GetStatistics().Scratch.UsedBytes);
            scheduler.RunAll();
        }

        Assert.InRange(largest, sizeMax, sizeMax + (256 << 10));
        Assert.InRange(environment.GetStatistics().Flushes, 2, 100);
    }

    [Fact]
    [Trait("Invariant", "SUPERSEDED-1")]
    [Trait("Invariant", "WRITE-2")]
    public void A_page_takes_scratch_memory_once_for_all_its_changes_and_once_more_for_a_reader()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk, new ManualScheduler(), TimeProvider.System);
        for (int i = 0; i < 20; i++)
        {
            Put(environment, i);
        }

        long once = environment.GetStatistics().Scratch.UsedBytes;
        using (ReadTransaction reader = environment.BeginRead())
        {
            for (int i = 0; i < 500; i++)
            {
                Put(environment, i % 20);
            }

            Assert.Equal(20, reader.TryOpenTree("t"u8)!.Count);
            long held = environment.GetStatistics().Scratch.UsedBytes;
            Assert.True(held <= 2 * once + (64 << 10), $"{held} bytes, {once} before the reader");
        }

        for (int i = 0; i < 500; i++)
        {
            Put(environment, i % 20);
        }

        long last = environment.GetStatistics().Scratch.UsedBytes;
        Assert.True(last <= once + (64 << 10), $"{last} bytes, {once} before the reader");
    }

    private static (TimeSpan P99, int Commits, TimeSpan LongestLock) P99OfCommits(TimeSpan dataSync)
    {
        using var disk = new SimulatedFileSystem();
        var clock = new ManualClock();
        using var timed = new TimedFileSystem(disk, clock) { JournalWriteTime = JournalWrite };
        using StorageEnvironment environment = Open(timed, new ManualScheduler(), clock);
        Put(environment, 0);
        timed.DataSyncTime = dataSync;
        var flush = new Thread(() => environment.Flush());
        flush.Start();
        if (dataSync > TimeSpan.Zero)
        {
            Assert.True(timed.IsSyncing.Wait(Deadline.Hang));
        }
        else
        {
            flush.Join();
        }

        var times = new List<TimeSpan>();
        long end = clock.GetTimestamp() + (JournalWrite * CommitsBesideSync).Ticks;
        for (long start = clock.GetTimestamp(); start < end; start = clock.GetTimestamp())
        {
            Put(environment, times.Count % 20);
            times.Add(clock.GetElapsedTime(start));
        }

        timed.EndWriters();
        flush.Join();
        timed.DataSyncTime = TimeSpan.Zero;
        times.Sort();
        return (times[times.Count * 99 / 100], times.Count, environment.GetStatistics().LongestFlushLock);
    }

    private static byte[] RandomBytes(int length, int seed)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private static StorageEnvironment Open(
        Raven.Storage.Files.IFileSystem disk, ManualScheduler scheduler, TimeProvider clock) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = scheduler,
            Clock = clock,
            JournalSizeBytesMax = 128 << 10,
        });

    private static void Put(StorageEnvironment environment, int key, int length = 500)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t"u8);
        tree.Put(Encoding.ASCII.GetBytes($"k{key}"), new byte[length]);
        transaction.Commit();
    }
}
