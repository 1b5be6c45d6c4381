namespace Raven.Documents.Indexing;

/// <summary>Counts and times of an index since it was opened, taken at one moment.</summary>
public sealed record IndexStatistics
{
    /// <summary>When the last batch was committed.</summary>
    public DateTimeOffset? LastIndexingTime { get; init; }

    /// <summary>How many batches were committed.</summary>
    public long BatchCount { get; init; }

    /// <summary>How many documents were mapped, or removed as they were deleted.</summary>
    public long DocumentCount { get; init; }

    /// <summary>How many entries were made.</summary>
    public long EntryCount { get; init; }

    /// <summary>How many groups were reduced, and how many of them failed.</summary>
    public (long All, long Failed) Reduced { get; init; }

    /// <summary>
    /// How many documents were mapped because something that their maps have read had changed, and how many
    /// of them failed.
    /// </summary>
    public (long All, long Failed) References { get; init; }

    /// <summary>The most entries that maps made of one document.</summary>
    public int OutputsMax { get; init; }

    /// <summary>How long the last batch took.</summary>
    public TimeSpan LastBatchTime { get; init; }

    /// <summary>Documents of the last batch.</summary>
    public int LastBatchDocuments { get; init; }

    /// <summary>How long all batches took.</summary>
    public TimeSpan BatchTime { get; init; }

    /// <summary>The last batches; it goes on with each.</summary>
    public BatchHistory Batches { get; init; } = new();

    /// <summary>The counts after a batch that was committed.</summary>
    internal IndexStatistics After(BatchIndexer batch, TimeProvider clock, long began)
    {
        BatchCounts counts = batch.Counts;
        TimeSpan time = clock.GetElapsedTime(began);
        DateTimeOffset now = clock.GetUtcNow();
        Batches.Add(counts, time, now);
        return this with
        {
            LastIndexingTime = now,
            BatchCount = BatchCount + 1,
            DocumentCount = DocumentCount + counts.Documents,
            EntryCount = EntryCount + counts.Entries,
            Reduced = (Reduced.All + batch.Reduced.All, Reduced.Failed + batch.Reduced.Failed),
            References = (References.All + counts.References, References.Failed + counts.ReferenceErrors),
            OutputsMax = Math.Max(OutputsMax, counts.OutputsMax),
            LastBatchTime = time,
            LastBatchDocuments = counts.Documents,
            BatchTime = BatchTime + time,
        };
    }
}
