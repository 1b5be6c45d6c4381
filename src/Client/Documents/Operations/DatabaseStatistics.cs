namespace Raven.Client.Documents.Operations;

/// <summary>Counts of what a database holds.</summary>
public sealed record DatabaseStatistics
{
    /// <summary>The number of documents.</summary>
    public long CountOfDocuments { get; init; }

    /// <summary>The number of indexes.</summary>
    public int CountOfIndexes { get; init; }

    /// <summary>The number of attachments.</summary>
    public long CountOfAttachments { get; init; }

    /// <summary>The number of revisions.</summary>
    public long CountOfRevisionDocuments { get; init; }

    /// <summary>The number of tombstones: traces of deleted documents.</summary>
    public long CountOfTombstones { get; init; }

    /// <summary>The number of groups of counters.</summary>
    public long CountOfCounterEntries { get; init; }

    /// <summary>The etag of the last change of a document.</summary>
    public long? LastDocEtag { get; init; }

    /// <summary>The change vector of the whole database.</summary>
    public string? DatabaseChangeVector { get; init; }

    /// <summary>The id of the database.</summary>
    public string? DatabaseId { get; init; }

    /// <summary>The state of each index.</summary>
    public IReadOnlyList<IndexInformation> Indexes { get; init => field = value ?? []; } = [];
}

/// <summary>Counts of what a database holds, in more detail.</summary>
public sealed record DetailedDatabaseStatistics
{
    /// <summary>The number of documents.</summary>
    public long CountOfDocuments { get; init; }

    /// <summary>The number of indexes.</summary>
    public int CountOfIndexes { get; init; }

    /// <summary>The number of attachments.</summary>
    public long CountOfAttachments { get; init; }

    /// <summary>The number of different contents of attachments.</summary>
    public long CountOfUniqueAttachments { get; init; }

    /// <summary>The number of revisions.</summary>
    public long CountOfRevisionDocuments { get; init; }

    /// <summary>The number of tombstones: traces of deleted documents.</summary>
    public long CountOfTombstones { get; init; }

    /// <summary>The number of groups of counters.</summary>
    public long CountOfCounterEntries { get; init; }

    /// <summary>The number of identities.</summary>
    public long CountOfIdentities { get; init; }

    /// <summary>The number of compare-exchange values.</summary>
    public long CountOfCompareExchange { get; init; }

    /// <summary>The etag of the last change of a document.</summary>
    public long? LastDocEtag { get; init; }

    /// <summary>The id of the database.</summary>
    public string? DatabaseId { get; init; }
}

/// <summary>Counts of what a database holds, in short.</summary>
public sealed record EssentialDatabaseStatistics
{
    /// <summary>The number of documents.</summary>
    public long CountOfDocuments { get; init; }

    /// <summary>The number of indexes.</summary>
    public int CountOfIndexes { get; init; }

    /// <summary>The number of attachments.</summary>
    public long CountOfAttachments { get; init; }

    /// <summary>The number of revisions.</summary>
    public long CountOfRevisionDocuments { get; init; }

    /// <summary>The number of tombstones: traces of deleted documents.</summary>
    public long CountOfTombstones { get; init; }

    /// <summary>The number of groups of counters.</summary>
    public long CountOfCounterEntries { get; init; }
}

/// <summary>How many documents each collection has.</summary>
public sealed record CollectionStatistics
{
    /// <summary>The number of documents.</summary>
    public long CountOfDocuments { get; init; }

    /// <summary>The number of documents by collection.</summary>
    public IReadOnlyDictionary<string, long> Collections
    {
        get;
        init => field = value ?? new Dictionary<string, long>();
    } = new Dictionary<string, long>();
}
