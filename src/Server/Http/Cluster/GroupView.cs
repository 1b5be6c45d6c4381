namespace Raven.Server.Http.Cluster;

/// <summary>The group of a database as one node sees it. Immutable: another state is another object.</summary>
public sealed record GroupView
{
    /// <summary>The name of the database.</summary>
    public required string Database { get; init; }

    /// <summary>The etag of its topology, which only grows.</summary>
    public required long Etag { get; init; }

    /// <summary>The epoch of its primary.</summary>
    public required long Epoch { get; init; }

    /// <summary>What this node is in it. <see cref="GroupRole.Primary"/> only while it takes writes.</summary>
    public required GroupRole Role { get; init; }

    /// <summary>Whether this node can be read: it has the files open. Then a read may wait in
    /// <see cref="IClusterNode.ReadableAsync"/>; otherwise it goes to the primary.</summary>
    public required bool IsOpen { get; init; }

    /// <summary>The primary of the store's record; null if there never was one. It may have died, or not serve yet.
    /// </summary>
    public required NodeView? Primary { get; init; }

    /// <summary>Its nodes: the primary first, then by order.</summary>
    public required IReadOnlyList<GroupNode> Nodes { get; init; }

    /// <summary>How many nodes must be in sync for a commit.</summary>
    public required int MinInSync { get; init; }

    /// <summary>Why it does not take writes now, in a sentence; null if nothing is in the way.</summary>
    public string? Hindrance { get; init; }
}
