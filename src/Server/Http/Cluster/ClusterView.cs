namespace Raven.Server.Http.Cluster;

/// <summary>The nodes of a cluster. Immutable.</summary>
public sealed record ClusterView
{
    /// <summary>The id of the cluster.</summary>
    public required string ClusterId { get; init; }

    /// <summary>Grows with each change.</summary>
    public required long Etag { get; init; }

    /// <summary>The term of the store.</summary>
    public required long Term { get; init; }

    /// <summary>The tag of the node that looks after the others, which clients know as the leader; null if none does.
    /// </summary>
    public required string? Observer { get; init; }

    /// <summary>All nodes, ordered by tag.</summary>
    public required IReadOnlyList<NodeView> Nodes { get; init; }

    /// <summary>A node; null if there is none of that tag.</summary>
    /// <param name="tag">The tag.</param>
    public NodeView? Find(string tag)
    {
        foreach (NodeView node in Nodes)
        {
            if (node.Tag == tag)
            {
                return node;
            }
        }

        return null;
    }
}
