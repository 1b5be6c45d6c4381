namespace Raven.Cluster.Hosting;

/// <summary>A change of the primary that a person has asked for.</summary>
/// <param name="node">The node that is to be primary.</param>
internal sealed class PrimarySwitch(int node)
{
    private readonly TaskCompletionSource<SwitchStatus> _done = new(
        TaskCreationOptions.RunContinuationsAsynchronously);

    internal int Node => node;

    /// <summary>The epoch in which it was asked for.</summary>
    internal long Epoch { get; set; }

    /// <summary>Of a promotion: the new history.</summary>
    internal ulong Lineage { get; set; }

    /// <summary>This node ends: it waits for no node that is not connected, as that one may end, too.</summary>
    internal bool IsAtEnd { get; init; }

    /// <summary>The core has been told.</summary>
    internal bool IsAsked { get; set; }

    internal Task<SwitchStatus> Task => _done.Task;

    internal void End(SwitchStatus status) => _done.TrySetResult(status);
}
