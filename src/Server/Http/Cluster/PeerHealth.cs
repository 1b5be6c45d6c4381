namespace Raven.Server.Http.Cluster;

/// <summary>How far another node of a group is, as its primary sees it.</summary>
/// <param name="Tag">Its tag.</param>
/// <param name="Acknowledged">The last transaction that it has acknowledged.</param>
/// <param name="LagRecords">How many transactions it has not acknowledged: each is a record of the log.</param>
/// <param name="LagBytes">How many bytes of records it has not acknowledged.</param>
/// <param name="Lag">How long it has not acknowledged everything.</param>
/// <param name="Why">Why it is not in sync, in a sentence; null if it is.</param>
public sealed record PeerHealth(
    string Tag, long Acknowledged, long LagRecords, long LagBytes, TimeSpan Lag, string? Why);
