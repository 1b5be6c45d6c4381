using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <content>Reads that have to see what was acknowledged before, and waits for others.</content>
public sealed partial class ReplicaHost
{
    private readonly Lock _readLock = new();
    private readonly List<ReadBatch> _readable = [];
    private readonly List<(long TransactionId, int Count, TaskCompletionSource<bool> Done)> _waits = [];
    private ReadBatch? _gathering;

    /// <summary>The one batch whose question is on its way, and the session that it was asked in.</summary>
    private ReadBatch? _asked;
    private long _askedNumber;
    private (ReplicaRole Role, long Epoch, long Link) _askedIn;
    private long _freshAt = long.MinValue;

    /// <summary>
    /// How old the state of this node can be at most: everything that was acknowledged so long ago is published here.
    /// None on a primary with a lease; the greatest time if nobody was asked yet.
    /// </summary>
    public TimeSpan CommitAge
    {
        get
        {
            long now = Now.Ticks;
            long fresh = Volatile.Read(ref _freshAt);
            return now < Volatile.Read(ref _leaseEnd)
                ? TimeSpan.Zero
                : fresh == long.MinValue || !View.IsServing ? TimeSpan.MaxValue : new TimeSpan(now - fresh);
        }
    }

    /// <summary>
    /// Makes sure that a snapshot that is taken from now on has everything that was acknowledged before the call: by
    /// the lease of the primary, which takes no time; else all in sync are asked, or the primary is. Reads that come
    /// while a question is on its way are gathered in the next one.
    /// </summary>
    /// <param name="stop">Ends the wait, with an <see cref="OperationCanceledException"/>.</param>
    public ValueTask<ReadStatus> ReadableAsync(CancellationToken stop)
    {
        if (Now.Ticks < Volatile.Read(ref _leaseEnd))
        {
            return new ValueTask<ReadStatus>(ReadStatus.Readable);
        }

        return ConfirmAsync(stop);
    }

    /// <summary>The same without trust in a clock: all in sync are asked, on a primary, too.</summary>
    /// <param name="stop">Ends the wait, with an <see cref="OperationCanceledException"/>.</param>
    public ValueTask<ReadStatus> ConfirmAsync(CancellationToken stop)
    {
        ReadBatch batch;
        bool isFirst;
        lock (_readLock)
        {
            isFirst = _gathering is null;
            batch = _gathering ??= new ReadBatch();
        }

        if (isFirst)
        {
            Call(AskForReads);
        }

        return new ValueTask<ReadStatus>(batch.Task.WaitAsync(stop));
    }

    /// <summary>Waits until readers of this node see a transaction.</summary>
    /// <param name="transactionId">The transaction.</param>
    /// <param name="stop">Ends the wait, with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>False if this node has no part in the group any more.</returns>
    public ValueTask<bool> WaitForPublishedAsync(long transactionId, CancellationToken stop) =>
        Published >= transactionId ? new ValueTask<bool>(true) : new ValueTask<bool>(WaitAsync(transactionId, 0, stop));

    /// <summary>Waits on the primary until so many other nodes have in their journals what is committed now.</summary>
    /// <param name="count">How many others.</param>
    /// <param name="stop">Ends the wait.</param>
    /// <returns>How many have it; fewer if the wait was ended, or this node is primary no longer.</returns>
    public async ValueTask<int> WaitForReplicasAsync(int count, CancellationToken stop)
    {
        long transaction = Committed;
        try
        {
            await WaitAsync(transaction, count, stop).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // How many have it by now is the answer.
        }

        var counted = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        Call(_ => counted.SetResult(_isEnded || !_core.IsPrimary ? 0 : _core.CountAcknowledged(transaction)));
        return await counted.Task.ConfigureAwait(false);
    }

    private async Task<bool> WaitAsync(long transaction, int count, CancellationToken stop)
    {
        var done = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        Call(_ =>
        {
            if (_isEnded)
            {
                done.SetResult(false);
            }
            else
            {
                _waits.Add((transaction, count, done));
            }
        });
        using CancellationTokenRegistration ended = stop.UnsafeRegister(
            _ => Call(_ => _waits.RemoveAll(wait => wait.Done == done && wait.Done.TrySetCanceled(stop))), null);
        return await done.Task.ConfigureAwait(false);
    }

    private void AskForReads(TimeSpan now)
    {
        if (_asked is not null)
        {
            return;
        }

        ReadBatch? batch;
        lock (_readLock)
        {
            (batch, _gathering) = (_gathering, null);
        }

        if (batch is null)
        {
            return;
        }

        if (_isEnded)
        {
            batch.End(ReadStatus.NotHere);
            return;
        }

        _asked = batch;
        Ask(now);
    }

    private void Ask(TimeSpan now)
    {
        _askedIn = Session();
        _asked!.AskedAt = now;
        _askedNumber = _isClosing ? 0 : _core.Role == ReplicaRole.Leading ? _core.Confirm(now) : _core.Ask(now);
        if (_askedNumber == 0)
        {
            bool isThere = _core.Group is null || _core.Group.All.Contains(_self);
            _asked.End(isThere ? ReadStatus.NotNow : ReadStatus.NotHere);
            _asked = null;
        }
    }

    private (ReplicaRole Role, long Epoch, long Link) Session() => (_core.Role, _core.Epoch, _linkDialed);

    private void TakeReadReady(long number, long transaction, TimeSpan now)
    {
        if (_asked is null || number < _askedNumber)
        {
            return;
        }

        _asked.TransactionId = transaction;
        _readable.Add(_asked);
        _asked = null;
        AskForReads(now);
    }

    private void LookAtReads(TimeSpan now)
    {
        if (_asked is not null && _askedIn != Session())
        {
            // The answer may be lost with the session: it is asked for in the next one.
            Ask(now);
            Act(now);
        }

        if (_asked is null && _gathering is not null)
        {
            AskForReads(now);
            Act(now);
        }

        for (int i = _readable.Count - 1; i >= 0; i--)
        {
            ReadBatch batch = _readable[i];
            if (_published >= batch.TransactionId && _core.IsServing && !_isClosing)
            {
                Volatile.Write(ref _freshAt, Math.Max(_freshAt, batch.AskedAt.Ticks));
                batch.End(ReadStatus.Readable);
            }
            else if (_core.IsServing && !_isClosing)
            {
                continue;
            }
            else
            {
                batch.End(ReadStatus.NotNow);
            }

            _readable.RemoveAt(i);
        }

        LookAtWaits();
    }

    private void LookAtWaits()
    {
        for (int i = _waits.Count - 1; i >= 0; i--)
        {
            (long transaction, int count, TaskCompletionSource<bool> done) = _waits[i];
            bool isOver = count == 0
                ? _published >= transaction
                : !_core.IsPrimary || _core.CountAcknowledged(transaction) >= count;
            if (isOver)
            {
                _waits.RemoveAt(i);
                done.TrySetResult(count == 0 || _core.IsPrimary);
            }
        }
    }

    private void EndReads()
    {
        _asked?.End(ReadStatus.NotHere);
        _asked = null;
        AskForReads(default);
        foreach (ReadBatch batch in _readable)
        {
            batch.End(ReadStatus.NotHere);
        }

        _readable.Clear();
        foreach ((_, _, TaskCompletionSource<bool> done) in _waits)
        {
            done.TrySetResult(false);
        }

        _waits.Clear();
    }
}
