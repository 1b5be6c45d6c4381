namespace Raven.Server.Http.Cluster;

/// <summary>What a node is in the group of a database.</summary>
public enum GroupRole
{
    /// <summary>It has no part in it.</summary>
    None,

    /// <summary>It is the primary, and takes writes.</summary>
    Primary,

    /// <summary>It has every commit.</summary>
    Member,

    /// <summary>It has been in sync, and is catching up.</summary>
    Rehab,

    /// <summary>It is getting its first copy.</summary>
    Promotable,
}
