using System.Runtime.CompilerServices;
using Raven.Storage.Errors;

namespace Raven.Cluster.Store;

/// <summary>
/// The store of a server that stands alone: nothing is to be configured, and its keys are records in the server's own
/// storage. Leases, and what watches may still ask for, end with the process. Any thread.
/// </summary>
public sealed class LocalStore : IClusterStore
{
    private readonly LocalState _state;
    private readonly LocalLeases _leases;
    private readonly LocalHistory _history;
    private readonly ITimer _expiry;
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _ended = new();
    private string? _fault;

    private LocalStore(ILocalRecords records, LocalStoreOptions options)
    {
        _state = new LocalState(records);
        _leases = new LocalLeases(options.Clock);
        _expiry = options.Clock.CreateTimer(
            static store => ((LocalStore)store!).EndLeases(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        // Who held a lease was this process before its end: what it stood for is over.
        StoreChange[] left = [.. _state.Bound.Select(key => new StoreChange(key, null))];
        _state.Apply(left);
        _history = new LocalHistory(options.HistoryMax, _state.Revision);
    }

    /// <inheritdoc/>
    public string Kind => "local";

    /// <summary>The last revision.</summary>
    public long Revision
    {
        get
        {
            lock (_gate)
            {
                return _state.Revision;
            }
        }
    }

    /// <summary>Opens the store that is in a server's records, or begins one.</summary>
    /// <param name="records">The records.</param>
    /// <param name="options">What it may be told.</param>
    /// <exception cref="StorageCorruptedException">A record is no key of a store.</exception>
    /// <exception cref="ArgumentException">The records take no keys as long as the store's.</exception>
    public static LocalStore Open(ILocalRecords records, LocalStoreOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(records);
        return new LocalStore(records, options ?? new LocalStoreOptions());
    }

    /// <inheritdoc/>
    public ValueTask<StoreGetResult> GetAsync(string key, CancellationToken stop = default)
    {
        if (StoreTxn.ProblemOfKey(key) is { } problem)
        {
            return new(new StoreGetResult(StoreStatus.Refused, null, 0, problem));
        }

        if (Ended(stop) is { } status)
        {
            return new(new StoreGetResult(status, null, 0, ProblemOf(status)));
        }

        lock (_gate)
        {
            return new(new StoreGetResult(StoreStatus.Ok, _state.Find(key), _state.Revision));
        }
    }

    /// <inheritdoc/>
    public ValueTask<StoreRangeResult> RangeAsync(string prefix, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        if (Ended(stop) is { } status)
        {
            return new(new StoreRangeResult(status, [], 0, ProblemOf(status)));
        }

        lock (_gate)
        {
            return new(new StoreRangeResult(StoreStatus.Ok, _state.Range(prefix), _state.Revision));
        }
    }

    /// <inheritdoc/>
    public ValueTask<StoreTxnResult> TxnAsync(StoreTxn txn, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(txn);
        if (txn.ProblemOf() is { } problem)
        {
            return new(new StoreTxnResult(StoreStatus.Refused, false, 0, [], problem));
        }

        if (Ended(stop) is { } status)
        {
            return new(new StoreTxnResult(status, false, 0, [], ProblemOf(status)));
        }

        lock (_gate)
        {
            if (!txn.Conditions.All(each => (_state.Find(each.Key)?.ModRevision ?? 0) == each.ModRevision))
            {
                StoreEntry[] current = [.. txn.Conditions.Select(each => _state.Find(each.Key)).OfType<StoreEntry>()];
                return new(new StoreTxnResult(StoreStatus.Ok, false, _state.Revision, current));
            }

            if (txn.Changes.FirstOrDefault(each => each.Lease != 0 && !_leases.IsAlive(each.Lease)) is { } gone)
            {
                return new(new StoreTxnResult(
                    StoreStatus.LeaseGone, false, 0, [], $"The lease {gone.Lease} is not there."));
            }

            (StoreStatus done, string? why) = Change(txn.Changes);
            return new(new StoreTxnResult(done, done == StoreStatus.Ok, _state.Revision, [], why));
        }
    }

    /// <inheritdoc/>
    public async IAsyncEnumerable<StoreWatchBatch> WatchAsync(
        string prefix, long afterRevision, [EnumeratorCancellation] CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, _ended.Token);
        long after = afterRevision;
        while (!either.IsCancellationRequested)
        {
            StoreWatchBatch? batch;
            Task next;
            lock (_gate)
            {
                batch = _history.After(prefix, after, _state.Revision);
                next = _history.Next;
            }

            if (batch is null)
            {
                await next.WaitAsync(either.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                continue;
            }

            after = batch.Revision;
            yield return batch;
            if (batch.Kind == StoreWatchKind.Compacted)
            {
                yield break;
            }
        }
    }

    /// <inheritdoc/>
    public ValueTask<StoreLeaseResult> GrantAsync(TimeSpan timeToLive, CancellationToken stop = default)
    {
        if (StoreLimits.ProblemOfLease(timeToLive) is { } problem)
        {
            return new(new StoreLeaseResult(StoreStatus.Refused, 0, default, problem));
        }

        if (Ended(stop) is { } status)
        {
            return new(new StoreLeaseResult(status, 0, default, ProblemOf(status)));
        }

        lock (_gate)
        {
            long id = _leases.Grant(timeToLive);
            Arm();
            return new(new StoreLeaseResult(StoreStatus.Ok, id, timeToLive));
        }
    }

    /// <inheritdoc/>
    public ValueTask<StoreLeaseResult> KeepAliveAsync(long lease, CancellationToken stop = default)
    {
        if (Ended(stop) is { } status)
        {
            return new(new StoreLeaseResult(status, lease, default, ProblemOf(status)));
        }

        lock (_gate)
        {
            TimeSpan? left = _leases.KeepAlive(lease);
            Arm();
            return new(left is { } time
                ? new StoreLeaseResult(StoreStatus.Ok, lease, time)
                : new StoreLeaseResult(StoreStatus.LeaseGone, lease, default, $"The lease {lease} is not there."));
        }
    }

    /// <inheritdoc/>
    public ValueTask<StoreLeaseResult> RevokeAsync(long lease, CancellationToken stop = default)
    {
        if (Ended(stop) is { } status)
        {
            return new(new StoreLeaseResult(status, lease, default, ProblemOf(status)));
        }

        lock (_gate)
        {
            if (!_leases.IsAlive(lease))
            {
                return new(new StoreLeaseResult(
                    StoreStatus.LeaseGone, lease, default, $"The lease {lease} is not there."));
            }

            (StoreStatus done, string? why) = End(lease);
            return new(new StoreLeaseResult(done, lease, default, why));
        }
    }

    /// <summary>Forgets the changes below a revision, as etcd does each hour: watches that are behind it have to read
    /// all again.</summary>
    /// <param name="revision">The first whose changes stay.</param>
    public void Compact(long revision)
    {
        lock (_gate)
        {
            _history.Compact(Math.Min(revision, _state.Revision));
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _expiry.DisposeAsync().ConfigureAwait(false);
        await _ended.CancelAsync().ConfigureAwait(false);
    }

    private StoreStatus? Ended(CancellationToken stop) =>
        _ended.IsCancellationRequested ? StoreStatus.Unavailable : stop.IsCancellationRequested
            ? StoreStatus.Cancelled : null;

    private static string ProblemOf(StoreStatus status) =>
        status == StoreStatus.Cancelled ? "The call was called off." : "The store is closed.";

    /// <summary>Makes changes, in the storage first. The gate is held.</summary>
    private (StoreStatus Status, string? Problem) Change(IReadOnlyList<StoreChange> changes)
    {
        if (_fault is not null)
        {
            return (StoreStatus.Unavailable, _fault);
        }

        try
        {
            List<StoreChangeEvent> events = _state.Apply(changes);
            if (events.Count > 0)
            {
                _history.Add(_state.Revision, events);
            }

            return (StoreStatus.Ok, null);
        }
        catch (StorageIOException full) when (full.IsDiskFull)
        {
            return (StoreStatus.OutOfSpace, full.Message);
        }
        catch (Exception failed) when (failed is IOException or StoragePoisonedException)
        {
            // Whether it is on the medium shows when the storage is opened again: until then nothing more is written.
            _fault = $"An earlier write of the store failed, and it is not known whether it is durable: "
                + $"{failed.Message} Start the server again.";
            return (StoreStatus.Unknown, _fault);
        }
    }

    private (StoreStatus Status, string? Problem) End(long lease)
    {
        StoreChange[] keys = [.. _state.BoundTo(lease).Select(key => new StoreChange(key, null))];
        (StoreStatus done, string? why) = keys.Length == 0 ? (StoreStatus.Ok, null) : Change(keys);
        if (done == StoreStatus.Ok)
        {
            _leases.Remove(lease);
        }

        return (done, why);
    }

    private void EndLeases()
    {
        lock (_gate)
        {
            foreach (long lease in _leases.Expired())
            {
                if (End(lease).Status != StoreStatus.Ok)
                {
                    // The disk is full, or the store has failed: it is tried again with the next lease.
                    _leases.Retry(lease);
                }
            }

            Arm();
        }
    }

    private void Arm()
    {
        if (!_ended.IsCancellationRequested)
        {
            _expiry.Change(_leases.UntilNext ?? Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
    }
}
