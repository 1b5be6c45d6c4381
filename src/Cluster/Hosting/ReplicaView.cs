using Raven.Cluster.Records;
using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <summary>What a node knows of one of its groups. Immutable: another state is another object.</summary>
public sealed record ReplicaView
{
    /// <summary>What the node is in it at the moment.</summary>
    public required ReplicaRole Role { get; init; }

    /// <summary>The epoch that it believes in.</summary>
    public required long Epoch { get; init; }

    /// <summary>The newest record of the group that it has seen; null if none.</summary>
    public required DatabaseGroup? Group { get; init; }

    /// <summary>The revision of this record.</summary>
    public required long Revision { get; init; }

    /// <summary>Whether its files are open, and what they show is committed.</summary>
    public required bool IsServing { get; init; }

    /// <summary>Whether it takes writes: it leads, and no switch is under way.</summary>
    public required bool TakesWrites { get; init; }

    /// <summary>How often it has become primary since it was started.</summary>
    public required long Takeovers { get; init; }

    /// <summary>Why it takes no part, in a sentence; null if it does, or will.</summary>
    public string? Hindrance { get; init; }
}
