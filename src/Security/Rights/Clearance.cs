namespace Raven.Security.Rights;

/// <summary>What an identity may do on the server as a whole, from least to most.</summary>
public enum Clearance : byte
{
    /// <summary>What its permissions say, a database at a time.</summary>
    ValidUser = 0,

    /// <summary>All databases, and to create and delete them.</summary>
    Operator = 1,

    /// <summary>The same, for a node of a cluster. Only an administrator of the cluster gives it.</summary>
    ClusterNode = 2,

    /// <summary>Everything.</summary>
    ClusterAdmin = 3,
}
