using Raven.Cluster.Store;

namespace Shared.Cluster;

/// <summary>A store under test, with what tests do to it from outside.</summary>
internal abstract class StoreHarness : IAsyncDisposable
{
    /// <summary>The store, whose transactions are sent once.</summary>
    internal abstract IClusterStore Store { get; }

    /// <summary>How long a lease lives in tests.</summary>
    internal abstract TimeSpan LeaseTime { get; }

    /// <summary>Forgets what was below a revision.</summary>
    internal abstract Task CompactAsync(long revision);

    /// <summary>Lets so much time pass that a lease that was not renewed ends.</summary>
    internal abstract Task PassAsync(TimeSpan time);

    public abstract ValueTask DisposeAsync();
}
