namespace Raven.Server.Http.Routing;

/// <summary>
/// Who may call a route. Without certificates (loopback only) every caller is a cluster administrator; the level is
/// part of each route, so that authentication needs to check only one place.
/// </summary>
public enum Access
{
    /// <summary>Anyone who can connect: liveness and version.</summary>
    Anyone = 0,

    /// <summary>A user who may use the database in the path, or the server if there is none.</summary>
    ValidUser = 1,

    /// <summary>An administrator of the database in the path.</summary>
    DatabaseAdmin = 2,

    /// <summary>An operator of the server, who creates and deletes databases.</summary>
    Operator = 3,

    /// <summary>An administrator of the cluster.</summary>
    ClusterAdmin = 4,
}
