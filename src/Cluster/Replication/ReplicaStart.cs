using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>What a node finds in its files before it opens them.</summary>
public sealed record ReplicaStart
{
    /// <summary>
    /// The points of the log whose records can be shipped, in order, behind one whose record cannot; the last one is
    /// the last whole record of the journal. At least one.
    /// </summary>
    public required IReadOnlyList<LogPosition> Points { get; init; }

    /// <summary>The lengths of their records, the first one's left out as 0; none: they count for nothing.</summary>
    public IReadOnlyList<int> Bytes { get; init; } = [];

    /// <summary>The id of the storage; 0 if there are no files.</summary>
    public ulong EnvironmentId { get; init; }

    /// <summary>The last point that is surely committed: the one before the last, or the last one.</summary>
    public required LogPosition Floor { get; init; }

    /// <summary>The history of the files; 0 for a node that has none.</summary>
    public ulong Lineage { get; init; }

    /// <summary>The history that it parted from; 0 for none.</summary>
    public ulong PreviousLineage { get; init; }

    /// <summary>The last transaction that both histories have.</summary>
    public long ForkedAt { get; init; }

    /// <summary>What is kept aside of other histories in the folder, in bytes: the log says it, and nobody uses it.
    /// </summary>
    public long KeptAsideBytes { get; init; }

    /// <summary>A copy of pages was not finished: the files can only be copied again, from the floor.</summary>
    public bool NeedsPages { get; init; }
}
