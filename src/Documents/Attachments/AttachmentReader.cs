using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Storage.Streams;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Attachments;

/// <summary>Attachments as one transaction sees them. Make one per request, for it opens structures.</summary>
public readonly ref struct AttachmentReader
{
    private readonly Transaction _transaction;
    private readonly RowHeap? _rows;
    private readonly Tree? _byKey;

    public AttachmentReader(Transaction transaction)
    {
        _transaction = transaction;
        _byKey = transaction.TryOpenTree(AttachmentSchema.ByKey);
        _rows = transaction.TryOpenRowHeap(AttachmentSchema.Attachments);
    }

    /// <summary>How many attachments there are, each counted as often as documents and revisions have it.</summary>
    public long Count =>
        (_byKey?.Count ?? 0) + (_transaction.TryOpenTree(AttachmentSchema.Revisions)?.Count ?? 0);

    /// <summary>How many different contents there are.</summary>
    public long UniqueCount => _transaction.TryOpenTree(AttachmentSchema.Hashes)?.Count ?? 0;

    /// <summary>Finds an attachment.</summary>
    /// <param name="id">The document's id in any case, UTF-8.</param>
    /// <param name="name">The attachment's name in any case, UTF-8.</param>
    /// <param name="attachment">The attachment.</param>
    public bool TryGet(ReadOnlySpan<byte> id, ReadOnlySpan<byte> name, out StoredAttachment attachment)
    {
        attachment = default;
        Span<byte> key = stackalloc byte[AttachmentKey.SizeBytesMax];
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (_byKey is null || !DocumentId.TryFold(id, folded, out int length, out _))
        {
            return false;
        }

        int prefix = AttachmentKey.WritePrefix(key, folded[..length]);
        if (!DocumentId.TryFold(name, folded, out length, out _))
        {
            return false;
        }

        folded[..length].CopyTo(key[prefix..]);
        if (!_byKey.TryGet(key[..(prefix + length)], out NativeSlice rowId))
        {
            return false;
        }

        attachment = new StoredAttachment(_rows!.Read(BinaryPrimitives.ReadInt64LittleEndian(rowId.Span)));
        return true;
    }

    /// <summary>The attachment of a revision.</summary>
    /// <param name="revisionEtag">The etag of the revision.</param>
    /// <param name="name">The attachment's name in any case, UTF-8.</param>
    /// <param name="attachment">The attachment, as it was then.</param>
    public bool TryGetOfRevision(long revisionEtag, ReadOnlySpan<byte> name, out StoredAttachment attachment)
    {
        attachment = default;
        Tree? revisions = _transaction.TryOpenTree(AttachmentSchema.Revisions);
        Span<byte> key = stackalloc byte[sizeof(long) + DocumentId.SizeBytesMax];
        BinaryPrimitives.WriteInt64BigEndian(key, revisionEtag);
        if (revisions is null || !DocumentId.TryFold(name, key[sizeof(long)..], out int length, out _)
            || !revisions.TryGet(key[..(sizeof(long) + length)], out NativeSlice row))
        {
            return false;
        }

        attachment = new StoredAttachment(row);
        return true;
    }

    /// <summary>The attachments of a document.</summary>
    /// <param name="prefix">What <see cref="AttachmentKey.WritePrefix"/> wrote; must outlive the cursor.</param>
    internal AttachmentCursor OfDocument(ReadOnlySpan<byte> prefix) => new(_rows, _byKey, prefix);

    /// <summary>The attachments of a revision.</summary>
    /// <param name="revisionEtag">The revision.</param>
    /// <param name="room">Takes the prefix of its keys; must outlive the cursor.</param>
    internal AttachmentCursor OfRevision(long revisionEtag, Span<byte> room)
    {
        BinaryPrimitives.WriteInt64BigEndian(room, revisionEtag);
        return new(null, _transaction.TryOpenTree(AttachmentSchema.Revisions), room[..sizeof(long)]);
    }

    /// <summary>The bytes of a content from an offset on, as far as they lie together.</summary>
    public bool TryGetBytes(ReadOnlySpan<byte> hash, long offset, out NativeSlice bytes)
    {
        StreamStore? streams = _transaction.TryOpenStreams(AttachmentSchema.Streams);
        bytes = default;
        return streams is not null && streams.TryGetChunk(hash, offset, out bytes);
    }
}
