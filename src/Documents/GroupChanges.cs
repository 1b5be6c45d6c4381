using Raven.Documents.Changes;
using Raven.Documents.Rows;

namespace Raven.Documents;

/// <summary>Tells the listeners of a follower what another node has changed, from the trees of etags.</summary>
internal static class GroupChanges
{
    /// <summary>Tells of documents that were written or deleted, in the order of their etags (CHG-3).</summary>
    /// <param name="snapshot">What can be read now.</param>
    /// <param name="changes">The listeners.</param>
    /// <param name="from">The first etag.</param>
    /// <param name="last">The last one.</param>
    internal static void Tell(DocumentSnapshot snapshot, DocumentChanges changes, long from, long last)
    {
        DocumentCursor documents = snapshot.DocumentsByEtag(from);
        TombstoneCursor tombstones = snapshot.TombstonesByEtag(from);
        bool isPut = documents.MoveNext(out StoredDocument document);
        bool isDeletion = Next(ref tombstones, out StoredTombstone tombstone);
        while (isPut || isDeletion)
        {
            if (isPut && (!isDeletion || document.Etag < tombstone.Etag))
            {
                if (document.Etag > last)
                {
                    isPut = false;
                    continue;
                }

                changes.Notify(new DocumentChange
                {
                    Type = DocumentChangeType.Put,
                    Id = document.Id.Span,
                    Collection = document.Collection,
                    ChangeVector = document.ChangeVector.Span,
                    Etag = document.Etag,
                });
                isPut = documents.MoveNext(out document);
            }
            else if (tombstone.Etag > last)
            {
                isDeletion = false;
            }
            else
            {
                changes.Notify(new DocumentChange
                {
                    Type = DocumentChangeType.Delete,
                    Id = tombstone.Id.Span,
                    Collection = tombstone.Collection,
                    ChangeVector = tombstone.ChangeVector.Span,
                    Etag = tombstone.Etag,
                });
                isDeletion = Next(ref tombstones, out tombstone);
            }
        }
    }

    private static bool Next(ref TombstoneCursor tombstones, out StoredTombstone tombstone)
    {
        while (tombstones.MoveNext(out tombstone))
        {
            if (tombstone.Kind == RowKind.Document)
            {
                return true;
            }
        }

        return false;
    }
}
