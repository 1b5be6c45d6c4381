using Raven.Documents.Indexing;
using Raven.Documents.Queries;
using Raven.Storage.Transactions;

namespace Raven.Documents.Monitoring;

/// <summary>The figures of one index. Reading them does not open it: what only its files know is null then.</summary>
public sealed class IndexFigures
{
    private IndexFigures(DatabaseIndex index) => Index = index;

    /// <summary>The index.</summary>
    public DatabaseIndex Index { get; }

    /// <summary>The last change of what it follows.</summary>
    public long LastEtag { get; private init; }

    /// <summary>How many entries it has; null if it is closed.</summary>
    public long? EntryCount { get; private init; }

    /// <summary>Its files; null if it is closed.</summary>
    public StorageStatistics? Storage { get; private init; }

    /// <summary>Whether it is behind the documents; a closed one is at its beginning until it is opened.</summary>
    public bool IsStale => Index.CoveredEtag < LastEtag;

    /// <summary>How many etags it is behind.</summary>
    public long Lag => Math.Max(0, LastEtag - Index.CoveredEtag);

    internal static IndexFigures Read(DocumentSnapshot snapshot, DatabaseIndex index)
    {
        (long Entries, StorageStatistics Storage)? files = IndexInspection.ReadIfOpen(index);
        return new IndexFigures(index)
        {
            LastEtag = IndexScope.LastEtagIfOpen(snapshot, index),
            EntryCount = files?.Entries,
            Storage = files?.Storage,
        };
    }
}
