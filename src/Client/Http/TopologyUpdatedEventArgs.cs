namespace Raven.Client.Http;

/// <summary>The servers of a database were read anew.</summary>
/// <param name="topology">The servers.</param>
public sealed class TopologyUpdatedEventArgs(Topology topology) : EventArgs
{
    /// <summary>The servers.</summary>
    public Topology Topology => topology;
}
