using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Readers that are there, or come, while an environment is closed.</summary>
public sealed class CloseTests
{
    [Fact]
    public void A_flush_that_waited_for_a_reader_writes_nothing_after_the_close()
    {
        using var disk = new SimulatedFileSystem();
        var scheduler = new ManualScheduler();
        StorageEnvironment environment = Open(disk, SecondALook(), scheduler);
        Put(environment, "a"u8);
        ReadTransaction reader = environment.BeginRead();
        Put(environment, "b"u8);
        Assert.False(environment.Flush());
        environment.Dispose();
        int calls = disk.CallCount;
        reader.Dispose();
        scheduler.RunAll();
        Assert.Equal(calls, disk.CallCount);
    }

    [Fact]
    public void A_reader_that_does_not_end_keeps_its_bytes_and_the_lock_until_it_does()
    {
        using var disk = new SimulatedFileSystem();
        StorageEnvironment environment = Open(disk, SecondALook());
        Put(environment, "a"u8);
        ReadTransaction reader = environment.BeginRead();
        Assert.True(reader.TryOpenTree("t"u8)!.TryGet("a"u8, out NativeSlice value));
        environment.Dispose();
        Assert.Throws<StorageInUseException>(() => Open(disk, new ManualClock()));
        Assert.True(value.Span.SequenceEqual("a"u8));
        Assert.Throws<SnapshotExpiredException>(() => reader.TryOpenTree("t"u8)!.Contains("a"u8));
        reader.Dispose();
        Assert.Equal(0, disk.OpenFiles);
        using StorageEnvironment again = Open(disk, new ManualClock());
        using ReadTransaction newer = again.BeginRead();
        Assert.True(newer.TryOpenTree("t"u8)!.Contains("a"u8));
    }

    [Fact]
    public void A_reader_that_begins_while_its_environment_closes_is_refused_and_leaves_no_file_open()
    {
        using var disk = new SimulatedFileSystem();
        var clock = new InterruptingClock();
        StorageEnvironment environment = Open(disk, clock);
        Put(environment, "a"u8);
        clock.Interrupt = environment.Dispose;
        Assert.Throws<ObjectDisposedException>(() => environment.BeginRead());
        Assert.Null(clock.Interrupt);
        Assert.Equal(0, disk.OpenFiles);
        environment.Dispose();
    }

    private static StorageEnvironment Open(
        SimulatedFileSystem disk, TimeProvider clock, ManualScheduler? scheduler = null) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = scheduler ?? new ManualScheduler(),
            Clock = clock,
        });

    /// <summary>A second passes with each look: a waiting thread gives up at once.</summary>
    private static ManualClock SecondALook() => new(TimeSpan.TicksPerSecond);

    private static void Put(StorageEnvironment environment, ReadOnlySpan<byte> key)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put(key, key);
        transaction.Commit();
    }

    /// <summary>A clock that stands still and lets something happen at the next look.</summary>
    private sealed class InterruptingClock : TimeProvider
    {
        internal Action? Interrupt { get; set; }

        public override long GetTimestamp()
        {
            Action? interrupt = Interrupt;
            Interrupt = null;
            interrupt?.Invoke();
            return 0;
        }
    }
}
