namespace Raven.Documents.Indexing;

/// <summary>What one batch of an index did, and how long it took.</summary>
public readonly record struct BatchFigures
{
    /// <summary>Its number since the index was opened, from 1.</summary>
    public long Id { get; init; }

    /// <summary>When it began.</summary>
    public DateTimeOffset StartedAt { get; init; }

    /// <summary>How many documents were mapped, or removed as they were deleted.</summary>
    public int Documents { get; init; }

    /// <summary>How many entries maps have made.</summary>
    public int Entries { get; init; }

    /// <summary>Of how many documents the maps failed.</summary>
    public int Failed { get; init; }

    /// <summary>How long the maps took, with the reading of the documents.</summary>
    public TimeSpan MapTime { get; init; }

    /// <summary>How long the reduce took.</summary>
    public TimeSpan ReduceTime { get; init; }

    /// <summary>How long the commit took.</summary>
    public TimeSpan CommitTime { get; init; }

    /// <summary>How long small parts of the index were merged after it.</summary>
    public TimeSpan MergeTime { get; init; }

    /// <summary>How long all of it took.</summary>
    public TimeSpan Time => MapTime + ReduceTime + CommitTime + MergeTime;
}
