namespace Raven.Client.ServerWide.Operations.Certificates;

/// <summary>What a caller may do on the server as a whole.</summary>
public enum SecurityClearance
{
    /// <summary>What a server without a certificate reports of every caller. It cannot be given.</summary>
    UnauthenticatedClients,

    /// <summary>Everything.</summary>
    ClusterAdmin,

    /// <summary>What an operator may, for another server.</summary>
    ClusterNode,

    /// <summary>All databases, and to create and delete them.</summary>
    Operator,

    /// <summary>What its permissions say, for each database.</summary>
    ValidUser,
}
