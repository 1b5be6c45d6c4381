namespace Raven.Cluster.Replication;

/// <summary>How a follower comes to the log of its primary.</summary>
public enum WelcomeKind : byte
{
    /// <summary>By the records behind a transaction that both have.</summary>
    Resume,

    /// <summary>By the pages that have changed since a transaction.</summary>
    Delta,

    /// <summary>By all pages; what the follower has is of another history, and is kept aside.</summary>
    Replace,
}
