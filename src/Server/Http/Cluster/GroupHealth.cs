namespace Raven.Server.Http.Cluster;

/// <summary>How far the nodes of a group are, for people.</summary>
public sealed record GroupHealth
{
    /// <summary>The last transaction that is committed, as this node knows it.</summary>
    public required long Committed { get; init; }

    /// <summary>The last transaction that this node has published.</summary>
    public required long Published { get; init; }

    /// <summary>How many takeovers this node has made since it started.</summary>
    public long Failovers { get; init; }

    /// <summary>How many bytes of other histories are kept aside on this node; nobody uses them.</summary>
    public long KeptAsideBytes { get; init; }

    /// <summary>How many bytes of the database have come to this node; null if it takes no copy now.</summary>
    public long? CopiedBytes { get; init; }

    /// <summary>How many bytes of pages the database has here, without free ones: so much is copied to a new node.
    /// Null while it is not open.</summary>
    public long? UsedBytes { get; init; }

    /// <summary>How far the others are; empty on a node that is not the primary.</summary>
    public required IReadOnlyList<PeerHealth> Peers { get; init; }
}
