namespace Raven.Server.Http.Cluster;

/// <summary>What has become of a change of the cluster's records.</summary>
/// <param name="Status">Whether it is done.</param>
/// <param name="Index">The index of the change, which <see cref="IClusterNode.WaitForIndexAsync"/> waits for; 0 if
/// there is none.</param>
/// <param name="Message">Why it is not done, in sentences that say what to do; null if it is.</param>
public sealed record ClusterOutcome(ClusterOutcomeStatus Status, long Index, string? Message = null)
{
    /// <summary>The nodes that it touched, such as those of a new database.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];
}
