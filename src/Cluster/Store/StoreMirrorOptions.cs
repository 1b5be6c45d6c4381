namespace Raven.Cluster.Store;

/// <summary>How a mirror keeps up.</summary>
public sealed record StoreMirrorOptions
{
    /// <summary>What the mirrored keys begin with; "" for all.</summary>
    public string Prefix { get; init; } = "";

    /// <summary>How often all is read again although the watch is silent: what a change may be late at worst.</summary>
    public TimeSpan ReadAgainEvery { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>The pause before a read that failed is tried again.</summary>
    public TimeSpan RetryPause { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>The clock of pauses.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;
}
