namespace Raven.Documents.Revisions;

/// <summary>
/// How many bytes a collection has, estimated from its first documents: collections share their tables, so that nothing
/// counts the bytes of one, and to read all of it would cost as much as to export it.
/// </summary>
/// <param name="DocumentBytes">Its documents.</param>
/// <param name="TombstoneBytes">What it remembers of deletions.</param>
/// <param name="RevisionBytes">Earlier versions of its documents.</param>
public readonly record struct CollectionSizes(long DocumentBytes, long TombstoneBytes, long RevisionBytes)
{
    /// <summary>How many documents, and how many deletions, are read.</summary>
    internal const int SampleCount = 64;

    private const int RevisionsSampleCount = 8;

    /// <summary>All of it.</summary>
    public long Bytes => DocumentBytes + TombstoneBytes + RevisionBytes;

    public static CollectionSizes Of(DocumentSnapshot snapshot, in CollectionInfo collection)
    {
        ReadOnlySpan<byte> name = collection.Name.Span;
        var revisions = new RevisionReader(snapshot);
        List<StoredDocument> earlier = [];
        long documentBytes = 0;
        long revisionBytes = 0;
        int seen = 0;
        DocumentCursor documents = snapshot.DocumentsOfCollection(name, 0);
        while (seen < SampleCount && documents.MoveNext(out StoredDocument document))
        {
            documentBytes += BytesOf(in document);
            revisionBytes += revisions.Count == 0 ? 0 : RevisionBytesOf(in revisions, in document, earlier);
            seen++;
        }

        long tombstoneBytes = 0;
        int gone = 0;
        TombstoneCursor tombstones = snapshot.TombstonesOfCollection(name, 0);
        while (gone < SampleCount && tombstones.MoveNext(out StoredTombstone tombstone))
        {
            tombstoneBytes += tombstone.Id.Length + tombstone.ChangeVector.Length;
            gone++;
        }

        return new CollectionSizes(
            Whole(documentBytes, seen, collection.DocumentCount),
            Whole(tombstoneBytes, gone, collection.TombstoneCount),
            Whole(revisionBytes, seen, collection.DocumentCount));
    }

    private static long RevisionBytesOf(
        in RevisionReader revisions, in StoredDocument document, List<StoredDocument> earlier)
    {
        earlier.Clear();
        long count = revisions.List(document.Id.Span, 0, RevisionsSampleCount, earlier);
        long bytes = 0;
        foreach (StoredDocument revision in earlier)
        {
            bytes += BytesOf(in revision);
        }

        return Whole(bytes, earlier.Count, count);
    }

    private static long BytesOf(in StoredDocument document) =>
        document.Id.Length + document.ChangeVector.Length + document.Memory.Length;

    private static long Whole(long bytes, int seen, long count) =>
        seen == 0 ? 0 : (long)((double)bytes / seen * count);
}
