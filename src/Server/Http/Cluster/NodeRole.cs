namespace Raven.Server.Http.Cluster;

/// <summary>The voice of a node in the store.</summary>
public enum NodeRole
{
    /// <summary>It votes.</summary>
    Member,

    /// <summary>It learns what is there, and then will vote.</summary>
    Promotable,

    /// <summary>It has none.</summary>
    Watcher,
}
