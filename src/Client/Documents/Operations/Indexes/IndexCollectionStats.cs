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
