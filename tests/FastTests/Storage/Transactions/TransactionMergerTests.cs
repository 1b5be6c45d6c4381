using System.Buffers.Binary;
using System.Collections.Concurrent;
using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.GroupCommit;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Writers that share commits: order, failures, threads.</summary>
public sealed class TransactionMergerTests : IDisposable
{
    private readonly string _folder =
        Path.Combine(Path.GetTempPath(), "raven-merger-" + Guid.NewGuid().ToString("N")[..12]);

    private readonly List<StorageEvent> _events = [];
    private readonly StorageEnvironment _environment;
    private readonly TransactionMerger _merger;

    public TransactionMergerTests()
    {
        _environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = new RealFileSystem(_folder),
            OnEvent = Note,
        });
        _merger = new TransactionMerger(_environment);
    }

    public void Dispose()
    {
        _merger.Dispose();
        _environment.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait("Invariant", "MERGE-4")]
    public async Task Each_write_of_64_writers_is_seen_by_readers_when_it_is_acknowledged()
    {
        const int Writers = 64;
        const int Each = 40;
        await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            for (int i = 0; i < Each; i++)
            {
                var put = new Put(writer * Each + i);
                await _merger.Enqueue(put);
                Assert.True(put.CommittedIn > 0 && put.CommittedIn <= _environment.LastTransactionId);
                Assert.True(Has(put.Key), "A write is seen by readers as soon as it is acknowledged.");
            }
        })));
        Assert.Equal(Writers * Each, Count());
        Assert.Equal(Writers * Each, _merger.Statistics.Writes);
    }

    [Fact]
    public async Task Writers_that_wait_at_the_same_time_share_a_commit()
    {
        const int Writers = 64;
        WriteTransaction held = _environment.BeginWrite();
        int queued = 0;
        Task[] writers = [.. Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            ValueTask write = _merger.Enqueue(new Put(writer));
            Interlocked.Increment(ref queued);
            await write;
        }))];

        // The one that leads waits for the held transaction inside of its call; the others are queued behind it.
        Deadline.Until(() => Volatile.Read(ref queued) == Writers - 1);
        held.Dispose();
        await Task.WhenAll(writers);
        Assert.Equal(Writers, Count());
        Assert.InRange(_merger.Statistics.Groups, 1, 3);
    }

    [Fact]
    public void All_writes_of_blocking_threads_are_committed()
    {
        Thread[] threads = [.. Enumerable.Range(0, 16).Select(writer => new Thread(() =>
        {
            for (int i = 0; i < 50; i++)
            {
                _merger.Execute(new Put(writer * 50 + i));
            }
        }))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        Assert.Equal(800, Count());
    }

    /// <summary>No writer writes behind a burst: its wake-ups could hide a lost one.</summary>
    [Fact]
    [Trait("Invariant", "WAKE-2")]
    public async Task Blocking_threads_that_write_once_all_return_even_if_a_command_throws()
    {
        const int Threads = 8;
        const int Bursts = 150;
        using var meeting = new Barrier(Threads);
        Task[] writers = [.. Enumerable.Range(0, Threads).Select(writer => Task.Factory.StartNew(
            () =>
            {
                for (int burst = 0; burst < Bursts; burst++)
                {
                    Assert.True(meeting.SignalAndWait(Deadline.Hang), "A writer of the burst before sleeps on.");
                    bool throws = writer == 3 && burst % 4 == 0;
                    var put = new Put(burst * Threads + writer)
                    {
                        Before = throws ? () => throw new InvalidDataException("three") : null,
                    };
                    Exception? thrown = Record.Exception(() => _merger.Execute(put));
                    Assert.Equal(throws, thrown is InvalidDataException);
                }
            },
            TaskCreationOptions.LongRunning))];
        await Task.WhenAll(writers).WaitAsync(2 * Deadline.Hang);
        Assert.Equal(Threads * Bursts - (Bursts + 3) / 4, Count());
    }

    [Fact]
    [Trait("Invariant", "MERGE-2")]
    public void A_writer_that_finds_no_leader_commits_on_its_own_thread()
    {
        var put = new Put(1);
        _merger.Execute(put);
        Assert.Equal(Environment.CurrentManagedThreadId, put.ExecutedOn);
    }

    [Fact]
    public async Task A_command_that_throws_fails_alone()
    {
        using var gate = new ManualResetEventSlim();
        Task first = Task.Run(async () => await _merger.Enqueue(new Put(0) { Before = gate.Wait }));
        Deadline.Until(() => _merger.Statistics.Groups == 0 && !gate.IsSet);
        Task[] writes = [.. Enumerable.Range(1, 20).Select(i => Task.Run(async () => await _merger.Enqueue(
            new Put(i) { Before = i == 7 ? () => throw new InvalidDataException("seven") : null })))];
        gate.Set();
        await first;
        InvalidDataException failure = await Assert.ThrowsAsync<InvalidDataException>(() => Task.WhenAll(writes));
        Assert.Equal("seven", failure.Message);
        Assert.Equal(1, writes.Count(write => write.IsFaulted));
        Assert.Equal(20, Count());
        Assert.False(Has(7));
    }

    [Fact]
    public async Task A_command_that_throws_when_it_learns_of_its_commit_is_durable_and_holds_up_no_other()
    {
        const int Writers = 16;
        WriteTransaction held = _environment.BeginWrite();
        int queued = 0;
        Task[] writers = [.. Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            ValueTask write = _merger.Enqueue(new Put(writer)
            {
                After = () => throw new InvalidDataException("after"),
            });
            Interlocked.Increment(ref queued);
            await write;
        }))];
        Deadline.Until(() => Volatile.Read(ref queued) == Writers - 1);
        held.Dispose();
        await Task.WhenAll(writers).WaitAsync(Deadline.Hang);
        Assert.Equal(Writers, Count());
        Assert.Null(_environment.Fault);
        lock (_events)
        {
            Assert.Equal(Writers, _events.Count(
                each => each.IsWarning && each.Message.Contains("after", StringComparison.Ordinal)));
        }
    }

    [Fact]
    [Trait("Invariant", "MERGE-4")]
    [Trait("Invariant", "RESUME-1")]
    public async Task Awaiting_writers_are_resumed_on_the_thread_pool_and_not_on_the_thread_that_commits()
    {
        using var gate = new ManualResetEventSlim();
        Thread leader = Lead(_merger, gate);
        Task<(int Thread, bool IsPool)>[] writes = [.. Enumerable.Range(1, 50).Select(WriteAndTellAsync)];
        gate.Set();
        Assert.All(await Task.WhenAll(writes), entry => Assert.True(
            entry.IsPool && entry.Thread != leader.ManagedThreadId, "A continuation ran on the thread that commits."));
        leader.Join();
    }

    [Fact]
    [Trait("Invariant", "RESUME-2")]
    [Trait("Invariant", "RESUME-3")]
    public async Task A_writer_that_blocks_its_thread_when_it_is_resumed_holds_up_no_other()
    {
        const int Writers = 8;
        WriteTransaction held = _environment.BeginWrite();
        int queued = 0;
        int blocked = 0;
        using var all = new ManualResetEventSlim();
        Task[] writers = [.. Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            ValueTask write = _merger.Enqueue(new Put(writer));
            Interlocked.Increment(ref queued);
            await write;

            // No writer continues before all were woken, and then each blocks for a write of its own.
            if (Interlocked.Increment(ref blocked) == Writers)
            {
                all.Set();
            }

            all.Wait();
            _merger.Enqueue(new Put(Writers + writer)).AsTask().Wait();
        }))];
        Deadline.Until(() => Volatile.Read(ref queued) == Writers - 1);
        held.Dispose();
        await Task.WhenAll(writers).WaitAsync(Deadline.Hang);
        Assert.Equal(2 * Writers, Count());
    }

    [Fact]
    public async Task Groups_are_counted_by_their_size_and_writes_by_their_time()
    {
        const int Writes = 64;
        using var gate = new ManualResetEventSlim();

        // So large that there is no room for others in its group.
        Thread leader = Lead(_merger, gate, sizeInBytes: 17 << 20);
        Task[] more = [.. Enumerable.Range(1, Writes).Select(i => _merger.Enqueue(new Put(i)).AsTask())];
        gate.Set();
        await Task.WhenAll(more);
        leader.Join();
        Assert.Equal(Writes + 1, Count());
        IReadOnlyList<long> sizes = _merger.Statistics.GroupsBySize;
        Assert.Equal((1, 1, 2), (sizes[0], sizes[6], sizes.Sum()));
        Assert.Equal(Writes + 1, _merger.Statistics.Latency.Count);
    }

    [Theory]
    [Trait("Invariant", "MERGE-4")]
    [Trait("Invariant", "COMMIT-1")]
    [Trait("Invariant", "COMMIT-3")]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_outcome_of_a_command_is_reported_once_all_that_it_read_is_durable(bool fails)
    {
        using var disk = new SimulatedFileSystem();
        using var slow = new GatedFileSystem(disk) { GatesJournals = true };
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions { FileSystem = slow });
        using var merger = new TransactionMerger(environment);
        slow.Gate.Reset();
        Task first = Task.Run(() => merger.Execute(new Put(1)));
        Assert.True(slow.IsWaiting.Wait(Deadline.Hang));

        // Both see what is not durable yet; as one of them throws they are done one by one, behind each other.
        var seen = new ConcurrentQueue<bool>();
        Task[] later =
        [
            Task.Run(() => merger.Execute(new Look(seen, throws: true))),
            Task.Run(() => merger.Execute(new Look(seen, throws: false))),
        ];
        Deadline.Until(() => !seen.IsEmpty);
        await Deadline.GraceAsync();
        Assert.DoesNotContain(later, task => task.IsCompleted);
        Assert.All(seen, Assert.True);
        slow.FailsFirst = fails;
        slow.Gate.Set();
        if (!fails)
        {
            await first;
            await Assert.ThrowsAsync<InvalidDataException>(() => later[0]);
            await later[1];
            return;
        }

        await Assert.ThrowsAnyAsync<Exception>(() => first);
        await Assert.ThrowsAsync<StoragePoisonedException>(() => later[0]);
        await Assert.ThrowsAsync<StoragePoisonedException>(() => later[1]);
    }

    [Fact]
    [Trait("Invariant", "ROOM-1")]
    [Trait("Invariant", "ROOM-3")]
    public async Task Queued_bytes_are_bounded_and_every_writer_that_waits_is_served()
    {
        const int Writes = 50;
        using var merger = new TransactionMerger(_environment, BackgroundThreads.Writers, queuedBytesMax: 1000);
        using var gate = new ManualResetEventSlim();
        Thread leader = Lead(merger, gate);
        Task[] writes = [.. Enumerable.Range(1, Writes)
            .Select(i => merger.Enqueue(new Put(i) { SizeInBytes = 400 }).AsTask())];
        gate.Set();
        await Task.WhenAll(writes);
        leader.Join();
        Assert.Equal(Writes + 1, Count());

        // Two of 400 bytes are all that has room; without the bound the 50 that wait would be one group.
        Assert.True(merger.Statistics.Groups >= Writes / 2, $"{merger.Statistics.Groups} groups");
    }

    [Fact]
    [Trait("Invariant", "MERGE-1")]
    public async Task Writers_are_served_in_the_order_of_their_arrival()
    {
        using var gate = new ManualResetEventSlim();
        Thread leader = Lead(_merger, gate);
        List<int> served = [];
        Task[] writes = [.. Enumerable.Range(1, 100).Select(i => _merger.Enqueue(
            new Put(i) { Before = () => served.Add(i) }).AsTask())];
        gate.Set();
        await Task.WhenAll(writes);
        leader.Join();
        Assert.Equal(Enumerable.Range(1, 100), served);
    }

    [Fact]
    [Trait("Invariant", "MERGE-3")]
    [Trait("Invariant", "COMMIT-1")]
    public async Task The_next_transaction_is_built_while_the_journal_writes_the_one_before()
    {
        using var disk = new SimulatedFileSystem();
        using var slow = new GatedFileSystem(disk) { GatesJournals = true };
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions { FileSystem = slow });
        using var merger = new TransactionMerger(environment);
        slow.Gate.Reset();
        Task first = Task.Run(() => merger.Execute(new Put(1)));
        Assert.True(slow.IsWaiting.Wait(Deadline.Hang));
        using var executed = new ManualResetEventSlim();
        Task second = Task.Run(() => merger.Execute(new Put(2) { Before = executed.Set }));
        Assert.True(executed.Wait(Deadline.Hang), "The second waited for the first one's write.");
        Assert.False(first.IsCompleted || second.IsCompleted);
        using (ReadTransaction reader = environment.BeginRead())
        {
            Assert.Null(reader.TryOpenTree("t"u8));
        }

        slow.Gate.Set();
        await Task.WhenAll(first, second);
    }

    [Fact]
    public void A_writer_that_commits_on_its_own_thread_allocates_nothing()
    {
        var put = new Put(1);
        for (int i = 0; i < 200; i++)
        {
            _merger.Execute(put);
        }

        // A commit allocates nothing. Rare steps (a journal file, a larger table) do, so the best of some runs counts.
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 10; i++)
            {
                _merger.Execute(put);
            }
        }));
    }

    /// <summary>A thread that leads, and stands in its command until the gate opens.</summary>
    private static Thread Lead(TransactionMerger merger, ManualResetEventSlim gate, long sizeInBytes = 400)
    {
        using var begun = new ManualResetEventSlim();
        var put = new Put(0)
        {
            SizeInBytes = sizeInBytes,
            Before = () =>
            {
                begun.Set();
                gate.Wait();
            },
        };
        var leader = new Thread(() => merger.Execute(put));
        leader.Start();
        Assert.True(begun.Wait(Deadline.Hang));
        return leader;
    }

    /// <summary>Writes, and returns the thread on which it continues; not on that of a test.</summary>
    private async Task<(int Thread, bool IsPool)> WriteAndTellAsync(int key)
    {
        await _merger.Enqueue(new Put(key)).ConfigureAwait(false);
        return (Environment.CurrentManagedThreadId, Thread.CurrentThread.IsThreadPoolThread);
    }

    private void Note(StorageEvent happened)
    {
        lock (_events)
        {
            _events.Add(happened);
        }
    }

    private bool Has(int key)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, key);
        using ReadTransaction reader = _environment.BeginRead();
        return reader.TryOpenTree("t"u8)?.Contains(bytes) == true;
    }

    private long Count()
    {
        using ReadTransaction reader = _environment.BeginRead();
        return reader.TryOpenTree("t"u8)!.Count;
    }

    private sealed class Put(int key) : IWriteCommand
    {
        public int Key { get; } = key;

        public Action? Before { get; init; }

        public Action? After { get; init; }

        public int ExecutedOn { get; private set; }

        public long CommittedIn { get; private set; }

        public long SizeInBytes { get; init; } = 4;

        public void Execute(WriteTransaction transaction)
        {
            ExecutedOn = Environment.CurrentManagedThreadId;
            Span<byte> bytes = stackalloc byte[4];
            BinaryPrimitives.WriteInt32BigEndian(bytes, Key);
            transaction.OpenOrCreateTree("t"u8).Put(bytes, bytes);
            Before?.Invoke();
        }

        public void Committed(long transactionId)
        {
            CommittedIn = transactionId;
            After?.Invoke();
        }
    }

    /// <summary>Changes nothing, and reports what it saw.</summary>
    private sealed class Look(ConcurrentQueue<bool> seen, bool throws) : IWriteCommand
    {
        public void Execute(WriteTransaction transaction)
        {
            Span<byte> key = stackalloc byte[4];
            BinaryPrimitives.WriteInt32BigEndian(key, 1);
            seen.Enqueue(transaction.TryOpenTree("t"u8) is { } tree && tree.Contains(key));
            if (throws)
            {
                throw new InvalidDataException("refused");
            }
        }
    }
}
