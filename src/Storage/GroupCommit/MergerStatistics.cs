using System.Numerics;
using Raven.Storage.Transactions;

namespace Raven.Storage.GroupCommit;

/// <summary>How well writes share commits, and how long they take. Any thread.</summary>
public sealed class MergerStatistics
{
    private readonly long[] _groupsBySize = new long[BitOperations.Log2(TransactionMerger.GroupCountMax) + 1];
    private long _groups;
    private long _writes;

    /// <summary>Shared transactions.</summary>
    public long Groups => Volatile.Read(ref _groups);

    /// <summary>Writes in them.</summary>
    public long Writes => Volatile.Read(ref _writes);

    /// <summary>How long writes took, from their submission until they were durable.</summary>
    public LatencyHistogram Latency { get; } = new();

    /// <summary>Shared transactions by their size: at index i those of 2^i writes and more, below 2^(i + 1).</summary>
    public IReadOnlyList<long> GroupsBySize => Array.ConvertAll(_groupsBySize, static count => count);

    internal void AddGroup(int writes)
    {
        Interlocked.Increment(ref _groups);
        Interlocked.Add(ref _writes, writes);
        Interlocked.Increment(ref _groupsBySize[BitOperations.Log2((uint)writes)]);
    }
}
