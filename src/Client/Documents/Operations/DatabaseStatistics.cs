namespace Raven.Client.Documents.Operations;

/// <summary>What a database holds.</summary>
public sealed record DatabaseStatistics
{
    /// <summary>How many documents.</summary>
    public long CountOfDocuments { get; init; }

    /// <summary>How many indexes.</summary>
    public int CountOfIndexes { get; init; }

    /// <summary>How many attachments.</summary>
    public long CountOfAttachments { get; init; }

    /// <summary>How many earlier versions of documents.</summary>
    public long CountOfRevisionDocuments { get; init; }

    /// <summary>How many traces of deleted documents.</summary>
    public long CountOfTombstones { get; init; }

    /// <summary>How many groups of counters.</summary>
    public long CountOfCounterEntries { get; init; }

    /// <summary>The number of the last change of a document.</summary>
    public long? LastDocEtag { get; init; }

    /// <summary>The version of the whole database.</summary>
    public string? DatabaseChangeVector { get; init; }

    /// <summary>Its identity.</summary>
    public string? DatabaseId { get; init; }

    /// <summary>What each index is doing.</summary>
    public IReadOnlyList<IndexInformation> Indexes { get; init => field = value ?? []; } = [];
}
