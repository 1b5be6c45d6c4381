namespace Raven.Cluster.Store;

/// <summary>How outcomes are found out.</summary>
public sealed record CertainStoreOptions
{
    /// <summary>Who writes: a name that no other process uses at the same time, and the same after a restart, as the
    /// tag of a node; letters, digits and <c>-</c>.</summary>
    public required string ClientId { get; init; }

    /// <summary>How many transactions may be under way at once; others wait.</summary>
    public int ConcurrencyMax { get; init; } = 8;

    /// <summary>The first pause before an answer is asked for again; it doubles up to sixteen times of it.</summary>
    public TimeSpan RetryPause { get; init; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The clock of pauses.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>Where the names of transactions come from; a seed of their own lets runs be repeated.</summary>
    public Random? Random { get; init; }
}
