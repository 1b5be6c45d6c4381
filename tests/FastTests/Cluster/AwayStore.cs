using Raven.Cluster.Store;

namespace FastTests.Cluster;

/// <summary>A store that can be away: nobody answers then, and nothing is done.</summary>
internal sealed class AwayStore(IClusterStore store) : IClusterStore
{
    internal bool IsAway { get; set; }

    /// <summary>What each question and each write throws: a fault in the store's client.</summary>
    internal Exception? Fault { get; set; }

    /// <summary>How often it was written to.</summary>
    internal int Writes { get; private set; }

    public string Kind => store.Kind;

    public ValueTask<StoreGetResult> GetAsync(string key, CancellationToken stop = default) => Fault is { } fault
        ? ValueTask.FromException<StoreGetResult>(fault)
        : IsAway
            ? new(new StoreGetResult(StoreStatus.Unavailable, null, 0, "away"))
            : store.GetAsync(key, stop);

    public ValueTask<StoreRangeResult> RangeAsync(string prefix, CancellationToken stop = default) => IsAway
        ? new(new StoreRangeResult(StoreStatus.Unavailable, [], 0, "away"))
        : store.RangeAsync(prefix, stop);

    public ValueTask<StoreTxnResult> TxnAsync(StoreTxn txn, CancellationToken stop = default)
    {
        Writes++;
        return Fault is { } fault
            ? ValueTask.FromException<StoreTxnResult>(fault)
            : IsAway
                ? new(new StoreTxnResult(StoreStatus.Unavailable, false, 0, [], "away"))
                : store.TxnAsync(txn, stop);
    }

    public IAsyncEnumerable<StoreWatchBatch> WatchAsync(
        string prefix, long afterRevision, CancellationToken stop = default) =>
        store.WatchAsync(prefix, afterRevision, stop);

    public ValueTask<StoreLeaseResult> GrantAsync(TimeSpan timeToLive, CancellationToken stop = default) => IsAway
        ? new(new StoreLeaseResult(StoreStatus.Unavailable, 0, default, "away"))
        : store.GrantAsync(timeToLive, stop);

    public ValueTask<StoreLeaseResult> KeepAliveAsync(long lease, CancellationToken stop = default) => IsAway
        ? new(new StoreLeaseResult(StoreStatus.Unavailable, lease, default, "away"))
        : store.KeepAliveAsync(lease, stop);

    public ValueTask<StoreLeaseResult> RevokeAsync(long lease, CancellationToken stop = default) => IsAway
        ? new(new StoreLeaseResult(StoreStatus.Unavailable, lease, default, "away"))
        : store.RevokeAsync(lease, stop);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
