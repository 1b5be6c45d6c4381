namespace Raven.Cluster.Replication;

/// <summary>The times and sizes of replication. The defaults are those that the rules name.</summary>
public sealed record ReplicaOptions
{
    /// <summary>L of REP-10: how long an acknowledged ping lets the primary answer reads.</summary>
    public TimeSpan Lease { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>G of REP-10: how long a follower waits for its primary before it takes over.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>How much longer each further follower waits, so that they do not all begin at once.</summary>
    public TimeSpan GraceStep { get; init; } = TimeSpan.FromMilliseconds(150);

    /// <summary>How often the primary pings.</summary>
    public TimeSpan PingEvery { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>REP-4: how long a node in sync may be silent, or have an unacknowledged record.</summary>
    public TimeSpan SilenceMax { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a connection may be silent before it is given up.</summary>
    public TimeSpan LinkSilenceMax { get; init; } = TimeSpan.FromMilliseconds(1500);

    /// <summary>How long a node that has been taken out of sync stays out.</summary>
    public TimeSpan OutMin { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The pause before a connection, a read of the group or a write of it is tried again.</summary>
    public TimeSpan RetryAfter { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>How often the group is read though its watch says nothing.</summary>
    public TimeSpan PollEvery { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a planned switch may take before the primary takes writes again.</summary>
    public TimeSpan HandoverMax { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>How many bytes of records are kept for nodes that are behind.</summary>
    public long KeptBytesMax { get; init; } = 64L << 20;

    /// <summary>How many records are on the way to one follower that is behind.</summary>
    public int Window { get; init; } = 16;
}
