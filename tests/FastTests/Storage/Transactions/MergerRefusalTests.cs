using System.Text;
using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.GroupCommit;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>What is refused to a shared transaction at its end, and what a scheduler refuses.</summary>
public sealed class MergerRefusalTests
{
    private const int BytesMax = 1 << 20;

    [Fact]
    public async Task A_write_that_is_too_large_for_a_journal_record_fails_alone()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            JournalCompression = JournalCompression.Never,
            Hooks = new StorageHooks { RecordBytesMax = BytesMax },
        });
        using var merger = new TransactionMerger(environment);
        (Task giant, Task small) = Together(merger, new Fill("giant", 1_000), new Fill("small", 1));
        await Assert.ThrowsAsync<TransactionTooLargeException>(() => giant);
        await small;
        Assert.Equal(1, Count(environment));
    }

    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public async Task A_write_for_which_the_disk_has_no_room_fails_alone()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Scheduler = new ManualScheduler(),
            JournalCompression = JournalCompression.Never,
        });
        using var merger = new TransactionMerger(environment);
        await merger.Enqueue(new Fill("first", 1));
        disk.Fault = new DiskFault(DiskFaultKind.DiskFull, disk.CallCount, IsSticky: true);
        (Task giant, Task small) = Together(merger, new Fill("giant", 1_000), new Fill("small", 1));
        StorageIOException refusal = await Assert.ThrowsAsync<StorageIOException>(() => giant);
        Assert.True(refusal.IsDiskFull);
        await small;
        Assert.Equal(2, Count(environment));
        Assert.Null(environment.Fault);
    }

    [Theory]
    [InlineData(long.MaxValue)] // The second has no room in the group.
    [InlineData(1_000)] // It has none in the queue, until the first is complete.
    public async Task A_leader_goes_on_by_itself_if_no_thread_can_be_scheduled(long queuedBytesMax)
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment =
            StorageEnvironment.Open(new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() });
        var scheduler = new RefusingScheduler();
        using var merger = new TransactionMerger(environment, scheduler, queuedBytesMax);
        Task second = Task.CompletedTask;
        await merger.Enqueue(
            new Fill("first", 1)
            {
                SizeInBytes = 1L << 40,
                Executed = () => second = merger.Enqueue(new Fill("second", 1)).AsTask(),
            });
        await second;
        Assert.True(scheduler.Refusals > 0);
        Assert.Equal(2, Count(environment));
    }

    /// <summary>Two writes of one group: the second comes while the first is executed.</summary>
    private static (Task First, Task Second) Together(TransactionMerger merger, Fill first, Fill second)
    {
        var secondTask = new TaskCompletionSource<Task>();
        first.Executed = () =>
        {
            first.Executed = null;
            secondTask.SetResult(merger.Enqueue(second).AsTask());
        };
        Task firstTask = Task.Run(async () => await merger.Enqueue(first));
        return (firstTask, secondTask.Task.Unwrap());
    }

    private static long Count(StorageEnvironment environment)
    {
        using ReadTransaction reader = environment.BeginRead();
        return reader.TryOpenTree("t"u8)!.Count;
    }

    /// <summary>Some entries of 5,000 bytes under one name; one counts as one.</summary>
    private sealed class Fill(string name, int count) : IWriteCommand
    {
        public long SizeInBytes { get; init; } = 1;

        internal Action? Executed { get; set; }

        public void Execute(WriteTransaction transaction)
        {
            byte[] value = new byte[5_000];
            for (int i = 0; i < count; i++)
            {
                new Random(i).NextBytes(value);
                transaction.OpenOrCreateTree("t"u8).Put(Encoding.ASCII.GetBytes($"{name} {i}"), value);
            }

            Executed?.Invoke();
        }
    }

    private sealed class RefusingScheduler : IBackgroundScheduler
    {
        internal int Refusals { get; private set; }

        public void Schedule(Action work)
        {
            Refusals++;
            throw new InsufficientMemoryException("planted");
        }
    }
}
