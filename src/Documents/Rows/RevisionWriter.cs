using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;

namespace Raven.Documents.Rows;

/// <summary>
/// Keeps the versions of documents that a database is configured to keep, in the transactions that make them. Without a
/// configuration, it costs a comparison.
/// </summary>
internal sealed class RevisionWriter
{
    private static readonly byte[] EmptyDocument = MakeEmptyDocument();

    private readonly DocumentTables _tables;
    private readonly Dictionary<int, CollectionRevisions?> _byCollection = [];
    private RevisionsConfiguration? _configuration;
    private int _lastKnown;

    internal RevisionWriter(DocumentTables tables, AttachmentTables attachments)
    {
        _tables = tables;
        Tables = new RevisionTables(attachments);
    }

    /// <summary>The structures in the write transaction.</summary>
    internal RevisionTables Tables { get; }

    /// <summary>Starts a command.</summary>
    internal void Begin(WriteTransaction transaction, DatabaseSettings settings)
    {
        Tables.Begin(transaction);
        if (_configuration != settings.Revisions || _lastKnown > _tables.CollectionCount)
        {
            // The transaction that made a collection was undone: another one gets its number, even in a transaction
            // of the same id. Numbers of collections that are there stay theirs (SCH-4).
            _byCollection.Clear();
            _lastKnown = 0;
        }

        _configuration = settings.Revisions;
    }

    /// <summary>The configuration of a collection; null if it keeps nothing.</summary>
    internal CollectionRevisions? Of(int collectionId)
    {
        if (_configuration is null)
        {
            return null;
        }

        if (!_byCollection.TryGetValue(collectionId, out CollectionRevisions? found))
        {
            found = _configuration.Of(_tables.CollectionName(collectionId));
            found = found is { IsDisabled: true } ? null : found;
            _byCollection[collectionId] = found;
            _lastKnown = Math.Max(_lastKnown, collectionId);
        }

        return found;
    }

    /// <summary>Keeps a version that is about to be replaced and was not kept when it was written, as no revisions were
    /// configured then.</summary>
    /// <param name="key">The document's folded id.</param>
    /// <param name="row">Its row.</param>
    /// <returns>True if it was kept now: rows have moved.</returns>
    internal bool KeepOld(ReadOnlySpan<byte> key, NativeSlice row)
    {
        RowHeader header = RowLayout.ReadHeader(row.Span);
        if (Tables.Has(header.Etag))
        {
            return false;
        }

        byte[] copy = ScratchArrays.Rent(row.Length);
        row.Span.CopyTo(copy);
        int id = RowLayout.Id(row).Length;
        int vector = RowLayout.ChangeVector(row).Length;
        ReadOnlySpan<byte> rest = copy.AsSpan(RowLayout.HeaderSizeBytes, row.Length - RowLayout.HeaderSizeBytes);
        Tables.Put(key, in header, rest[..id], rest.Slice(id, vector), rest[(id + vector)..]);
        ScratchArrays.Return(copy);
        return true;
    }

    /// <summary>Keeps a version that was written, and deletes revisions above the limits.</summary>
    internal void Keep(
        ReadOnlySpan<byte> key, in RowHeader header, ReadOnlySpan<byte> id, ReadOnlySpan<byte> changeVector,
        ReadOnlySpan<byte> body)
    {
        Tables.Put(key, in header, id, changeVector, body);
        if (Of(header.CollectionId) is { } configuration)
        {
            Tables.Enforce(key, configuration, header.LastModifiedTicks);
        }
    }

    /// <summary>Keeps the version that a document has, and deletes revisions above the limits.</summary>
    internal void KeepCurrent(ReadOnlySpan<byte> key, NativeSlice row)
    {
        RowHeader header = RowLayout.ReadHeader(row.Span);
        if (KeepOld(key, row) && Of(header.CollectionId) is { } configuration)
        {
            Tables.Enforce(key, configuration, header.LastModifiedTicks);
        }
    }

    /// <summary>Keeps the deletion of a document, or deletes all of its revisions with it.</summary>
    internal void KeepDeletion(
        ReadOnlySpan<byte> key, in RowHeader tombstone, ReadOnlySpan<byte> id, ReadOnlySpan<byte> changeVector)
    {
        CollectionRevisions? configuration = Of(tombstone.CollectionId);
        bool hasRevisions = (tombstone.Flags & DocumentFlags.HasRevisions) != 0;
        if (configuration is { PurgeOnDelete: true })
        {
            Tables.DeleteAll(key);
        }
        else if (configuration is not null || hasRevisions)
        {
            RowHeader header = tombstone;
            header.Flags = DocumentFlags.DeleteRevision;
            Keep(key, in header, id, changeVector, EmptyDocument);
        }
    }

    private static byte[] MakeEmptyDocument()
    {
        using var context = new OperationContext();
        context.Writer.Begin(BlittableMode.ToDisk);
        context.Writer.StartObject();
        context.Writer.EndObject();
        return context.Writer.Finish().Memory.Span.ToArray();
    }
}
