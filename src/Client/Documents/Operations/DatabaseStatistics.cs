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

/// <summary>What a database holds, in more detail.</summary>
public sealed record DetailedDatabaseStatistics
{
    /// <summary>How many documents.</summary>
    public long CountOfDocuments { get; init; }

    /// <summary>How many indexes.</summary>
    public int CountOfIndexes { get; init; }

    /// <summary>How many attachments.</summary>
    public long CountOfAttachments { get; init; }

    /// <summary>How many attachments of different content.</summary>
    public long CountOfUniqueAttachments { get; init; }

    /// <summary>How many earlier versions of documents.</summary>
    public long CountOfRevisionDocuments { get; init; }

    /// <summary>How many traces of deleted documents.</summary>
    public long CountOfTombstones { get; init; }

    /// <summary>How many groups of counters.</summary>
    public long CountOfCounterEntries { get; init; }

    /// <summary>How many identities.</summary>
    public long CountOfIdentities { get; init; }

    /// <summary>How many compare-exchange values.</summary>
    public long CountOfCompareExchange { get; init; }

    /// <summary>The number of the last change of a document.</summary>
    public long? LastDocEtag { get; init; }

    /// <summary>Its identity.</summary>
    public string? DatabaseId { get; init; }
}

/// <summary>What a database holds, in short.</summary>
public sealed record EssentialDatabaseStatistics
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
}

/// <summary>How many documents each collection has.</summary>
public sealed record CollectionStatistics
{
    /// <summary>How many documents in all.</summary>
    public long CountOfDocuments { get; init; }

    /// <summary>How many documents by collection.</summary>
    public IReadOnlyDictionary<string, long> Collections
    {
        get;
        init => field = value ?? new Dictionary<string, long>();
    } = new Dictionary<string, long>();
}
