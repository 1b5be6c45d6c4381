namespace Raven.Storage.Transactions;

/// <summary>How well writes share commits. Any thread.</summary>
public sealed class MergerStatistics
{
    private long _groups;
    private long _writes;

    /// <summary>Shared transactions.</summary>
    public long Groups => Volatile.Read(ref _groups);

    /// <summary>Writes in them.</summary>
    public long Writes => Volatile.Read(ref _writes);

    internal void Add(int writes)
    {
        Interlocked.Increment(ref _groups);
        Interlocked.Add(ref _writes, writes);
    }
}
