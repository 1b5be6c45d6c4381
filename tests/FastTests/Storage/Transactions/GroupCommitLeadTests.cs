using System.Buffers.Binary;
using FastTests.Support;
using Raven.Storage.GroupCommit;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Which thread leads a group commit, and what it takes into its transaction.</summary>
public sealed class GroupCommitLeadTests : IDisposable
{
    private const int Writers = 32;

    private readonly ManualResetEventSlim _hasFirstWritten = new();
    private int _resumed;
    private int _firstExecutedOn = -1;

    public void Dispose() => _hasFirstWritten.Dispose();

    [Fact]
    [Trait("Invariant", "MERGE-2")]
    public async Task A_leader_takes_writes_into_its_transaction_while_the_journal_writes_the_one_before()
    {
        using var disk = new SimulatedFileSystem();
        using var slow = new GatedFileSystem(disk) { GatesJournals = true };
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions { FileSystem = slow });
        using var merger = new TransactionMerger(environment);
        slow.Gate.Reset();
        Task first = Task.Run(() => merger.Execute(new Put(1)));
        Assert.True(slow.IsWaiting.Wait(Deadline.Hang));
        using var isExecuted = new ManualResetEventSlim();
        Task second = Task.Run(() => merger.Execute(new Put(2) { Executed = isExecuted.Set }));
        Assert.True(isExecuted.Wait(Deadline.Hang));
        Task third = merger.Enqueue(new Put(3)).AsTask();
        Assert.False(first.IsCompleted || second.IsCompleted || third.IsCompleted);
        slow.Gate.Set();
        await Task.WhenAll(first, second, third).WaitAsync(Deadline.Hang);
        Assert.Equal(2, merger.Statistics.Groups);
        Assert.Equal(2, environment.LastTransactionId);
    }

    /// <summary>
    /// The first of the writers that are resumed finds no leader for its next write. It does not lead, since the others
    /// write again too: one transaction for all of them is cheaper than one for it alone.
    /// </summary>
    [Fact]
    [Trait("Invariant", "RESUME-3")]
    public async Task A_resumed_writer_does_not_lead_while_others_wait_to_be_resumed()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions { FileSystem = disk });
        using var merger = new TransactionMerger(environment);
        using var isLeading = new ManualResetEventSlim();
        using var gate = new ManualResetEventSlim();
        var leader = new Thread(() => merger.Execute(new Put(0)
        {
            Executed = () =>
            {
                isLeading.Set();
                gate.Wait();
            },
        }));
        leader.Start();
        Assert.True(isLeading.Wait(Deadline.Hang));
        Task[] writers = [.. Enumerable.Range(1, Writers).Select(key => WriteTwiceAsync(merger, key))];
        gate.Set();
        leader.Join();
        await Task.WhenAll(writers).WaitAsync(Deadline.Hang);
        Assert.Equal(Writers, _resumed);
        Assert.Equal(0, _firstExecutedOn);
        using ReadTransaction reader = environment.BeginRead();
        Assert.Equal(1 + (2 * Writers), reader.TryOpenTree("t"u8)!.Count);
    }

    /// <summary>Not on the context of a test, which would resume it on a thread of its own.</summary>
    private async Task WriteTwiceAsync(TransactionMerger merger, int key)
    {
        await merger.Enqueue(new Put(key)).ConfigureAwait(false);
        bool isFirst = Interlocked.Increment(ref _resumed) == 1;
        if (!isFirst)
        {
            _hasFirstWritten.Wait();
        }

        var put = new Put(Writers + key);
        ValueTask write = merger.Enqueue(put);
        if (isFirst)
        {
            _firstExecutedOn = put.ExecutedOn;
            _hasFirstWritten.Set();
        }

        await write.ConfigureAwait(false);
    }

    private sealed class Put(int key) : IWriteCommand
    {
        public Action? Executed { get; init; }

        public int ExecutedOn { get; private set; }

        public long SizeInBytes => sizeof(int);

        public void Execute(WriteTransaction transaction)
        {
            ExecutedOn = Environment.CurrentManagedThreadId;
            Span<byte> bytes = stackalloc byte[sizeof(int)];
            BinaryPrimitives.WriteInt32BigEndian(bytes, key);
            transaction.OpenOrCreateTree("t"u8).Put(bytes, bytes);
            Executed?.Invoke();
        }
    }
}
