namespace Raven.Cluster.Replication;

/// <summary>What a node is in its group at the moment.</summary>
public enum ReplicaRole
{
    /// <summary>It does not know its files or its group yet, or is refused.</summary>
    Waiting,

    /// <summary>It looks for the primary, and makes a handshake.</summary>
    Seeking,

    /// <summary>It brings its files to the agreed transaction.</summary>
    Recovering,

    /// <summary>It takes pages.</summary>
    Copying,

    /// <summary>It takes records.</summary>
    Following,

    /// <summary>It has asked the store to make it the primary.</summary>
    Claiming,

    /// <summary>It is primary, and its log is not acknowledged yet.</summary>
    Reconciling,

    /// <summary>It is primary, and writes the transaction that opens its epoch.</summary>
    Opening,

    /// <summary>It is primary, and takes writes.</summary>
    Leading,
}
