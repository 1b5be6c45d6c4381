namespace Raven.Server.Http.Cluster;

/// <summary>Whether a node may answer a read.</summary>
public enum ReadState
{
    /// <summary>A snapshot that is taken now has what was asked for.</summary>
    Readable,

    /// <summary>This node cannot know that, as it does not reach enough of the others now.</summary>
    NotNow,

    /// <summary>This node has no part in the group any more, or has closed the database.</summary>
    NotHere,
}
