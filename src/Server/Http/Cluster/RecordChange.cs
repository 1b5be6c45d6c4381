namespace Raven.Server.Http.Cluster;

/// <summary>What has become of a change of a database's record.</summary>
internal enum RecordChange
{
    /// <summary>It is done.</summary>
    Done,

    /// <summary>There is no such database.</summary>
    Missing,

    /// <summary>It is not done, and the answer says why.</summary>
    Answered,
}
