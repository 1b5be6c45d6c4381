namespace Raven.Client.Http;

/// <summary>The list of servers of a database was read again.</summary>
/// <param name="topology">The servers.</param>
public sealed class TopologyUpdatedEventArgs(Topology topology) : EventArgs
{
    /// <summary>The servers.</summary>
    public Topology Topology => topology;
}
