namespace Raven.Client.Documents.Indexes;

/// <summary>On which nodes of a cluster an index is built at a time. A server of one node keeps it, and builds it at
/// once.</summary>
public enum IndexDeploymentMode
{
    /// <summary>On all at once.</summary>
    Parallel,

    /// <summary>On one after the other.</summary>
    Rolling,
}
