namespace Raven.Cluster.Hosting;

/// <summary>What a connection between two nodes is for.</summary>
internal enum ReplicaPurpose : byte
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>The log of a database, by frames.</summary>
    Log,

    /// <summary>The pages of a database, for one copy.</summary>
    Pages,

    /// <summary>It is not wanted.</summary>
    Refused,
}
