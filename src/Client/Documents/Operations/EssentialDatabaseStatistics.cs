namespace Raven.Client.Documents.Operations;

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
