using Raven.Storage.Backup;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Backup;

/// <summary>Copies of pages with the archived journal behind them are the state at any time.</summary>
public sealed class PointInTimeTests
{
    /// <summary>SlowTests play more of them, for 1,000 times.</summary>
    [Theory]
    [Trait("Invariant", "ARCH-1")]
    [Trait("Invariant", "ARCH-2")]
    [Trait("Invariant", "COMMIT-4")]
    [Trait("Invariant", "SPOOL-1")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public async Task A_restore_to_a_random_time_is_the_model_at_that_time(int seed)
    {
        using PointInTimeRun run = await PointInTimeRun.PlayAsync(seed, steps: 60);
        Assert.Null(await run.CheckAsync(times: 8));
    }

    [Fact]
    [Trait("Invariant", "REPLAY-3")]
    public async Task A_piece_that_is_missing_comes_twice_or_in_another_order_is_refused_by_its_name()
    {
        using PointInTimeRun run = await PointInTimeRun.PlayAsync(7, steps: 80);
        byte[][] pieces = [.. run.Pieces.Select(one => one.Bytes)];
        Assert.True(pieces.Length > 4);
        foreach (int[] order in (int[][])[[1], [0, 2], [0, 2, 1], [0, 1, 3, 2], [2, 0, 1]])
        {
            StorageCorruptedException refused = await Assert.ThrowsAsync<StorageCorruptedException>(
                async () => (await PointInTimeRun.RestoreAsync(
                    run.FirstCopies, order.Select(i => pieces[i]), run.End)).Dispose());
            int wrong = Enumerable.Range(0, order.Length).First(i => order[i] != i);
            Assert.Contains($"piece {wrong}", refused.Message, StringComparison.Ordinal);
            Assert.Contains("transaction", refused.Message, StringComparison.Ordinal);
        }

        // What comes twice changes nothing.
        using SimulatedFileSystem twice = await PointInTimeRun.RestoreAsync(
            run.FirstCopies, [pieces[0], pieces[0]], run.End);
        using StorageEnvironment environment = Open(twice);
        Assert.Equal(run.Pieces[0].Piece.Last, environment.LastTransactionId);
    }

    [Fact]
    public async Task A_piece_with_any_byte_changed_cut_or_added_is_refused_and_leaves_no_environment()
    {
        using PointInTimeRun run = await PointInTimeRun.PlayAsync(9, steps: 30);
        byte[] piece = run.Pieces.MinBy(one => one.Piece.First).Bytes;
        var random = new Random(4);
        for (int i = 0; i < 60; i++)
        {
            byte[] damaged = [.. piece];
            int at = i < 32 ? i : random.Next(piece.Length);
            damaged[at] ^= (byte)(1 << random.Next(8));
            if (at is < 12 or >= 16)
            {
                await AssertRefusedAsync(run, damaged);
            }
        }

        foreach (int length in (int[])[0, 10, 32, 40, 224, piece.Length / 2, piece.Length - 192, piece.Length - 1])
        {
            await AssertRefusedAsync(run, piece[..length]);
        }

        await AssertRefusedAsync(run, [.. piece, 0]);
    }

    [Fact]
    [Trait("Invariant", "SPOOL-2")]
    public async Task An_archive_that_nobody_fetches_is_given_up_and_goes_on_behind_the_next_backup()
    {
        using var disk = new SimulatedFileSystem();
        List<string> events = [];
        using StorageEnvironment environment = Open(disk, 150 << 10, e => events.Add(e.Message));
        var archive = new JournalArchive(environment);
        Put(environment, 1, 100);
        archive.TurnOn();
        long first = environment.LastTransactionId;
        for (int i = 0; i < 60; i++)
        {
            Put(environment, i, 20_000);
            environment.Flush();
        }

        Assert.NotNull(archive.Failure);
        Assert.InRange(archive.WaitingBytes, 1, 150 << 10);
        Assert.Single(events, message => message.Contains("archive", StringComparison.Ordinal));
        await ArchiveAllAsync(archive, first, isGap: true);

        archive.TurnOn();
        Assert.Null(archive.Failure);
        first = environment.LastTransactionId;
        for (int i = 0; i < 4; i++)
        {
            Put(environment, i, 20_000);
            environment.Flush();
        }

        Assert.Equal(first + 4, await ArchiveAllAsync(archive, first, isGap: false));
        archive.TurnOff();
        Assert.DoesNotContain(disk.List(), name => name.StartsWith("archive", StringComparison.Ordinal));
        Assert.Equal(0, archive.WaitingBytes);
    }

    /// <summary>With an archive there may be no journal behind a close: what waits for the archive tells that there was
    /// an environment, and its marker alone does, too.</summary>
    [Fact]
    [Trait("Invariant", "SPOOL-1")]
    public void A_data_file_that_is_missing_beside_what_waits_for_the_archive_is_reported()
    {
        using var disk = new SimulatedFileSystem();
        using (StorageEnvironment environment = Open(disk, 1 << 30, _ => { }))
        {
            new JournalArchive(environment).TurnOn();
            Put(environment, 1, 100);
            environment.Flush();
        }

        disk.Delete("data.voron");
        foreach (string journal in disk.List().Where(name => name.StartsWith("journal-", StringComparison.Ordinal)))
        {
            disk.Delete(journal);
        }

        StorageCorruptedException damage =
            Assert.Throws<StorageCorruptedException>(() => Open(disk, 1 << 30, _ => { }));
        Assert.Contains("is missing", damage.Message, StringComparison.Ordinal);
        foreach (string waiting in disk.List().Where(name => name.StartsWith("archived-", StringComparison.Ordinal)))
        {
            disk.Delete(waiting);
        }

        Assert.Contains(
            "archive.on", Assert.Throws<StorageCorruptedException>(() => Open(disk, 1 << 30, _ => { })).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "SPOOL-2")]
    public void On_a_full_disk_what_waits_for_the_archive_makes_room_for_writers()
    {
        using var disk = new SimulatedFileSystem();
        var quota = new QuotaFileSystem(disk);
        using StorageEnvironment environment = Open(quota, 1 << 30, _ => { });
        var archive = new JournalArchive(environment);
        archive.TurnOn();
        for (int i = 0; i < 12; i++)
        {
            Put(environment, i % 3, 20_000);
            environment.Flush();
        }

        Assert.True(archive.WaitingBytes > 100 << 10);
        quota.BytesMax = quota.UsedBytes;
        for (int i = 0; i < 12; i++)
        {
            Put(environment, i % 3, 20_000);
            environment.Flush();
        }

        Assert.NotNull(archive.Failure);
    }

    [Fact]
    public void What_is_archived_has_large_values_in_it_and_they_are_direct_again_without_an_archive()
    {
        using var disk = new SimulatedFileSystem();
        var hooks = new StorageHooks();
        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = disk, Hooks = hooks });
        var archive = new JournalArchive(environment);
        Put(environment, 1, 200_000);
        long before = hooks.CountOf(CoverageMark.DirectRunWritten);
        Assert.Equal(1, before);
        archive.TurnOn();
        Put(environment, 2, 200_000);
        Assert.Equal(before, hooks.CountOf(CoverageMark.DirectRunWritten));
        archive.TurnOff();
        Put(environment, 3, 200_000);
        Assert.Equal(before + 1, hooks.CountOf(CoverageMark.DirectRunWritten));
    }

    private static async Task<long> ArchiveAllAsync(JournalArchive archive, long after, bool isGap)
    {
        try
        {
            while (await archive.CopyAsync(after, Stream.Null, CancellationToken.None) is { } piece)
            {
                after = piece.Last;
                archive.Release(piece);
            }

            Assert.False(isGap);
        }
        catch (ArchiveGapException gap)
        {
            Assert.True(isGap);
            Assert.Contains($"transaction {after} ", gap.Message, StringComparison.Ordinal);
        }

        return after;
    }

    private static async Task AssertRefusedAsync(PointInTimeRun run, byte[] piece)
    {
        using var target = new SimulatedFileSystem();
        using var restore = new PageRestore(target, 0x1234);
        foreach (byte[] copy in run.FirstCopies)
        {
            await restore.AddAsync("copy", new MemoryStream(copy), CancellationToken.None);
        }

        Exception? refused = await Record.ExceptionAsync(
            () => restore.ReplayAsync("piece", new MemoryStream(piece), run.End, CancellationToken.None));
        Assert.True(refused is StorageCorruptedException or StorageVersionException, $"{refused}");
        Assert.DoesNotContain("data.voron", target.List());
    }

    private static void Put(StorageEnvironment environment, int key, int length)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        byte[] value = new byte[length];
        new Random(key).NextBytes(value);
        value[0] = (byte)(environment.LastTransactionId);
        transaction.OpenOrCreateTree("t"u8).Put([(byte)key], value);
        transaction.Commit();
    }

    private static StorageEnvironment Open(
        IFileSystem files, long archiveBytesMax = 1 << 20, Action<StorageEvent>? onEvent = null) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = files,
            Scheduler = new ManualScheduler(),
            ArchiveBytesMax = archiveBytesMax,
            JournalSizeBytesMin = 64 << 10,
            JournalSizeBytesMax = 64 << 10,
            OnEvent = onEvent ?? (_ => { }),
        });
}
