using Raven.Cluster.Etcd;

namespace Raven.Server.Http.Cluster;

/// <summary>How a node finds the store by which the nodes agree, for people.</summary>
public sealed record StoreHealth
{
    /// <summary>Whether this node runs an etcd of its own.</summary>
    public required bool IsManaged { get; init; }

    /// <summary>How the etcd of this node was when it was last looked at; null if it runs none, or was not looked at
    /// yet.</summary>
    public required EtcdHealth? Member { get; init; }

    /// <summary>How long ago the store last said that nothing is missing here.</summary>
    public required TimeSpan Age { get; init; }

    /// <summary>Why the store cannot be used now; null if it can.</summary>
    public required string? Problem { get; init; }
}
