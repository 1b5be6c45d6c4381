namespace Raven.Cluster.Store;

//   STORE-1  A transaction is done whole or not at all, at one revision, if each of its conditions holds there;
//            revisions only rise, and a key's ModRevision is that of the transaction that wrote it.
//   STORE-2  An answer other than Unknown is the truth: Ok with Succeeded was done once, every other one not at all,
//            and will not be done later.
//   STORE-3  Get, Range and a transaction see all that was answered before they were called (linearizable).
//   STORE-4  A watch gives each change behind its revision once and in order, or says that it cannot (Compacted). It
//            may be late: no safety rests on it.
//   STORE-5  A lease that ends takes its keys with it. It may end early or late: no safety rests on it.

/// <summary>
/// Where nodes agree on who is primary and in sync: keys with values, changed by transactions that compare revisions.
/// Nothing that happens in a network is an exception: results have a <see cref="StoreStatus"/>. Any thread.
/// </summary>
public interface IClusterStore : IAsyncDisposable
{
    /// <summary>What it is, for people: <c>local</c> or <c>etcd</c>.</summary>
    string Kind { get; }

    /// <summary>Reads a key, linearizably.</summary>
    /// <param name="key">The key.</param>
    /// <param name="stop">Ends the call with <see cref="StoreStatus.Cancelled"/>.</param>
    ValueTask<StoreGetResult> GetAsync(string key, CancellationToken stop = default);

    /// <summary>Reads all keys with a prefix as of one revision, linearizably, in the order of the keys.</summary>
    /// <param name="prefix">The prefix; "" for all.</param>
    /// <param name="stop">Ends the call with <see cref="StoreStatus.Cancelled"/>.</param>
    ValueTask<StoreRangeResult> RangeAsync(string prefix, CancellationToken stop = default);

    /// <summary>Changes keys if conditions hold.</summary>
    /// <param name="txn">What is compared and changed.</param>
    /// <param name="stop">Ends the call: with <see cref="StoreStatus.Cancelled"/> if it was surely not done, else with
    /// <see cref="StoreStatus.Unknown"/>.</param>
    ValueTask<StoreTxnResult> TxnAsync(StoreTxn txn, CancellationToken stop = default);

    /// <summary>
    /// Gives what changes behind a revision, for as long as it is read; it connects again by itself. It ends behind
    /// <see cref="StoreWatchKind.Compacted"/>, as the changes between are gone: the reader reads all and begins anew.
    /// </summary>
    /// <param name="prefix">What the keys begin with; "" for all.</param>
    /// <param name="afterRevision">The revision that the reader has, such as that of a range.</param>
    /// <param name="stop">Ends it, without an exception.</param>
    IAsyncEnumerable<StoreWatchBatch> WatchAsync(string prefix, long afterRevision, CancellationToken stop = default);

    /// <summary>Begins a lease, to which keys can be bound.</summary>
    /// <param name="timeToLive">How long it lives without being renewed; whole seconds, one at least.</param>
    /// <param name="stop">Ends the call.</param>
    ValueTask<StoreLeaseResult> GrantAsync(TimeSpan timeToLive, CancellationToken stop = default);

    /// <summary>Lets a lease live for its whole time again.</summary>
    /// <param name="lease">Its id.</param>
    /// <param name="stop">Ends the call.</param>
    ValueTask<StoreLeaseResult> KeepAliveAsync(long lease, CancellationToken stop = default);

    /// <summary>Ends a lease now, with its keys.</summary>
    /// <param name="lease">Its id.</param>
    /// <param name="stop">Ends the call.</param>
    ValueTask<StoreLeaseResult> RevokeAsync(long lease, CancellationToken stop = default);
}
