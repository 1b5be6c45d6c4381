namespace Raven.Cluster.Replication;

/// <summary>Why something is refused.</summary>
public enum RefusalReason : byte
{
    /// <summary>The sender's epoch is over.</summary>
    OldEpoch,

    /// <summary>The node is not the primary.</summary>
    NotPrimary,

    /// <summary>The sender belongs to another cluster.</summary>
    OtherCluster,

    /// <summary>The sender's files are those of another database.</summary>
    OtherEnvironment,

    /// <summary>The logs part where they cannot.</summary>
    OtherHistory,

    /// <summary>No format is known to both.</summary>
    NoCommonFormat,

    /// <summary>The node counts as in sync and lacks commits: it is taken out first.</summary>
    LeavesFirst,

    /// <summary>The node is no member of the group.</summary>
    NotAMember,
}
