using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Storage.GroupCommit;

// MERGE-1  Writes wait in a stack that any thread pushes to and that the leader takes whole and reverses: first come,
//          first served. There is one leader at a time. If too many bytes wait, further writes wait for room before
//          they are pushed, in the same order (CommitQueue).
// MERGE-2  A writer that finds no leader becomes the leader and commits on its own thread. The leader continues to take
//          writes into its transaction while the record of the transaction before is written to the journal.
// MERGE-3  The leader hands leadership over before its own journal write, so that the next transaction is built
//          during the write. With a gate (PARK-1) the leadership is parked with the group instead, and goes to whoever
//          settles it: all writers that arrive meanwhile are the next group, and no thread waits for the gate.
// MERGE-4  A write is complete when its transaction is durable and published. A command's result, or the exception
//          with which it refused, is reported once every commit that the command may have read is durable. No writer's
//          code runs on the leader's thread (WriterResumption).

/// <summary>Group commit: lets all waiting writers share one transaction and one journal write.</summary>
public sealed class TransactionMerger : IDisposable
{
    internal const int GroupCountMax = 8192;

    private const long GroupBytesMax = 16L << 20;

    // If a leader has fewer than half as many writes as the last group had, it yields its core up to four times, for at
    // most a tenth of a millisecond, before it writes to the journal: the writers of that group are expected to return
    // with their next writes, and a journal write for one costs as much as one for many.
    private const int GatherYieldsMax = 4;

    private static readonly long GatherTicksMax = Stopwatch.Frequency / 10_000;

    private readonly StorageEnvironment _environment;
    private readonly CommitProtocol _commits;
    private readonly IBackgroundScheduler _scheduler;
    private readonly CommitQueue _queue;
    private readonly Action _lead;
    private readonly WriterResumption _resumption;
    private readonly WriterSignals _signals = new();
    private readonly ParkedGroup _parked;
    private readonly PendingWritePool _pool = new();
    private PendingWrite? _waiting;
    private SingleWrites _singles;
    private int _hasLeader;
    private int _lastCount;
    private volatile bool _isClosed;

    /// <summary>
    /// Makes a merger with default bounds. All writes to an environment must go through the same merger.
    /// </summary>
    public TransactionMerger(StorageEnvironment environment)
        : this(environment, BackgroundThreads.Writers, 64L << 20)
    {
    }

    /// <summary>Makes a merger with other bounds.</summary>
    /// <param name="environment">The environment that is written to.</param>
    /// <param name="scheduler">Runs the leader if no writer leads; it may block in a journal write.</param>
    /// <param name="queuedBytesMax">The most bytes in queued commands: further writers wait for room, first come, first
    /// served. A command that is larger is queued when no other is.</param>
    public TransactionMerger(StorageEnvironment environment, IBackgroundScheduler scheduler, long queuedBytesMax)
    {
        ArgumentNullException.ThrowIfNull(environment);
        ArgumentNullException.ThrowIfNull(scheduler);
        _environment = environment;
        _commits = environment.Commits;
        _scheduler = scheduler;
        _queue = new CommitQueue(queuedBytesMax);
        _lead = () => Lead(own: null);
        _resumption = new WriterResumption(_lead);
        _parked = new ParkedGroup(this, _commits);
    }

    /// <summary>How many commits were made, and how many writes they had.</summary>
    public MergerStatistics Statistics { get; } = new();

    /// <summary>The bytes of the commands that are queued and not complete.</summary>
    internal long QueuedBytes => _queue.Bytes;

    /// <summary>The writers that wait until their bytes have room in the queue.</summary>
    internal int WaitingForRoom => _queue.WaitingCount;

    /// <summary>
    /// Writes, and completes when the write is durable; with the command's own exception if it threw.
    /// </summary>
    public ValueTask Enqueue(IWriteCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        ObjectDisposedException.ThrowIf(_isClosed, this);
        PendingWrite write = _pool.Rent(command, signals: null);
        ValueTask task = write.Task;
        Add(write);
        return task;
    }

    /// <summary>Writes, and returns when the write is durable. Blocks the thread.</summary>
    public void Execute(IWriteCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        ObjectDisposedException.ThrowIf(_isClosed, this);
        PendingWrite write = _pool.Rent(command, _signals);
        Add(write);
        Exception? failure = write.Wait();
        write.Reset();
        _pool.Return(write);
        if (failure is not null)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
    }

    /// <summary>Refuses new writes and those that wait for room; queued ones are still written. With a gate, a group
    /// that is parked is lost, and what is queued behind it is refused: this waits for no other node.</summary>
    public void Dispose()
    {
        _isClosed = true;
        End(_queue.Close(), own: null, new ObjectDisposedException(GetType().FullName));

        // The queue is checked first: a leader that has taken a write out of it stays leader until the commit of that
        // write is prepared, so that no write is missed between the two checks.
        var wait = new SpinWait();
        while (!_queue.IsEmpty || Volatile.Read(ref _hasLeader) != 0)
        {
            _commits.LoseParked(closes: false);
            wait.SpinOnce();
        }
    }

    /// <summary>
    /// Queues a write, or makes it wait for room, and leads if there is something to lead and no leader.
    /// </summary>
    private void Add(PendingWrite write)
    {
        if (_queue.Add(write)
            && Interlocked.CompareExchange(ref _hasLeader, 1, 0) == 0
            && (write.IsBlocking || !_resumption.TryDeferLeadership()))
        {
            Lead(write);
        }
    }

    /// <summary>Commits groups until another thread is the leader, or no write waits.</summary>
    /// <param name="own">The write of this thread, which reads its outcome when this returns.</param>
    private void Lead(PendingWrite? own)
    {
        while (!TryLeadOnce(own))
        {
        }
    }

    /// <summary>Runs one shared transaction, from taking its writes to reporting their outcome.</summary>
    /// <returns>False if leadership could not be handed over: this thread is still the leader.</returns>
    private bool TryLeadOnce(PendingWrite? own)
    {
        DrainQueue();
        if (_commits.HasGate)
        {
            return TryLeadGated(own);
        }

        if (_waiting is null)
        {
            return TryHandOverLeadership();
        }

        var group = new WriteGroup();
        bool isPrepared = false;
        PreparedCommit commit = default;
        Exception? failure = null;
        long transactionId = 0;
        try
        {
            isPrepared = TryBuild(ref group, out commit, out transactionId);
        }
        catch (Exception thrown)
        {
            failure = thrown;
        }

        if (failure is not null && (group.FailedInCommand || MayFitSingly(group, failure)))
        {
            // The commands succeed or fail one by one. This thread stays leader meanwhile, so that they stay in order.
            RunSingly(group, own);
            return TryHandOverLeadership();
        }

        bool isLeadershipHandedOver = TryHandOverLeadership();
        try
        {
            if (isPrepared)
            {
                _commits.Finish(commit);
            }
        }
        catch (Exception thrown)
        {
            failure = thrown;
        }

        bool admits = Complete(group, own, failure, transactionId);
        return isLeadershipHandedOver && (!admits || TryFindLeader());
    }

    /// <summary>Runs one shared transaction, or one command alone, up to where it is parked (PARK-1).</summary>
    /// <returns>False if this thread is still the leader.</returns>
    private bool TryLeadGated(PendingWrite? own)
    {
        var group = new WriteGroup();
        bool isSingle = _singles.TryTake(ref group);
        if (!isSingle && _waiting is null)
        {
            return TryHandOverLeadership();
        }

        bool isPrepared = false;
        PreparedCommit commit = default;
        Exception? failure = null;
        long transactionId = 0;
        try
        {
            isPrepared = isSingle
                ? TryBuildAlone(group, out commit, out transactionId)
                : TryBuild(ref group, out commit, out transactionId);
            if (isPrepared)
            {
                _commits.Write(commit);
            }
        }
        catch (Exception thrown)
        {
            failure = thrown;
        }

        if (failure is not null && !isPrepared && !isSingle && (group.FailedInCommand || MayFitSingly(group, failure)))
        {
            // The commands succeed or fail one by one, before any that came later.
            _singles.Begin(group);
            return false;
        }

        if (isPrepared && failure is null)
        {
            _parked.Park(group, commit);
            return true;
        }

        // Writes that this admits need no other leader: this thread still is the leader.
        _singles.Note(failure);
        _ = Complete(group, own, failure, transactionId);
        return TryHandOverLeadership();
    }

    /// <summary>Completes a group that was parked, on the thread that settled it, and hands leadership on.</summary>
    internal void EndParked(in WriteGroup group, Exception? failure, long transactionId)
    {
        _ = Complete(group, own: null, failure, transactionId);
        if (!TryHandOverLeadership())
        {
            Lead(own: null);
        }
    }

    /// <summary>
    /// True if the commit was refused for its size, and has several commands: nothing was written then, and each
    /// command may fit alone.
    /// </summary>
    private static bool MayFitSingly(in WriteGroup group, Exception failure) =>
        group.Count > 1
        && failure is TransactionTooLargeException or StorageIOException { IsDiskFull: true };

    /// <summary>Executes the commands that wait, and those that arrive while the journal is busy, in one transaction,
    /// and prepares its commit.</summary>
    private bool TryBuild(ref WriteGroup group, out PreparedCommit commit, out long transactionId)
    {
        TakeWaiting(ref group);
        transactionId = 0;
        using WriteTransaction transaction = _environment.BeginWrite();
        group.FailedInCommand = true;
        ExecuteAll(transaction, ref group);
        group.FailedInCommand = false;
        bool isPrepared = _commits.TryPrepare(transaction, out commit);
        transactionId = isPrepared ? commit.Point.TransactionId : _environment.LastTransactionId;
        return isPrepared;
    }

    private void ExecuteAll(WriteTransaction transaction, ref WriteGroup group)
    {
        bool isLast = false;
        for (PendingWrite? next = group.First; next is not null; next = TakeMore(ref group, ref isLast))
        {
            for (; next is not null; next = next.Next)
            {
                next.Command.Execute(transaction);
            }
        }
    }

    /// <summary>
    /// The first of the writes that were added to the group; null when the transaction goes to the journal. While the
    /// journal is busy there is time for more; once it is free, for one more round.
    /// </summary>
    private PendingWrite? TakeMore(ref WriteGroup group, ref bool isLast)
    {
        PendingWrite last = group.Last!;
        while (!isLast && last.Next is null)
        {
            isLast = _commits.IsJournalFree;
            DrainQueue();
            if (isLast)
            {
                _signals.Advance();
            }

            TakeWaiting(ref group);
            if (last.Next is null && !isLast)
            {
                _commits.WaitForJournal();
            }
            else if (last.Next is null && group.Count < (Volatile.Read(ref _lastCount) + 1) / 2)
            {
                isLast = !group.TryWait(GatherYieldsMax, GatherTicksMax);
            }
        }

        return last.Next;
    }

    private void RunSingly(in WriteGroup group, PendingWrite? own)
    {
        _singles.Begin(group);
        var one = new WriteGroup();
        while (_singles.TryTake(ref one))
        {
            Exception? failure = null;
            long transactionId = 0;
            try
            {
                _singles.ThrowIfTimedOut(_environment.Pressure.IsTooMuch);
                transactionId = RunAlone(one.First!.Command);
            }
            catch (Exception thrown)
            {
                failure = thrown;
                _singles.Note(thrown);
            }

            // Writes that this admits need no other leader: this thread still is the leader, and takes them next.
            _ = Complete(one, own, failure, transactionId);
            one = new WriteGroup();
        }
    }

    private long RunAlone(IWriteCommand command)
    {
        if (TryPrepareAlone(command, out PreparedCommit commit, out long transactionId))
        {
            _commits.Finish(commit);
        }

        return transactionId;
    }

    private bool TryBuildAlone(in WriteGroup group, out PreparedCommit commit, out long transactionId)
    {
        _singles.ThrowIfTimedOut(_environment.Pressure.IsTooMuch);
        return TryPrepareAlone(group.First!.Command, out commit, out transactionId);
    }

    private bool TryPrepareAlone(IWriteCommand command, out PreparedCommit commit, out long transactionId)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        try
        {
            command.Execute(transaction);
        }
        catch
        {
            // What the command read, and threw for, may be in a journal record that is still being written (MERGE-4).
            _commits.WaitUntilDurable();
            throw;
        }

        bool isPrepared = _commits.TryPrepare(transaction, out commit);
        transactionId = isPrepared ? commit.Point.TransactionId : _environment.LastTransactionId;
        return isPrepared;
    }

    /// <summary>Completes the writers of a group, and admits writes that waited for room in the queue.</summary>
    /// <returns>True if some were admitted: they need a leader.</returns>
    private bool Complete(in WriteGroup group, PendingWrite? own, Exception? failure, long transactionId)
    {
        Statistics.AddGroup(group.Count);
        Volatile.Write(ref _lastCount, group.Count);
        long now = Stopwatch.GetTimestamp();
        for (PendingWrite? write = group.First; write is not null; write = write.Next)
        {
            Statistics.Latency.Add(Stopwatch.GetElapsedTime(write.QueuedAt, now));
            if (failure is null)
            {
                CommitNotice.Give(_environment.Options, write.Command, transactionId);
            }
        }

        End(group.First, own, failure);
        return _queue.Free(group.SizeInBytes);
    }

    /// <summary>Gives each write of a list its outcome; then wakes the writers that block, all by one call, and has
    /// those that await resumed.</summary>
    private void End(PendingWrite? first, PendingWrite? own, Exception? failure)
    {
        var awaiting = new WriteGroup();
        uint asleep = 0;
        for (PendingWrite? write = first; write is not null;)
        {
            // Read before the write is complete: its writer may use the object again from then on.
            PendingWrite current = write;
            write = current.Next;
            current.Next = null;
            asleep |= current == own ? 0 : current.SignalBit;
            if (!current.TryComplete(failure, isOwn: current == own))
            {
                awaiting.Add(current);
            }
        }

        _signals.Set(asleep);
        _resumption.Add(awaiting);
    }

    /// <summary>Makes a background thread the leader if there is none. For a caller that is not the leader.</summary>
    /// <returns>False if there is no memory to start a thread: the caller is the leader.</returns>
    private bool TryFindLeader() => Interlocked.CompareExchange(ref _hasLeader, 1, 0) != 0 || TryHandOverLeadership();

    /// <summary>Makes a background thread the leader if writes wait, or else leaves leadership to the next writer.
    /// </summary>
    /// <returns>False if there is no memory to start a thread: the caller stays leader.</returns>
    private bool TryHandOverLeadership()
    {
        if (_waiting is null && _singles.IsEmpty && _queue.IsEmpty)
        {
            Interlocked.Exchange(ref _hasLeader, 0);
            if (_queue.IsEmpty || Interlocked.CompareExchange(ref _hasLeader, 1, 0) != 0)
            {
                return true;
            }
        }

        try
        {
            _scheduler.Schedule(_lead);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    /// <summary>Appends the queued writes to the list of waiting ones, in the order of arrival. For the leader.
    /// </summary>
    private void DrainQueue()
    {
        PendingWrite? first = _queue.TakeAll();
        if (_waiting is null)
        {
            _waiting = first;
            return;
        }

        PendingWrite last = _waiting;
        while (last.Next is not null)
        {
            last = last.Next;
        }

        last.Next = first;
    }

    private void TakeWaiting(ref WriteGroup group)
    {
        while (_waiting is { } write && group.HasRoom(GroupCountMax, GroupBytesMax))
        {
            _waiting = write.Next;
            group.Add(write);
        }
    }
}
