namespace Raven.Cluster.Replication;

/// <summary>The record of a group, as the store has it. It changes by a comparison of its revision alone.</summary>
public sealed record GroupState
{
    /// <summary>Which history the group has: another one after a promotion that accepted a loss.</summary>
    public required ulong Lineage { get; init; }

    /// <summary>Counts the primaries: one for each takeover.</summary>
    public required long Epoch { get; init; }

    /// <summary>The node that commits.</summary>
    public required int Primary { get; init; }

    /// <summary>The nodes that have every commit, the primary among them.</summary>
    public required NodeSet InSync { get; init; }

    /// <summary>The nodes that count: those in sync, and those that were.</summary>
    public required NodeSet Members { get; init; }

    /// <summary>Nodes that are being added, and have not been in sync yet.</summary>
    public NodeSet Promotables { get; init; }

    /// <summary>How many must be in sync for a commit; 0: as many as the members ask for.</summary>
    public int MinInSync { get; init; }

    /// <summary>The revision that the store gave it.</summary>
    public long Revision { get; init; }

    /// <summary>How many must be in sync for a commit: one of 1 or 2 members, two of 3 or 4.</summary>
    public int Minimum => MinInSync > 0 ? MinInSync : Math.Max(1, (Members.Count + 1) / 2);

    /// <summary>All that copy its log.</summary>
    public NodeSet All => Members.Or(Promotables);
}
