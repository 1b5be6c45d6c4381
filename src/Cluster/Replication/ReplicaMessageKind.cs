namespace Raven.Cluster.Replication;

/// <summary>What a message between two nodes of a group is.</summary>
public enum ReplicaMessageKind : byte
{
    /// <summary>None.</summary>
    None,

    /// <summary>A follower begins a session: how far its log goes.</summary>
    Hello,

    /// <summary>The primary answers: from where it will send.</summary>
    Welcome,

    /// <summary>A transaction.</summary>
    Record,

    /// <summary>The follower's journal has everything up to a transaction.</summary>
    Ack,

    /// <summary>Everything up to a transaction is committed.</summary>
    Commit,

    /// <summary>The primary asks whether it is heard.</summary>
    Ping,

    /// <summary>It is.</summary>
    Pong,

    /// <summary>A follower asks what is committed, for a read.</summary>
    Ask,

    /// <summary>The primary answers it.</summary>
    Answer,

    /// <summary>The primary gives its place to the follower.</summary>
    Handover,

    /// <summary>What was sent is refused.</summary>
    Refuse,

    /// <summary>A piece of the pages of a follower that is too far behind.</summary>
    Pages,
}
