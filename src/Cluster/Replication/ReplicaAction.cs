namespace Raven.Cluster.Replication;

/// <summary>One thing that a shell does for its core.</summary>
/// <param name="Kind">What it is.</param>
public readonly record struct ReplicaAction(ReplicaActionKind Kind)
{
    /// <summary>The connection.</summary>
    public long Link { get; init; }

    /// <summary>The node to connect to.</summary>
    public int Node { get; init; }

    /// <summary>The transaction.</summary>
    public long TransactionId { get; init; }

    /// <summary>The message to send.</summary>
    public ReplicaMessage Message { get; init; }

    /// <summary>The group to write; its revision is the expected one.</summary>
    public GroupState? Group { get; init; }

    /// <summary>The number of the question to the store, or of the read.</summary>
    public long Number { get; init; }

    /// <summary>Of a step down: a transaction is in doubt. Of a copy: what is there is kept aside.</summary>
    public bool Flag { get; init; }
}
