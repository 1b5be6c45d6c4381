using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>A disk that is full for a while.</summary>
public sealed class DiskFullTests
{
    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void A_full_disk_fails_commits_and_loses_nothing()
    {
        using var disk = new SimulatedFileSystem();
        var files = new QuotaFileSystem(disk);
        using var check = new DiskFullCheck(files, seed: 1);
        for (int round = 0; round < 2; round++)
        {
            check.Round(
                fill: () => files.BytesMax = files.UsedBytes + (1 << 20),
                free: () => files.BytesMax = long.MaxValue);
        }
    }

    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void A_journal_that_finds_no_room_gets_that_of_files_whose_content_is_applied()
    {
        using var disk = new SimulatedFileSystem();
        var files = new QuotaFileSystem(disk);
        var scheduler = new ManualScheduler();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = files,
            Scheduler = scheduler,
            JournalSizeBytesMin = 64 << 10,
            JournalSizeBytesMax = 64 << 10,
        });
        while (environment.GetStatistics().JournalFiles.Created < 2)
        {
            Put(environment);
        }

        files.BytesMax = files.UsedBytes;
        StorageIOException failure = Assert.Throws<StorageIOException>(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                Put(environment);
            }
        });
        Assert.True(failure.IsDiskFull);
        scheduler.RunAll();
        Put(environment);
        Assert.Equal(2, environment.GetStatistics().JournalFiles.Created);
    }

    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void A_journal_that_finds_little_room_takes_a_shorter_file()
    {
        using var disk = new SimulatedFileSystem();
        var files = new QuotaFileSystem(disk);
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = files,
            Scheduler = new ManualScheduler(),
            JournalSizeBytesMin = 64 << 10,
        });
        PutUntilCreated(environment, 3);

        // The fourth would be twice as long as the third, 512 KB.
        files.BytesMax = files.UsedBytes + (64 << 10);
        PutUntilCreated(environment, 4);
        Assert.Equal(files.BytesMax, files.UsedBytes);

        // Not even the shortest, but what a record needs.
        files.BytesMax += 32 << 10;
        PutUntilCreated(environment, 5);
        Assert.InRange(files.UsedBytes, files.BytesMax - (32 << 10) + 1, files.BytesMax);
        files.BytesMax = files.UsedBytes;
        Assert.True(Assert.Throws<StorageIOException>(() => PutUntilCreated(environment, 6)).IsDiskFull);

        // With room again, they are as long as before.
        files.BytesMax = long.MaxValue;
        long used = files.UsedBytes;
        PutUntilCreated(environment, 6);
        Assert.Equal(used + (512 << 10), files.UsedBytes);
    }

    private static void PutUntilCreated(StorageEnvironment environment, int count)
    {
        for (int i = 0; environment.GetStatistics().JournalFiles.Created < count; i++)
        {
            Assert.NotEqual(10_000, i);
            Put(environment);
        }
    }

    private static void Put(StorageEnvironment environment)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put("k"u8, BitConverter.GetBytes(transaction.Id));
        transaction.Commit();
    }

    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void A_data_file_that_cannot_grow_says_how_much_room_it_needs()
    {
        using var disk = new SimulatedFileSystem();
        var files = new QuotaFileSystem(disk);
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions { FileSystem = files });
        files.BytesMax = files.UsedBytes;
        using WriteTransaction transaction = environment.BeginWrite();
        StorageIOException failure = Assert.Throws<StorageIOException>(() =>
        {
            transaction.OpenOrCreateTree("t"u8).Put("k"u8, new byte[40 << 20]);
            transaction.Commit();
        });
        Assert.True(failure.IsDiskFull);
        Assert.Matches(@"data\.voron: growing failed: the disk is full: .* has to have \d+, \d+ more", failure.Message);
    }
}
