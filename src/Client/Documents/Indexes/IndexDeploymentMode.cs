namespace Raven.Client.Documents.Indexes;

/// <summary>
/// On which nodes of a cluster an index is built at the same time. A server of one node stores the setting, and builds
/// the index at once.
/// </summary>
public enum IndexDeploymentMode
{
    /// <summary>On all at once.</summary>
    Parallel,

    /// <summary>On one after the other.</summary>
    Rolling,
}
