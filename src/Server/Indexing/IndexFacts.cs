namespace Raven.Server.Indexing;

/// <summary>What an index has done since it was opened, of one moment.</summary>
internal sealed record IndexFacts
{
    /// <summary>When its last batch was committed.</summary>
    internal DateTimeOffset? LastIndexingTime { get; init; }

    /// <summary>Batches committed.</summary>
    internal long BatchCount { get; init; }

    /// <summary>Entries made.</summary>
    internal long EntryCount { get; init; }

    /// <summary>How long its last batch took.</summary>
    internal TimeSpan LastBatchTime { get; init; }

    /// <summary>Documents of the last batch.</summary>
    internal int LastBatchDocuments { get; init; }

    /// <summary>How long all batches took.</summary>
    internal TimeSpan BatchTime { get; init; }

    /// <summary>What there is behind a committed batch.</summary>
    internal IndexFacts After(IndexingBatch batch, TimeProvider clock, long began)
    {
        TimeSpan time = clock.GetElapsedTime(began);
        return this with
        {
            LastIndexingTime = clock.GetUtcNow(),
            BatchCount = BatchCount + 1,
            EntryCount = EntryCount + batch.EntryCount,
            LastBatchTime = time,
            LastBatchDocuments = batch.MappedCount + batch.DeletedCount,
            BatchTime = BatchTime + time,
        };
    }
}
