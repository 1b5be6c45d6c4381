namespace FastTests.Documents.History;

/// <summary>
/// What one client did once, and its answer: a batch of writes, or a snapshot in which it read several documents.
/// Stamps come from one counter: an event that began after another had ended has the larger ones.
/// </summary>
internal sealed class HistoryEvent
{
    /// <summary>The <see cref="SnapshotEtag"/> of a read that did not get it.</summary>
    internal const long Untold = -1;

    internal required long Began { get; init; }

    internal required long Ended { get; init; }

    /// <summary>The writes of a batch; empty for a read.</summary>
    internal HistoryWrite[] Writes { get; init; } = [];

    /// <summary>Which write of a batch was refused, or -1.</summary>
    internal int RefusedWrite { get; init; } = -1;

    /// <summary>The etag of the version that the refusal named; 0 for none.</summary>
    internal long RefusedBecauseOf { get; init; }

    /// <summary>A commit: document to the etag of the version that its client had read, and that must be there still.
    /// </summary>
    internal Dictionary<int, long> Held { get; init; } = [];

    /// <summary>A read: document to the etag of the version that was there, 0 for none.</summary>
    internal Dictionary<int, long> Seen { get; set; } = [];

    /// <summary>A read: the last etag of its snapshot, or <see cref="Untold"/>.</summary>
    internal long SnapshotEtag { get; set; }

    internal bool IsRead => Writes.Length == 0;

    internal bool IsCommit => !IsRead && RefusedWrite < 0 && Writes.Any(write => write.Etag > 0);

    internal long FirstEtag => Writes.Where(write => write.Etag > 0).Min(write => write.Etag);

    internal long LastEtag => Writes.Max(write => write.Etag);
}
