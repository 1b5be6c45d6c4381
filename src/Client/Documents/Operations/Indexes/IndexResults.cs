namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>How far an index has indexed a collection.</summary>
public sealed record IndexCollectionStats
{
    /// <summary>The etag of the last change that the index has.</summary>
    public long LastProcessedDocumentEtag { get; init; }

    /// <summary>The etag of the last deletion that the index has.</summary>
    public long LastProcessedTombstoneEtag { get; init; }

    /// <summary>How many changes the index does not have yet.</summary>
    public long DocumentLag { get; init; }

    /// <summary>How many deletions the index does not have yet.</summary>
    public long TombstoneLag { get; init; }
}

/// <summary>How long the batches of an index took.</summary>
public sealed record IndexPerformanceStats
{
    /// <summary>The name of the index.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>How many batches there were.</summary>
    public long Batches { get; init; }

    /// <summary>How many entries the batches made.</summary>
    public long Entries { get; init; }

    /// <summary>How long all batches took.</summary>
    public double TotalDurationInMs { get; init; }

    /// <summary>How long the last batch took.</summary>
    public double LastDurationInMs { get; init; }

    /// <summary>How many documents the last batch had.</summary>
    public long LastDocuments { get; init; }
}

/// <summary>Whether an index is stale, and why.</summary>
public sealed record IndexStaleness
{
    /// <summary>Whether the index is stale.</summary>
    public bool IsStale { get; init; }

    /// <summary>Why it is stale: one sentence for each reason.</summary>
    public IReadOnlyList<string> StalenessReasons { get; init => field = value ?? []; } = [];
}

/// <summary>Which indexes run.</summary>
public sealed record IndexingStatus
{
    /// <summary>Running, or Paused if all indexes are paused.</summary>
    public string Status { get; init => field = value ?? ""; } = "";

    /// <summary>The status of each index.</summary>
    public IReadOnlyList<IndexStatus> Indexes { get; init => field = value ?? []; } = [];
}

/// <summary>Whether an index runs.</summary>
public sealed record IndexStatus
{
    /// <summary>The name of the index.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>Running, Paused or Disabled.</summary>
    public string Status { get; init => field = value ?? ""; } = "";
}

/// <summary>The errors of an index: the documents that could not be indexed.</summary>
public sealed record IndexErrors
{
    /// <summary>The name of the index.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>The last errors, which the server keeps.</summary>
    public IReadOnlyList<IndexingError> Errors { get; init => field = value ?? []; } = [];
}

/// <summary>One error of an index.</summary>
public sealed record IndexingError
{
    /// <summary>When the error occurred, UTC.</summary>
    public DateTime Timestamp { get; init; }

    /// <summary>The id of the document.</summary>
    public string? Document { get; init; }

    /// <summary>The step that failed: Map, Reduce.</summary>
    public string? Action { get; init; }

    /// <summary>The message of the error.</summary>
    public string Error { get; init => field = value ?? ""; } = "";
}
