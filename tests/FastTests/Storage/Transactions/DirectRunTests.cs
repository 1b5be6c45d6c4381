using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Values over 64 KB are written once, to their place, and never through the journal.</summary>
public sealed class DirectRunTests
{
    private const int Length = 1 << 20;

    [Fact]
    [Trait("Invariant", "DIRECT-2")]
    [Trait("Invariant", "DIRECT-3")]
    public void A_large_value_is_written_once_and_only_its_hashes_are_journaled()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, "first"u8, 10);
        int before = disk.Log.Count;
        Put(environment, "large"u8, Length);
        List<DiskOperation> since = disk.Log.Slice(before, disk.Log.Count - before);
        long journaled = since.Where(write => write.IsWriteThrough).Sum(write => (long)write.Data!.Length);
        long written = since.Where(write => write.Data is not null).Sum(write => (long)write.Data!.Length);
        Assert.InRange(journaled, 1, 32 << 10);
        Assert.InRange(written - journaled, Length, Length + (64 << 10));
        Assert.True(environment.Scratch.UsedBytes < 64 << 10);
        AssertHas(environment, "large"u8, Length);
    }

    [Fact]
    public void The_piece_with_the_checksum_of_a_large_value_is_written_last_and_writing_begins_with_each_piece()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, "first"u8, 10);
        int before = disk.Log.Count;
        disk.WriteBacks.Clear();
        Put(environment, "large"u8, Length);
        DiskOperation[] pieces =
            [.. disk.Log.Skip(before).Where(write => write is { IsWriteThrough: false, Data.Length: >= 8192 })];
        Assert.Equal(5, pieces.Length);
        long start = pieces.Min(write => write.Offset);
        Assert.Equal(start, pieces[^1].Offset);
        Assert.Equal(
            pieces.Select(write => (disk.Log.IndexOf(write) + 1, write.Offset, (long)write.Data!.Length)),
            disk.WriteBacks);
        long end = start + pieces[^1].Data!.Length;
        foreach (DiskOperation piece in pieces[..^1])
        {
            Assert.Equal(end, piece.Offset);
            end += piece.Data!.Length;
        }

        Assert.InRange(end - start, Length, Length + 8192);
    }

    [Fact]
    [Trait(Proof.Row, Proof.Crashes)]
    public void A_large_value_survives_a_crash_before_any_flush()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, "large"u8, Length);
        using var copy = new SimulatedFileSystem(disk.CurrentImage());
        using StorageEnvironment again = Open(copy);
        Assert.Equal(1, again.Recovery.Transactions);
        AssertHas(again, "large"u8, Length);
        Assert.Empty(again.Audit().Findings);
    }

    [Theory]
    [Trait("Invariant", "DIRECT-2")]
    [Trait(Proof.Row, Proof.Damage)]
    [InlineData(0)]
    [InlineData(300_000)]
    [InlineData(Length)]
    public void A_changed_bit_of_a_large_value_stops_recovery_with_the_names_of_file_and_transaction(int place)
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, "large"u8, Length);
        DiskImage image = disk.CurrentImage().Copy();
        Span<byte> data = image.Files["data.voron"].Span;
        int start = data.IndexOf(Value(Length).AsSpan(0, 64));
        data[start + Math.Min(place, Length - 1)] ^= 1;
        using var copy = new SimulatedFileSystem(image);
        StorageCorruptedException damage = Assert.Throws<StorageCorruptedException>(() => Open(copy));
        Assert.Contains("data.voron", damage.Message, StringComparison.Ordinal);
        Assert.Contains("transaction 1 ", damage.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "CLEAN-1")]
    public void Pages_freed_since_the_last_flush_are_not_written_over()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        Put(environment, "large"u8, Length);
        Assert.True(environment.Flush());
        using ReadTransaction reader = environment.BeginRead();
        for (int i = 1; i <= 4; i++)
        {
            Put(environment, "large"u8, Length + i);
            Assert.True(reader.TryOpenTree("t"u8)!.TryGet("large"u8, out NativeSlice old));
            Assert.True(old.Span.SequenceEqual(Value(Length)));
        }
    }

    [Fact]
    [Trait("Invariant", "CLEAN-2")]
    public void A_value_that_is_replaced_again_and_again_reuses_pages_that_a_flush_made_clean()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        for (int i = 0; i < 40; i++)
        {
            Put(environment, "large"u8, Length + i);
            Assert.True(environment.Flush());
        }

        Assert.InRange(environment.GetStatistics().Pages, 1, 4 * (Length / 8192));
        AssertHas(environment, "large"u8, Length + 39);
        Assert.Empty(environment.Audit().Findings);
    }

    [Fact]
    public void Large_values_count_towards_the_next_flush_as_bytes_of_the_journal_do()
    {
        using var disk = new SimulatedFileSystem();
        var scheduler = new ManualScheduler();
        using StorageEnvironment environment = Open(disk, scheduler);
        for (int i = 0; i < 12; i++)
        {
            Put(environment, "large"u8, Length);
            scheduler.RunAll();
        }

        Assert.True(environment.GetStatistics().Flushes > 0);
    }

    [Fact]
    [Trait("Invariant", "DIRECT-1")]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void A_large_value_is_not_acknowledged_if_another_sync_received_the_error_of_its_write()
    {
        using var disk = new SimulatedFileSystem();
        using var gated = new GatedFileSystem(disk) { FailsFirst = true };
        using StorageEnvironment environment = Open(gated);
        Put(environment, "first"u8, 10);
        gated.Gate.Reset();
        var flush = new Thread(() => environment.Flush());
        flush.Start();
        Assert.True(gated.IsWaiting.Wait(Deadline.Hang));
        Exception? failure = null;
        var writer = new Thread(() => failure = Record.Exception(() => Put(environment, "large"u8, 100_000)));
        writer.Start();
        writer.Join(Deadline.Grace);
        gated.Gate.Set();
        flush.Join();
        writer.Join();
        Assert.NotNull(failure);
        Assert.NotNull(environment.Fault);
        using ReadTransaction reader = environment.BeginRead();
        Assert.Equal(1, reader.TryOpenTree("t"u8)!.Count);
    }

    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void A_map_that_was_refused_when_the_file_grew_is_requested_again()
    {
        const int MoreThanTheFirstMap = 17 << 20;
        using var disk = new SimulatedFileSystem();
        var failing = new FailingFileSystem(disk);
        using StorageEnvironment environment = Open(failing);
        Put(environment, "first"u8, 10);
        failing.FailsMaps = true;
        Assert.Throws<StorageIOException>(() => Put(environment, "large"u8, MoreThanTheFirstMap));
        failing.FailsMaps = false;
        Put(environment, "large"u8, MoreThanTheFirstMap);
        AssertHas(environment, "large"u8, MoreThanTheFirstMap);
    }

    private static StorageEnvironment Open(IFileSystem disk, ManualScheduler? scheduler = null) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = scheduler ?? new ManualScheduler(),
            FlushAfterBytes = 8 << 20,
        });

    private static void Put(StorageEnvironment environment, ReadOnlySpan<byte> key, int length)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put(key, Value(length));
        transaction.Commit();
    }

    private static byte[] Value(int length)
    {
        byte[] value = new byte[length];
        new Random(length).NextBytes(value);
        return value;
    }

    private static void AssertHas(StorageEnvironment environment, ReadOnlySpan<byte> key, int length)
    {
        using ReadTransaction reader = environment.BeginRead();
        Assert.True(reader.TryOpenTree("t"u8)!.TryGet(key, out NativeSlice value));
        Assert.True(value.Span.SequenceEqual(Value(length)));
    }
}
