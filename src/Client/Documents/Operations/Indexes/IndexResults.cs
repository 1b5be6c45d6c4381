namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>How far an index is with a collection.</summary>
public sealed record IndexCollectionStats
{
    /// <summary>The last change that it has indexed.</summary>
    public long LastProcessedDocumentEtag { get; init; }

    /// <summary>The last deletion that it has indexed.</summary>
    public long LastProcessedTombstoneEtag { get; init; }

    /// <summary>How many changes it is behind.</summary>
    public long DocumentLag { get; init; }

    /// <summary>How many deletions it is behind.</summary>
    public long TombstoneLag { get; init; }
}

/// <summary>How long the batches of an index took.</summary>
public sealed record IndexPerformanceStats
{
    /// <summary>Its name.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>How many batches there were.</summary>
    public long Batches { get; init; }

    /// <summary>How many entries they made.</summary>
    public long Entries { get; init; }

    /// <summary>How long all took.</summary>
    public double TotalDurationInMs { get; init; }

    /// <summary>How long the last one took.</summary>
    public double LastDurationInMs { get; init; }

    /// <summary>How many documents the last one had.</summary>
    public long LastDocuments { get; init; }
}

/// <summary>Whether an index is behind the documents.</summary>
public sealed record IndexStaleness
{
    /// <summary>Whether it is.</summary>
    public bool IsStale { get; init; }

    /// <summary>Why.</summary>
    public IReadOnlyList<string> StalenessReasons { get; init => field = value ?? []; } = [];
}

/// <summary>Which indexes run.</summary>
public sealed record IndexingStatus
{
    /// <summary>Running, or Paused if all are.</summary>
    public string Status { get; init => field = value ?? ""; } = "";

    /// <summary>Each of them.</summary>
    public IReadOnlyList<IndexStatus> Indexes { get; init => field = value ?? []; } = [];
}

/// <summary>Whether an index runs.</summary>
public sealed record IndexStatus
{
    /// <summary>Its name.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>Running, Paused or Disabled.</summary>
    public string Status { get; init => field = value ?? ""; } = "";
}

/// <summary>Documents that an index failed to index.</summary>
public sealed record IndexErrors
{
    /// <summary>The index.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>The last errors.</summary>
    public IReadOnlyList<IndexingError> Errors { get; init => field = value ?? []; } = [];
}

/// <summary>A document that an index failed to index.</summary>
public sealed record IndexingError
{
    /// <summary>When, UTC.</summary>
    public DateTime Timestamp { get; init; }

    /// <summary>Its id.</summary>
    public string? Document { get; init; }

    /// <summary>The step that failed: Map, Reduce.</summary>
    public string? Action { get; init; }

    /// <summary>The message of the error.</summary>
    public string Error { get; init => field = value ?? ""; } = "";
}
