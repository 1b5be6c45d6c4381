using System.Text;
using FastTests.Documents;
using FastTests.Support;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>A flush that is due waits while writers keep committing: within its limits, and no longer.</summary>
public sealed class FlushDeferralTests : IDisposable
{
    private const int Due = 64 << 10;
    private const int Limit = 16 * Due;
    private const int ValueLength = 8_000;

    private readonly SimulatedFileSystem _disk = new();
    private readonly ManualScheduler _scheduler = new();
    private readonly TestClock _clock = new();

    [Fact]
    public void A_flush_that_is_due_is_put_off_while_writers_commit_and_begins_at_the_limit()
    {
        using StorageEnvironment environment = Open(Limit);
        int next = FillUntilDue(environment);
        while (environment.CommitState.BytesSinceBoundary < Limit / 2)
        {
            Put(environment, next++);
            Pass();
            Assert.Equal(0, environment.GetStatistics().Flushes);
        }

        while (environment.CommitState.BytesSinceBoundary < Limit && environment.Flusher.IsIdle)
        {
            Assert.True(next < Limit / Due * 1_000);
            Put(environment, next++);
        }

        _scheduler.RunAll();
        Assert.Equal(1, environment.GetStatistics().Flushes);
        Assert.True(environment.CommitState.BytesSinceBoundary < Due);

        // The watch that is still on finds nothing due: what came after the boundary waits for more.
        Pass();
        Pass();
        Assert.Equal(1, environment.GetStatistics().Flushes);
    }

    [Fact]
    public void A_flush_that_was_put_off_begins_when_writers_pause()
    {
        using StorageEnvironment environment = Open(Limit);
        int commits = FillUntilDue(environment);
        Pass();
        Assert.Equal(1, environment.GetStatistics().Flushes);

        // And the next one so too.
        Put(environment, commits++);
        Assert.True(environment.CommitState.BytesSinceBoundary < Due);
        FillUntilDue(environment, commits);
        Pass();
        Assert.Equal(2, environment.GetStatistics().Flushes);
    }

    [Fact]
    public void A_flush_that_is_under_way_at_the_pause_is_followed_by_the_one_that_is_due()
    {
        using StorageEnvironment environment = Open(Limit);
        ReadTransaction reader = environment.BeginRead();
        int commits = FillUntilDue(environment);
        Pass();
        Assert.Equal(0, environment.GetStatistics().Flushes);
        FillUntilDue(environment, commits);
        Pass();
        reader.Dispose();
        _scheduler.RunAll();
        Assert.Equal(1, environment.GetStatistics().Flushes);
        Pass();
        Assert.Equal(2, environment.GetStatistics().Flushes);
    }

    [Fact]
    public void An_open_write_transaction_is_no_pause_however_long_it_takes()
    {
        using StorageEnvironment environment = Open(Limit);
        FillUntilDue(environment);
        using (environment.BeginWrite())
        {
            Pass();
            Pass();
        }

        _scheduler.RunAll();
        Assert.Equal(0, environment.GetStatistics().Flushes);
        Pass();
        Assert.Equal(1, environment.GetStatistics().Flushes);
    }

    [Fact]
    public void A_flush_begins_when_it_is_due_without_the_option_to_defer_it()
    {
        using StorageEnvironment environment = Open(limit: 0);
        FillUntilDue(environment);
        _scheduler.RunAll();
        Assert.Equal(1, environment.GetStatistics().Flushes);
    }

    [Fact]
    public void The_bound_on_scratch_memory_begins_a_flush_before_the_limit()
    {
        var budget = new ScratchBudget(16 << 20);
        using StorageEnvironment environment = Open(64 << 20, budget);
        for (int i = 0; i < 2_000 && environment.GetStatistics().Flushes == 0; i++)
        {
            Put(environment, i);
            _scheduler.RunAll();
        }

        Assert.Equal(1, environment.GetStatistics().Flushes);
        Assert.True(environment.GetStatistics().Scratch.UsedBytes <= budget.SizeBytesMax);
    }

    [Fact]
    public void A_timer_that_fires_after_the_close_does_nothing()
    {
        StorageEnvironment environment = Open(Limit);
        FillUntilDue(environment);
        environment.Dispose();
        int scheduled = _scheduler.Count;
        _clock.Ring(FlushDeferral.Pause);
        Assert.Equal(scheduled, _scheduler.Count);
    }

    [Fact]
    public void A_timer_that_cannot_be_created_holds_up_no_commit()
    {
        var clock = new RefusingClock();
        using StorageEnvironment environment = Open(Limit, clock: clock);
        int next = FillUntilDue(environment);
        Assert.Equal(1, clock.Refusals);
        Put(environment, next);
        Assert.Equal(next + 1, environment.LastTransactionId);

        // The next commit asked again, and was given one.
        clock.Given!();
        _scheduler.RunAll();
        clock.Given!();
        _scheduler.RunAll();
        Assert.Equal(1, environment.GetStatistics().Flushes);
    }

    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void An_environment_that_takes_no_more_writes_sets_no_timer()
    {
        using var gone = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(Limit, disk: gone);
        int next = FillUntilDue(environment);
        gone.Fault = new DiskFault(DiskFaultKind.InputOutputError, gone.CallCount, IsSticky: true);
        Assert.ThrowsAny<IOException>(() => Put(environment, next));
        Assert.NotNull(environment.Fault);
        Assert.True(
            environment.LastTransactionId < environment.CommitState.Last.TransactionId,
            "The commit that failed is not among those that readers see.");
        int changes = _clock.Changes;
        Assert.True(changes > 0);
        _clock.Ring(FlushDeferral.Pause);
        Assert.Equal(changes, _clock.Changes);
    }

    [Fact]
    public void A_limit_above_the_bound_of_the_backlog_is_refused()
    {
        var options = new StorageOptions { FileSystem = _disk, FlushDeferredBytesMax = 2L << 30 };
        Assert.Throws<ArgumentException>(() => StorageEnvironment.Open(options));
    }

    public void Dispose() => _disk.Dispose();

    /// <summary>The time of a pause passes, and what it started is done.</summary>
    private void Pass()
    {
        _clock.Ring(FlushDeferral.Pause);
        _scheduler.RunAll();
    }

    /// <returns>The number of the next key.</returns>
    private int FillUntilDue(StorageEnvironment environment, int first = 0)
    {
        int next = first;
        while (environment.CommitState.BytesSinceBoundary < Due)
        {
            Put(environment, next++);
        }

        return next;
    }

    private StorageEnvironment Open(
        long limit, ScratchBudget? budget = null, TimeProvider? clock = null, SimulatedFileSystem? disk = null) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk ?? _disk,
            Scheduler = _scheduler,
            Clock = clock ?? _clock,
            JournalCompression = JournalCompression.Never,
            FlushAfterBytes = Due,
            FlushDeferredBytesMax = limit,
            ScratchBudget = budget ?? ScratchBudget.Shared,
        });

    private static void Put(StorageEnvironment environment, int key)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree("t"u8).Put(Encoding.ASCII.GetBytes($"k{key:D6}"), new byte[ValueLength]);
        transaction.Commit();
    }

    /// <summary>At first there is no memory for a timer.</summary>
    private sealed class RefusingClock : TimeProvider
    {
        private readonly TestClock _timers = new();

        internal int Refusals { get; private set; }

        internal Action? Given { get; private set; }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            if (Refusals == 0)
            {
                Refusals++;
                throw new InsufficientMemoryException("planted");
            }

            Given = () => callback(state);
            return _timers.CreateTimer(callback, state, dueTime, period);
        }
    }
}
