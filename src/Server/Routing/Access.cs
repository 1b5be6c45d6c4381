namespace Raven.Server.Routing;

/// <summary>
/// Who may call a route. Without certificates (loopback only) every caller is a cluster administrator; the level is
/// kept with each route from the first day, so that authentication needs to look at one place only.
/// </summary>
public enum Access
{
    /// <summary>Anyone who can connect: liveness and version.</summary>
    Anyone = 0,

    /// <summary>A user who may use the database in the path, or the server where there is none.</summary>
    ValidUser = 1,

    /// <summary>An administrator of the database in the path.</summary>
    DatabaseAdmin = 2,

    /// <summary>An operator of the server: databases come and go.</summary>
    Operator = 3,

    /// <summary>An administrator of the cluster.</summary>
    ClusterAdmin = 4,
}
