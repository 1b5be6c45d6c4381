using Raven.Storage.Log;

namespace Shared.Cluster;

/// <summary>What the disk of a node has of a database; it outlives the node.</summary>
internal sealed class MemoryReplicaDisk
{
    internal List<(LogPosition Position, byte[] Record)> Records { get; } = [];

    internal (LogPosition Position, byte[] Record)? Writing { get; set; }

    /// <summary>The position before the first record.</summary>
    internal LogPosition Base { get; set; }

    internal LogPosition Applied { get; set; }

    internal SortedDictionary<string, string> Values { get; set; } = new(StringComparer.Ordinal);

    internal ulong Lineage { get; set; }

    internal ulong PreviousLineage { get; set; }

    internal long ForkedAt { get; set; }

    internal bool NeedsPages { get; set; }

    internal ulong EnvironmentId { get; set; }

    internal LogPosition Last => Records.Count > 0 ? Records[^1].Position : Base;

    internal void CutAfter(long transactionId)
    {
        while (Records.Count > 0 && Last.TransactionId > transactionId)
        {
            Records.RemoveAt(Records.Count - 1);
        }
    }
}
