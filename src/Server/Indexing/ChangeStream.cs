using Raven.Server.Documents;

namespace Raven.Server.Indexing;

/// <summary>The documents, or the deletions, of a collection or of all, in the order of their etags.</summary>
internal sealed class ChangeStream(byte[]? collection, bool isTombstones)
{
    /// <summary>Whether it is deletions.</summary>
    internal bool IsTombstones { get; } = isTombstones;

    /// <summary>Whether they are documents that maps may have read, not those that they run over.</summary>
    internal bool IsOfReferences { get; init; }

    /// <summary>The etag of its next change; the greatest number at its end.</summary>
    internal long Next { get; set; }

    /// <summary>Finds the first change from an etag on.</summary>
    internal void Seek(DocumentSnapshot snapshot, long from)
    {
        Next = long.MaxValue;
        if (IsTombstones)
        {
            TombstoneCursor cursor = Tombstones(snapshot, from);
            if (cursor.MoveNext(out StoredTombstone tombstone))
            {
                Next = tombstone.Etag;
            }
        }
        else
        {
            DocumentCursor cursor = Documents(snapshot, from);
            if (cursor.MoveNext(out StoredDocument document))
            {
                Next = document.Etag;
            }
        }
    }

    internal DocumentCursor Documents(DocumentSnapshot snapshot, long from) => collection is null
        ? snapshot.DocumentsByEtag(from)
        : snapshot.DocumentsOfCollection(collection, from);

    internal TombstoneCursor Tombstones(DocumentSnapshot snapshot, long from) => collection is null
        ? snapshot.TombstonesByEtag(from)
        : snapshot.TombstonesOfCollection(collection, from);
}
