using Raven.Storage.Log;

namespace Raven.Tools.Stress.Cluster;

/// <summary>Pages that were changed since a transaction, with the history that they are of.</summary>
internal sealed record SimulatedPages(
    long Since, LogPosition Point, ulong Lineage, IReadOnlyDictionary<int, (long Value, long TransactionId)> Changed)
{
    /// <summary>What real storage sends of them.</summary>
    internal byte[] Bytes { get; init; } = [];
}
