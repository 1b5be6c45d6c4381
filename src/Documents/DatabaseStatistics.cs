namespace Raven.Documents;

/// <summary>Counts of one database in one snapshot. All of them are stored, so that reading them
/// scans nothing.</summary>
public readonly struct DatabaseStatistics
{
    /// <summary>The number of documents.</summary>
    public required long DocumentCount { get; init; }

    /// <summary>The number of tombstones.</summary>
    public required long TombstoneCount { get; init; }

    /// <summary>The number of identities.</summary>
    public required long IdentityCount { get; init; }

    /// <summary>The number of collections.</summary>
    public required long CollectionCount { get; init; }

    /// <summary>The etag of the last change of a document that still exists; 0 if there is none.</summary>
    public required long LastDocumentEtag { get; init; }

    /// <summary>The last etag that was given out.</summary>
    public required long LastEtag { get; init; }

    /// <summary>The bytes of its files.</summary>
    public required long SizeOnDiskBytes { get; init; }

    /// <summary>Reads the counts of a snapshot.</summary>
    public static DatabaseStatistics Of(DocumentSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        DocumentCursor last = snapshot.DocumentsByEtagDescending();
        return new DatabaseStatistics
        {
            DocumentCount = snapshot.DocumentCount,
            TombstoneCount = snapshot.TombstoneCount,
            IdentityCount = snapshot.IdentityCount,
            CollectionCount = snapshot.CollectionCount,
            LastDocumentEtag = last.MoveNext(out StoredDocument document) ? document.Etag : 0,
            LastEtag = snapshot.LastEtag,
            SizeOnDiskBytes = snapshot.Transaction.Environment.GetStatistics().SizeOnDiskBytes,
        };
    }
}
