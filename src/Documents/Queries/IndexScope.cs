using System.Text;
using Raven.Documents.Indexing;

namespace Raven.Documents.Queries;

/// <summary>The collections and other structures that an index reads, and their last changes.</summary>
public static class IndexScope
{
    /// <summary>The last change, or deletion, that concerns an index.</summary>
    public static long LastEtag(DocumentSnapshot snapshot, DatabaseIndex index)
    {
        // What the maps have read is known after the index was opened.
        index.TryHold()?.Release();
        return LastEtagIfOpen(snapshot, index);
    }

    /// <summary>The same for an index that is not opened for it: what its maps have read is left out if it is closed.
    /// </summary>
    internal static long LastEtagIfOpen(DocumentSnapshot snapshot, DatabaseIndex index)
    {
        IReadOnlyList<string> collections = index.Followed;
        if (collections.Count == 0)
        {
            return snapshot.LastEtag;
        }

        long last = index.OtherChanges?.LastEtagOfOthers(snapshot) ?? 0;
        foreach (string collection in collections)
        {
            last = Math.Max(last, LastEtag(snapshot, collection));
        }

        return last;
    }

    /// <summary>When the oldest change of documents was made that an index does not have yet; null if it has all. Of a
    /// document that was changed again only the last change is known.</summary>
    public static DateTimeOffset? BehindSince(DocumentSnapshot snapshot, DatabaseIndex index)
    {
        long covered = index.CoveredEtag;
        if (covered >= LastEtag(snapshot, index))
        {
            return null;
        }

        long oldest = long.MaxValue;
        foreach (byte[] collection in index.Followed.Count == 0 ? [[]] : index.Followed.Select(Encoding.UTF8.GetBytes))
        {
            DocumentCursor documents = collection.Length == 0
                ? snapshot.DocumentsByEtag(covered + 1)
                : snapshot.DocumentsOfCollection(collection, covered + 1);
            TombstoneCursor tombstones = collection.Length == 0
                ? snapshot.TombstonesByEtag(covered + 1)
                : snapshot.TombstonesOfCollection(collection, covered + 1);
            oldest = documents.MoveNext(out StoredDocument changed)
                ? Math.Min(oldest, changed.LastModifiedTicks)
                : oldest;
            oldest = tombstones.MoveNext(out StoredTombstone deleted)
                ? Math.Min(oldest, deleted.LastModifiedTicks)
                : oldest;
        }

        return oldest == long.MaxValue ? null : new DateTimeOffset(oldest, TimeSpan.Zero);
    }

    /// <summary>The last change, or deletion, in a collection; null for all.</summary>
    public static long LastEtag(DocumentSnapshot snapshot, string? collection) => collection is null
        ? snapshot.LastEtag
        : snapshot.LastEtagOfCollection(Encoding.UTF8.GetBytes(collection));
}
