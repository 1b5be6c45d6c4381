using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>A message between two nodes of a group, without the bytes that belong to it.</summary>
public record struct ReplicaMessage
{
    /// <summary>What it is.</summary>
    public ReplicaMessageKind Kind { get; set; }

    /// <summary>The history of the group.</summary>
    public ulong Lineage { get; set; }

    /// <summary>The epoch of the sender.</summary>
    public long Epoch { get; set; }

    /// <summary>Of a hello: its last point. Else the transaction that the message is about.</summary>
    public LogPosition Point { get; set; }

    /// <summary>Of a hello: the point that it can go back to, and knows to be committed.</summary>
    public LogPosition Floor { get; set; }

    /// <summary>Of a record: the hash of the log before it.</summary>
    public ulong PreviousHash { get; set; }

    /// <summary>Of pings and their answers, and of questions and theirs: which one it is.</summary>
    public long Number { get; set; }

    /// <summary>Of a hello: the history of its files.</summary>
    public ulong DataLineage { get; set; }

    /// <summary>Of a hello: who it is.</summary>
    public ReplicaIdentity Identity { get; set; }

    /// <summary>Of a hello: its files are half copied, and need pages.</summary>
    public bool NeedsPages { get; set; }

    /// <summary>Of a welcome: how the follower comes to the log.</summary>
    public WelcomeKind Welcome { get; set; }

    /// <summary>Of a refusal: why.</summary>
    public RefusalReason Reason { get; set; }

    /// <summary>The length of the bytes that belong to it: those of a record.</summary>
    public int Bytes { get; set; }
}
