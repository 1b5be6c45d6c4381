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

    /// <summary>The last change, or deletion, in a collection; null for all.</summary>
    public static long LastEtag(DocumentSnapshot snapshot, string? collection) => collection is null
        ? snapshot.LastEtag
        : snapshot.LastEtagOfCollection(Encoding.UTF8.GetBytes(collection));
}
