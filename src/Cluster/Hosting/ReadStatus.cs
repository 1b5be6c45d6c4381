namespace Raven.Cluster.Hosting;

/// <summary>Whether a node may answer a read.</summary>
public enum ReadStatus
{
    /// <summary>A snapshot that is taken now has everything that was acknowledged before the call.</summary>
    Readable,

    /// <summary>The node is in no session with its group now: another one is to be asked.</summary>
    NotNow,

    /// <summary>The node has no part in the group any more.</summary>
    NotHere,
}
