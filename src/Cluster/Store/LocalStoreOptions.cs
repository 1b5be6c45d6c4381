namespace Raven.Cluster.Store;

/// <summary>What a store without etcd may be told.</summary>
public sealed record LocalStoreOptions
{
    /// <summary>The clock of leases.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>How many changes are remembered for watches that begin later or are behind.</summary>
    public int HistoryMax { get; init; } = 10_000;
}
