namespace Raven.Cluster.Hosting;

/// <summary>How far another node of a group is, as its primary sees it.</summary>
/// <param name="Tag">Its tag.</param>
/// <param name="IsConnected">Whether it takes the log.</param>
/// <param name="Acknowledged">The last transaction that it has acknowledged.</param>
/// <param name="LagTransactions">How many transactions it has not.</param>
/// <param name="LagBytes">How many bytes they have, as far as they are kept.</param>
/// <param name="Silence">How long it has not been heard.</param>
public sealed record ReplicaPeerView(
    string Tag, bool IsConnected, long Acknowledged, long LagTransactions, long LagBytes, TimeSpan Silence);
