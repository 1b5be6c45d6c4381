namespace Raven.Cluster.Store;

/// <summary>How a call of a store ended.</summary>
public enum StoreStatus
{
    /// <summary>It was answered.</summary>
    Ok,

    /// <summary>It was called off before anything could be done.</summary>
    Cancelled,

    /// <summary>Nobody answered, and surely nothing was done.</summary>
    Unavailable,

    /// <summary>The answer is lost: it is perhaps done, and perhaps will be.</summary>
    Unknown,

    /// <summary>The store has no room; nothing was done.</summary>
    OutOfSpace,

    /// <summary>The store takes no such call, or cannot be trusted with one; nothing was done. The problem says
    /// why.</summary>
    Refused,

    /// <summary>The lease is not there any more; nothing was done.</summary>
    LeaseGone,
}

/// <summary>A key with its value.</summary>
/// <param name="Key">The key.</param>
/// <param name="Value">The value.</param>
/// <param name="CreateRevision">When the key was made.</param>
/// <param name="ModRevision">When it was last written: what a transaction compares.</param>
/// <param name="Version">How often it was written since it was made.</param>
/// <param name="Lease">The lease that it is bound to; 0 if none.</param>
public sealed record StoreEntry(
    string Key, ReadOnlyMemory<byte> Value, long CreateRevision, long ModRevision, long Version, long Lease);

/// <summary>What a read of one key found.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Entry">The key; null if it is not there, or was not read.</param>
/// <param name="Revision">The revision of the store that was read.</param>
/// <param name="Problem">What is wrong, for people.</param>
public sealed record StoreGetResult(StoreStatus Status, StoreEntry? Entry, long Revision, string? Problem = null);

/// <summary>What a read of several keys found.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Entries">The keys in their order; none if it was not read.</param>
/// <param name="Revision">The revision of the store that all of them are of.</param>
/// <param name="Problem">What is wrong, for people.</param>
public sealed record StoreRangeResult(
    StoreStatus Status, IReadOnlyList<StoreEntry> Entries, long Revision, string? Problem = null);

/// <summary>What became of a transaction.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Succeeded">Whether it was done. False with <see cref="StoreStatus.Ok"/>: a condition did not
/// hold.</param>
/// <param name="Revision">If done, the ModRevision of what it wrote; else the revision at which it was not
/// done.</param>
/// <param name="Current">If a condition did not hold: the compared keys that are there, as they are.</param>
/// <param name="Problem">What is wrong, for people.</param>
public sealed record StoreTxnResult(
    StoreStatus Status, bool Succeeded, long Revision, IReadOnlyList<StoreEntry> Current, string? Problem = null);

/// <summary>What became of a call about a lease.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Id">The lease.</param>
/// <param name="TimeToLive">How long it lives from now on.</param>
/// <param name="Problem">What is wrong, for people.</param>
public sealed record StoreLeaseResult(StoreStatus Status, long Id, TimeSpan TimeToLive, string? Problem = null);

/// <summary>What a batch of a watch is.</summary>
public enum StoreWatchKind
{
    /// <summary>Changes, in the order of their revisions; none if only the revision moved on.</summary>
    Changes,

    /// <summary>The changes behind the reader's revision are gone: all has to be read again.</summary>
    Compacted,
}

/// <summary>One change that a watch saw.</summary>
/// <param name="Key">The key.</param>
/// <param name="Entry">What it is now; null if it was deleted.</param>
/// <param name="Revision">When that was.</param>
public sealed record StoreChangeEvent(string Key, StoreEntry? Entry, long Revision);

/// <summary>What a watch saw.</summary>
/// <param name="Kind">Whether it has the changes.</param>
/// <param name="Revision">The revision up to which the reader has all changes now; of a compaction, the first that is
/// still there.</param>
/// <param name="Events">The changes.</param>
public sealed record StoreWatchBatch(StoreWatchKind Kind, long Revision, IReadOnlyList<StoreChangeEvent> Events);
