using System.Text;
using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.GroupCommit;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Replication;

/// <summary>A gate decides when commits are published; nothing of them is seen or told before.</summary>
public sealed class CommitGateTests : IDisposable
{
    private readonly SimulatedFileSystem _disk = new();
    private readonly ManualScheduler _leads = new();
    private readonly ManualScheduler _background = new();
    private readonly RecordingGate _gate = new() { Parks = true };
    private readonly List<string> _told = [];
    private StorageEnvironment _environment;
    private TransactionMerger _merger;

    public CommitGateTests()
    {
        _environment = StorageEnvironment.Open(Options());
        _gate.Attach(_environment);
        _merger = new TransactionMerger(_environment, _leads, 64 << 20);
    }

    public void Dispose()
    {
        _merger.Dispose();
        _environment.Dispose();
        _disk.Dispose();
    }

    [Fact]
    [Trait("Invariant", "PARK-1")]
    [Trait("Invariant", "MERGE-4")]
    public async Task A_parked_commit_is_seen_told_and_flushed_only_when_it_is_settled()
    {
        Task write = Write("a");
        Assert.Equal(["take 1", "written 1"], _gate.Calls);
        Assert.False(write.IsCompleted);
        Assert.Empty(_told);
        Assert.Equal(0, _environment.LastTransactionId);
        Assert.Equal((0, 1), (_environment.Log.TransactionId, _environment.LogDurable.TransactionId));
        Assert.False(Has("a"));
        Assert.False(_environment.Flusher.TryApply(1));
        Assert.Equal(0, _environment.GetStatistics().AppliedTransactionId);
        Assert.False(_environment.SettleCommit(2));
        Assert.False(_environment.LoseCommit(2, new IOException()));

        Assert.True(_environment.SettleCommit(1));
        await write;
        Assert.Equal(["a in 1"], _told);
        Assert.True(Has("a"));
        Assert.Equal(_gate.Records[0].Position, _environment.Log);
        Assert.True(_environment.Flush());
        Assert.False(_environment.SettleCommit(1));
    }

    [Fact]
    [Trait("Invariant", "PARK-2")]
    [Trait("Invariant", "MERGE-3")]
    public async Task Writers_that_come_while_a_commit_is_parked_are_the_next_one_in_their_order()
    {
        List<Task> writes = [Write("a"), Write("b"), Write("c"), Write("d")];
        _leads.RunAll();
        Assert.Equal(["take 1", "written 1"], _gate.Calls);
        Assert.True(_environment.SettleCommit(1));
        Assert.Single(_gate.Records);
        await writes[0];
        _leads.RunAll();
        Assert.Equal(["take 1", "written 1", "take 2", "written 2"], _gate.Calls);
        Assert.DoesNotContain(writes.Skip(1), write => write.IsCompleted);
        Assert.True(_environment.SettleCommit(2));
        await Task.WhenAll(writes);
        Assert.Equal(["a in 1", "b in 2", "c in 2", "d in 2"], _told);
        Assert.Equal(2, _merger.Statistics.Groups);
        Assert.Equal(0, _leads.Count);
    }

    [Fact]
    [Trait("Invariant", "PARK-1")]
    [Trait("Invariant", "MERGE-4")]
    public async Task A_command_that_throws_is_refused_alone_and_those_beside_it_are_parked_one_by_one()
    {
        Task first = Write("a");
        Task[] writes = [Write("b"), Write("!no"), Write("c")];
        Assert.True(_environment.SettleCommit(1));
        _leads.RunAll();
        Task later = Write("d");
        Assert.Equal("written 2", _gate.Calls[^1]);
        Assert.DoesNotContain(writes, write => write.IsCompleted);
        Assert.True(_environment.SettleCommit(2));
        _leads.RunAll();
        await Assert.ThrowsAsync<ArgumentException>(() => writes[1]);
        while (_leads.Count > 0)
        {
            _leads.RunAll();
        }

        Assert.Equal("written 3", _gate.Calls[^1]);
        Assert.True(_environment.SettleCommit(3));
        _leads.RunAll();
        Assert.True(_environment.SettleCommit(4));
        await Task.WhenAll(first, writes[0], writes[2], later);
        Assert.Equal(["a in 1", "b in 2", "c in 3", "d in 4"], _told);
    }

    [Fact]
    [Trait("Invariant", "PARK-3")]
    public async Task A_lost_commit_is_neither_failed_nor_acknowledged_and_is_there_after_an_open()
    {
        Task write = Write("a");
        Task behind = Write("b");
        Assert.True(_environment.LoseCommit(1, new IOException("another node is the primary")));
        StoragePoisonedException lost = await Assert.ThrowsAsync<StoragePoisonedException>(() => write);
        Assert.Contains("neither failed nor acknowledged", lost.Message, StringComparison.Ordinal);
        Assert.Contains("another node is the primary", lost.Message, StringComparison.Ordinal);
        Assert.Equal(1, Assert.IsType<CommitInDoubtException>(_environment.Fault).TransactionId);
        _leads.RunAll();
        await Assert.ThrowsAsync<StoragePoisonedException>(() => behind);
        Assert.False(Has("a"));
        Assert.Empty(_told);
        Assert.Single(_gate.Records);
        Reopen();
        Assert.True(Has("a"));
        Assert.Equal(_gate.Records[0].Position, _environment.Log);
    }

    [Fact]
    [Trait("Invariant", "PARK-3")]
    public async Task A_close_loses_what_is_parked_and_waits_for_nobody()
    {
        Task write = Write("a");
        Task behind = Write("b");
        Task close = Task.Run(() =>
        {
            _merger.Dispose();
            _environment.Dispose();
        });
        await Deadline.UntilAsync(() =>
        {
            _leads.RunAll();
            return close.IsCompleted;
        });
        await close;
        await Assert.ThrowsAsync<StoragePoisonedException>(() => write);
        await Assert.ThrowsAsync<StoragePoisonedException>(() => behind);
        Reopen();
        Assert.True(Has("a"));
        Assert.False(Has("b"));
    }

    [Fact]
    [Trait("Invariant", "PARK-3")]
    public async Task A_writer_that_blocks_until_its_commit_is_settled_is_let_go_by_the_close()
    {
        Task commit = Task.Run(() => Commit("a"));
        await Deadline.UntilAsync(() => _environment.LogDurable.TransactionId == 1);
        Assert.False(commit.IsCompleted);
        Assert.True(_environment.SettleCommit(1));
        await commit;
        Task next = Task.Run(() => Commit("b"));
        Task third = Task.Run(() => Commit("c"));
        await Deadline.UntilAsync(() => _environment.LogDurable.TransactionId == 2);
        _environment.Dispose();
        Exception?[] thrown = [await Record.ExceptionAsync(() => next), await Record.ExceptionAsync(() => third)];
        Assert.DoesNotContain(null, thrown);
        Assert.Contains(thrown, each => each is StoragePoisonedException);
    }

    [Fact]
    [Trait("Invariant", "PARK-4")]
    public async Task What_a_gate_refuses_changes_nothing_and_the_next_commit_goes_on()
    {
        int before = _disk.Log.Count;
        _gate.Refusal = new IOException("not the primary");
        Assert.Equal("not the primary", (await Assert.ThrowsAsync<IOException>(() => Write("a"))).Message);
        Assert.Equal("not the primary", Assert.Throws<IOException>(() => Commit("b")).Message);
        Assert.Equal(before, _disk.Log.Count);
        Assert.Empty(_gate.Calls);
        Assert.Null(_environment.Fault);
        _gate.Refusal = null;
        Task write = Write("c");
        Assert.True(_environment.SettleCommit(1));
        await write;
        Assert.Equal((false, false, true), (Has("a"), Has("b"), Has("c")));
    }

    [Fact]
    [Trait("Invariant", "COMMIT-3")]
    [Trait("Invariant", "PARK-3")]
    public async Task A_journal_that_fails_is_told_to_the_gate_and_nothing_is_parked()
    {
        Task write = Write("a");
        Assert.True(_environment.SettleCommit(1));
        await write;
        _disk.Fault = new DiskFault(DiskFaultKind.InputOutputError, _disk.CallCount, IsSticky: true);

        // Others may have the record, and make it committed: it has not failed.
        StoragePoisonedException doubt = await Assert.ThrowsAsync<StoragePoisonedException>(() => Write("b"));
        Assert.IsType<StorageIOException>(Assert.IsType<CommitInDoubtException>(doubt.InnerException).InnerException);
        Assert.Equal(["take 2", "failed 2: StorageIOException"], _gate.Calls.Skip(2));
        Assert.False(_environment.SettleCommit(2));
        _disk.Fault = null;
    }

    [Fact]
    [Trait("Invariant", "PARK-5")]
    public async Task What_comes_behind_a_lost_commit_is_refused_by_the_gate_and_not_in_doubt()
    {
        Task write = Write("a");
        Task behind = Write("b");
        _gate.Refusal = new IOException("not the primary");
        Assert.True(_environment.LoseCommit(1, new IOException("another node is the primary")));
        Assert.IsType<CommitInDoubtException>(
            (await Assert.ThrowsAsync<StoragePoisonedException>(() => write)).InnerException);
        _leads.RunAll();
        Assert.Equal("not the primary", (await Assert.ThrowsAsync<IOException>(() => behind)).Message);
        Assert.Equal("not the primary", (await Assert.ThrowsAsync<IOException>(() => Write("c"))).Message);
        Assert.Equal("not the primary", Assert.Throws<IOException>(() => Commit("d")).Message);
        Assert.Single(_gate.Records);
    }

    [Fact]
    [Trait("Invariant", "LOG-2")]
    public void The_log_begins_with_the_first_commit_of_a_gate_and_goes_on_without_one()
    {
        _gate.Parks = false;
        Reopen();
        Commit("a");
        Commit("b");
        Assert.Equal(new LogPosition(2, 0, 0), _environment.Log);
        _gate.Epoch = 7;
        _gate.Attach(_environment);
        Commit("c");
        Assert.True(LogRecord.TryReadPosition(_gate.Records[0].Bytes, out LogPosition first, out ulong previous));
        Assert.Equal((0UL, _environment.Log), (previous, first));
        Assert.Equal((3, 7), (first.TransactionId, first.Epoch));
        Reopen();
        Assert.Equal(first, _environment.Log);
        Commit("d");
        LogPosition second = _environment.Log;
        Assert.Equal((4, 7), (second.TransactionId, second.Epoch));
        Assert.DoesNotContain(second.LogHash, new[] { 0UL, first.LogHash });
        Reopen();
        Assert.Equal(second, _environment.Log);
    }

    [Fact]
    public void A_gate_is_attached_once_and_to_a_durable_environment()
    {
        Assert.Throws<InvalidOperationException>(() => new RecordingGate().Attach(_environment));
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment lazy = StorageEnvironment.Open(
            Options() with { FileSystem = disk, Durability = StorageDurability.Lazy });
        Assert.Throws<InvalidOperationException>(() => new RecordingGate().Attach(lazy));
    }

    /// <summary>Threads on both sides: a gate that settles at once, and one that others settle later.</summary>
    [Theory]
    [Trait("Invariant", "PARK-2")]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Many_writers_on_threads_are_all_told_after_their_commit_is_seen(bool parks)
    {
        string folder = Path.Combine(Path.GetTempPath(), "raven-gate-" + Guid.NewGuid().ToString("N")[..12]);
        try
        {
            using StorageEnvironment environment = StorageEnvironment.Open(
                new StorageOptions { FileSystem = new RealFileSystem(folder) });
            using var merger = new TransactionMerger(environment);
            environment.AttachGate(new LaterGate(environment, parks));
            var blocking = new Thread(() =>
            {
                for (int i = 0; i < 6; i++)
                {
                    merger.Execute(new Put($"blocking/{i}", this));
                }
            });
            blocking.Start();
            await Task.WhenAll(Enumerable.Range(0, 8).Select(writer => Task.Run(async () =>
            {
                for (int i = 0; i < 10; i++)
                {
                    var put = new Put($"{writer}/{i}", this) { Throws = i % 5 == 4 };
                    Exception? thrown = await Record.ExceptionAsync(async () => await merger.Enqueue(put));
                    Assert.Equal(put.Throws, thrown is ArgumentException);
                    Assert.True(put.Throws || put.CommittedIn <= environment.LastTransactionId);
                }
            })));
            await Deadline.UntilAsync(() => !blocking.IsAlive);
            using ReadTransaction reader = environment.BeginRead();
            Assert.Equal((8 * 8) + 6, reader.TryOpenTree("t")!.Count);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private StorageOptions Options() => new()
    {
        FileSystem = _disk,
        Clock = _disk.Clock,
        Scheduler = _background,
        NewEnvironmentId = 0x5EED,
    };

    private void Reopen()
    {
        _merger.Dispose();
        _environment.Dispose();
        _environment = StorageEnvironment.Open(Options());
        _merger = new TransactionMerger(_environment, _leads, 64 << 20);
    }

    private Task Write(string key) => _merger.Enqueue(new Put(key, this) { Throws = key[0] == '!' }).AsTask();

    private void Commit(string key)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put(Encoding.ASCII.GetBytes(key), new byte[100]);
        transaction.Commit();
    }

    private bool Has(string key)
    {
        using ReadTransaction reader = _environment.BeginRead();
        return reader.TryOpenTree("t"u8)?.TryGet(Encoding.ASCII.GetBytes(key), out _) == true;
    }

    private sealed class Put(string key, CommitGateTests test) : IWriteCommand
    {
        internal bool Throws { get; init; }

        internal long CommittedIn { get; private set; }

        public void Execute(WriteTransaction transaction)
        {
            if (Throws)
            {
                throw new ArgumentException("It is refused.");
            }

            transaction.OpenOrCreateTree("t"u8).Put(Encoding.ASCII.GetBytes(key), new byte[100]);
        }

        public void Committed(long transactionId)
        {
            CommittedIn = transactionId;
            lock (test._told)
            {
                test._told.Add($"{key} in {transactionId}");
            }
        }
    }

    /// <summary>Settles on this thread, or on another one.</summary>
    private sealed class LaterGate(StorageEnvironment environment, bool isLater) : ICommitGate
    {
        public long Enter(long transactionId) => 1;

        public void Take(in CommitShipment shipment)
        {
        }

        public void Written(long transactionId)
        {
            if (isLater)
            {
                new Thread(() => environment.SettleCommit(transactionId)).Start();
            }
            else
            {
                environment.SettleCommit(transactionId);
            }
        }

        public void Failed(long transactionId, Exception failure)
        {
        }
    }
}
