using Raven.Cluster.Replication;

namespace Raven.Tools.Stress.Cluster;

/// <summary>Pages that were changed since a transaction, with the history that they are of.</summary>
internal sealed record SimulatedPages(
    long Since, LogPoint Point, ulong Lineage, IReadOnlyDictionary<int, (long Value, long TransactionId)> Changed);
