namespace Raven.Security.Rights;

/// <summary>The right that a request needs. Every route names one.</summary>
public enum Access : byte
{
    /// <summary>None: anyone who can connect. For liveness and what is no secret.</summary>
    Anyone = 0,

    /// <summary>Any identity that is known. The answer holds only what the caller may see.</summary>
    ValidUser = 1,

    /// <summary>To read the database in the path.</summary>
    Read = 2,

    /// <summary>To read and write the documents of the database in the path.</summary>
    ReadWrite = 3,

    /// <summary>To change how the database in the path works: its indexes, its configuration.</summary>
    DatabaseAdmin = 4,

    /// <summary>To read the metrics of the server.</summary>
    Monitoring = 5,

    /// <summary>To create and delete databases, and to read and write all of them.</summary>
    Operator = 6,

    /// <summary>To do everything, also to change the rights of operators.</summary>
    ClusterAdmin = 7,
}
