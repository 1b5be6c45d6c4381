namespace Raven.Cluster.Replication;

/// <summary>What the bytes are that a frame was looked for in.</summary>
public enum ReplicaFrameStatus
{
    /// <summary>There is a whole frame.</summary>
    Whole,

    /// <summary>It may become one when more bytes have come.</summary>
    Incomplete,

    /// <summary>It is no frame, or was changed on the way: the connection is of no use any more.</summary>
    Damaged,
}
