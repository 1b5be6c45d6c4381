namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>How far an index is with a collection.</summary>
public sealed record IndexCollectionStats
{
    /// <summary>The last change that it has.</summary>
    public long LastProcessedDocumentEtag { get; init; }

    /// <summary>The last deletion that it has.</summary>
    public long LastProcessedTombstoneEtag { get; init; }

    /// <summary>How many changes lie between.</summary>
    public long DocumentLag { get; init; }

    /// <summary>How many deletions lie between.</summary>
    public long TombstoneLag { get; init; }
}
