using System.Buffers.Binary;
using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.GroupCommit;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Writers that wait for room among the queued bytes: the bound, their order, and how they end.</summary>
public sealed class MergerRoomTests : IDisposable
{
    private const int BytesMax = 1000;

    private readonly SimulatedFileSystem _disk = new();
    private readonly GatedFileSystem _slow;
    private readonly StorageEnvironment _environment;
    private readonly TransactionMerger _merger;
    private readonly ManualResetEventSlim _gate = new();
    private readonly List<int> _served = [];

    public MergerRoomTests()
    {
        _slow = new GatedFileSystem(_disk) { GatesJournals = true };
        _environment = StorageEnvironment.Open(new StorageOptions { FileSystem = _slow });
        _merger = new TransactionMerger(_environment, BackgroundThreads.Writers, BytesMax);
    }

    public void Dispose()
    {
        _gate.Set();
        _slow.Gate.Set();
        _merger.Dispose();
        _environment.Dispose();
        _slow.Dispose();
        _disk.Dispose();
        _gate.Dispose();
    }

    [Fact]
    [Trait("Invariant", "ROOM-1")]
    public async Task Writers_that_are_admitted_at_once_never_reserve_more_than_the_bound()
    {
        const int Writers = 20;
        const int Size = 400;
        using var all = new CountdownEvent(Writers);
        int executed = 0;
        long most = 0;
        Task leader = Lead(2 * BytesMax);
        Task[] writers = [.. Enumerable.Range(1, Writers).Select(key => Block(new Put(key, Size)
        {
            // No writer continues before all have reported their size: if room was checked before that, all found it.
            SizeAsked = () => Meet(all),
            Before = () =>
            {
                // While the first stands in its command, nothing is given back: each other is queued by then, or waits.
                Assert.True(executed++ > 0 || SpinWait.SpinUntil(
                    () => (_merger.QueuedBytes / Size) + _merger.WaitingForRoom == Writers, Deadline.Hang));
                most = Math.Max(most, _merger.QueuedBytes);
            },
        }))];
        UntilWaiting(Writers);
        _gate.Set();
        await leader;
        await Task.WhenAll(writers);
        Assert.Equal(2 * Size, most);
        UntilNothingIsReserved();
        Assert.Equal(Writers + 1, Count());
    }

    [Fact]
    [Trait("Invariant", "MERGE-1")]
    [Trait("Invariant", "ROOM-3")]
    public async Task Blocking_and_awaiting_writers_are_served_in_the_order_of_their_arrival()
    {
        const int Writers = 20;
        List<Task> writers = [Lead(2 * BytesMax)];
        foreach (int key in Enumerable.Range(1, Writers))
        {
            var put = new Put(key, 400) { Before = () => _served.Add(key) };
            writers.Add(key % 2 == 0 ? Block(put) : Enqueue(put));
            UntilWaiting(key);
        }

        _gate.Set();
        await Task.WhenAll(writers);
        Assert.Equal(Enumerable.Range(1, Writers), _served);
    }

    [Fact]
    [Trait("Invariant", "ROOM-1")]
    [Trait("Invariant", "ROOM-2")]
    public async Task A_write_for_which_there_is_room_queues_behind_a_larger_one_that_waits_for_room()
    {
        using var hasCome = new ManualResetEventSlim();
        Task newcomer = Task.CompletedTask;
        long reserved = 0;
        Task leader = Lead(2 * BytesMax);
        Task first = Enqueue(new Put(1, 400)
        {
            Before = () =>
            {
                _served.Add(1);
                newcomer = Enqueue(new Put(3, 1) { Before = () => _served.Add(3) });
                hasCome.Set();
            },
        });
        UntilWaiting(1);
        Task second = Block(new Put(2, 5 * BytesMax)
        {
            // Who is let in and reserves only then is overtaken here.
            SizeAsked = () => Assert.True(!_gate.IsSet || hasCome.Wait(Deadline.Hang)),
            Before = () =>
            {
                _served.Add(2);
                reserved = _merger.QueuedBytes;
            },
        });
        UntilWaiting(2);
        _gate.Set();
        await Task.WhenAll(leader, first, second);
        await newcomer;
        Assert.Equal(Enumerable.Range(1, 3), _served);

        // It is larger than the bound: so it had the queue for itself.
        Assert.Equal(5 * BytesMax, reserved);
    }

    [Fact]
    [Trait("Invariant", "ROOM-3")]
    public async Task The_room_of_a_failed_write_goes_to_the_next_that_waits()
    {
        Task leader = Lead(2 * BytesMax);
        Task failing = Enqueue(new Put(1, BytesMax) { Before = () => throw new InvalidDataException("one") });
        Task next = Enqueue(new Put(2, BytesMax));
        Task last = Block(new Put(3, BytesMax));
        UntilWaiting(3);
        _gate.Set();
        await leader;
        await Assert.ThrowsAsync<InvalidDataException>(() => failing);
        await Task.WhenAll(next, last).WaitAsync(Deadline.Hang);
        UntilNothingIsReserved();
        Assert.Equal(3, Count());
    }

    [Fact]
    public async Task Closing_refuses_writers_that_wait_for_room_and_completes_queued_ones()
    {
        Task leader = Lead(2 * BytesMax);
        Task awaiting = Enqueue(new Put(1, 400));
        Task blocked = Block(new Put(2, 400));
        UntilWaiting(2);
        Task closing = Task.Run(() => _merger.Dispose());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => awaiting.WaitAsync(Deadline.Hang));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => blocked.WaitAsync(Deadline.Hang));
        Assert.False(leader.IsCompleted || closing.IsCompleted);
        _gate.Set();
        await Task.WhenAll(leader, closing);
        UntilNothingIsReserved();
        Assert.Equal(1, Count());
    }

    [Fact]
    [Trait("Invariant", "COMMIT-3")]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public async Task A_failed_journal_write_refuses_the_writers_that_wait_for_room()
    {
        _slow.Gate.Reset();
        _slow.FailsFirst = true;
        Task leader = Block(new Put(0, 2 * BytesMax));
        Assert.True(_slow.IsWaiting.Wait(Deadline.Hang));
        Task awaiting = Enqueue(new Put(1, BytesMax));
        Task blocked = Block(new Put(2, BytesMax));
        UntilWaiting(2);
        _slow.Gate.Set();
        await Assert.ThrowsAnyAsync<Exception>(() => leader);
        await Assert.ThrowsAsync<StoragePoisonedException>(() => awaiting.WaitAsync(Deadline.Hang));
        await Assert.ThrowsAsync<StoragePoisonedException>(() => blocked.WaitAsync(Deadline.Hang));
        UntilNothingIsReserved();
    }

    private static void Meet(CountdownEvent all)
    {
        if (!all.IsSet)
        {
            all.Signal();
        }

        Assert.True(all.Wait(Deadline.Hang));
    }

    /// <summary>A thread that leads with a write of so many bytes, and stands in its command until the gate opens.
    /// </summary>
    private Task Lead(long sizeInBytes)
    {
        using var begun = new ManualResetEventSlim();
        Task leader = Block(new Put(0, sizeInBytes)
        {
            Before = () =>
            {
                begun.Set();
                _gate.Wait();
            },
        });
        Assert.True(begun.Wait(Deadline.Hang));
        return leader;
    }

    private Task Enqueue(Put put) => _merger.Enqueue(put).AsTask();

    /// <summary>Writes on a thread of its own, which blocks.</summary>
    private Task Block(Put put) => Task.Factory.StartNew(
        () => _merger.Execute(put), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private void UntilWaiting(int count) =>
        Deadline.Until(() => _merger.WaitingForRoom == count);

    /// <summary>Bytes are given back after the writers were woken.</summary>
    private void UntilNothingIsReserved() =>
        Deadline.Until(() => _merger.QueuedBytes == 0 && _merger.WaitingForRoom == 0);

    private long Count()
    {
        using ReadTransaction reader = _environment.BeginRead();
        return reader.TryOpenTree("t"u8)!.Count;
    }

    /// <summary>One entry that says it were larger.</summary>
    private sealed class Put(int key, long sizeInBytes) : IWriteCommand
    {
        public Action? SizeAsked { get; init; }

        public Action? Before { get; init; }

        public long SizeInBytes
        {
            get
            {
                SizeAsked?.Invoke();
                return sizeInBytes;
            }
        }

        public void Execute(WriteTransaction transaction)
        {
            Before?.Invoke();
            Span<byte> bytes = stackalloc byte[4];
            BinaryPrimitives.WriteInt32BigEndian(bytes, key);
            transaction.OpenOrCreateTree("t"u8).Put(bytes, bytes);
        }
    }
}
