using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Storage.Streams;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Rows;

/// <summary>
/// The structures of <see cref="AttachmentSchema"/> in one write transaction: ATT-1 and ATT-2 hold after every call.
/// Opened when first needed, so that a transaction without attachments pays nothing.
/// </summary>
internal sealed class AttachmentTables
{
    private readonly IndexedRows<Names> _rows = new();
    private WriteTransaction _transaction = null!;
    private StreamStore? _streams;
    private Tree _hashes = null!;
    private Tree _uploads = null!;

    /// <summary>Starts a command.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _transaction = transaction;
        _rows.Begin(transaction);
        _streams = null;
    }

    /// <summary>Finds the row of an attachment.</summary>
    internal bool TryFind(ReadOnlySpan<byte> key, out NativeSlice row) => _rows.TryFind(key, out _, out row);

    /// <summary>True if a document has an attachment whose key begins with this.</summary>
    internal bool HasAny(ReadOnlySpan<byte> prefix) => _rows.HasAny(prefix);

    /// <summary>The key of the first attachment whose key begins with this, copied.</summary>
    internal bool TryFirstKey(ReadOnlySpan<byte> prefix, Span<byte> key, out int length) =>
        _rows.TryFirstKey(prefix, key, out length);

    /// <summary>Writes the row of an attachment, in the place of one of the same key.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="header">Its row's fields.</param>
    /// <param name="documentId">The document's id.</param>
    /// <param name="changeVector">Its version.</param>
    /// <param name="content">What it links to; its bytes must be there (<see cref="Keep"/>).</param>
    internal void Put(
        ReadOnlySpan<byte> key, in RowHeader header, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> changeVector,
        in AttachmentContent content)
    {
        AddReference(content.Hash.Span);
        Delete(key, out _);
        ReadOnlySpan<byte> name = content.Name.Span;
        ReadOnlySpan<byte> contentType = content.ContentType.Span;
        int size = RowLayout.SizeOf(
            documentId.Length, changeVector.Length, AttachmentLayout.SizeOf(name.Length, contentType.Length));
        NativeSlice row = _rows.Insert(key, header.Etag, size);
        Span<byte> body = RowLayout.Write(row.WritableSpan, in header, documentId, changeVector);
        AttachmentLayout.Write(body, content.Hash.Span, content.Size, name, contentType);
    }

    /// <summary>Removes the row of an attachment, and its bytes if nothing else links to them.</summary>
    internal bool Delete(ReadOnlySpan<byte> key, out RowHeader old)
    {
        old = default;
        if (!_rows.TryFind(key, out long rowId, out NativeSlice row))
        {
            return false;
        }

        old = RowLayout.ReadHeader(row.Span);
        Span<byte> hash = stackalloc byte[AttachmentHash.SizeBytes];
        AttachmentLayout.Hash(row).Span.CopyTo(hash);
        _rows.Remove(key, rowId, old.Etag);
        ReleaseReference(hash);
        return true;
    }

    /// <summary>A revision has the attachments that its document has now.</summary>
    internal void CopyToRevision(ReadOnlySpan<byte> prefix, long revisionEtag)
    {
        Tree byKey = _rows.ByKey;
        Tree revisions = _transaction.OpenOrCreateTree(AttachmentSchema.Revisions);
        Span<byte> from = stackalloc byte[AttachmentKey.SizeBytesMax];
        Span<byte> to = stackalloc byte[sizeof(long) + Ids.DocumentId.SizeBytesMax];
        Span<byte> hash = stackalloc byte[AttachmentHash.SizeBytes];
        BinaryPrimitives.WriteInt64BigEndian(to, revisionEtag);
        TreeCursor cursor = byKey.GetCursor();
        for (bool more = cursor.Seek(prefix); more && cursor.Key.StartsWith(prefix);)
        {
            int length = cursor.Key.Length;
            cursor.Key.CopyTo(from);
            NativeSlice row = _rows.Read(cursor.Value);
            int rowLength = row.Length;
            byte[] copy = ScratchArrays.Rent(rowLength);
            row.Span.CopyTo(copy);
            AttachmentLayout.Hash(row).Span.CopyTo(hash);
            from[prefix.Length..length].CopyTo(to[sizeof(long)..]);
            revisions.Put(to[..(sizeof(long) + length - prefix.Length)], copy.AsSpan(0, rowLength));
            ScratchArrays.Return(copy);
            AddReference(hash);
            cursor = byKey.GetCursor();
            more = cursor.SeekExact(from[..length]) && cursor.MoveNext();
        }
    }

    /// <summary>Gives a revision an attachment whose bytes are there; it has none of this name yet.</summary>
    /// <param name="version">The fields of the revision's row.</param>
    /// <param name="name">The folded name of the attachment.</param>
    /// <param name="documentId">The document's id.</param>
    /// <param name="changeVector">The version of the revision.</param>
    /// <param name="content">What it links to.</param>
    internal void PutToRevision(
        in RowHeader version, ReadOnlySpan<byte> name, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> changeVector,
        in AttachmentContent content)
    {
        Span<byte> key = stackalloc byte[sizeof(long) + Ids.DocumentId.SizeBytesMax];
        BinaryPrimitives.WriteInt64BigEndian(key, version.Etag);
        name.CopyTo(key[sizeof(long)..]);
        RowHeader header = version;
        header.Kind = RowKind.Attachment;
        header.Flags = DocumentFlags.None;
        int size = RowLayout.SizeOf(
            documentId.Length, changeVector.Length,
            AttachmentLayout.SizeOf(content.Name.Length, content.ContentType.Length));
        byte[] row = ScratchArrays.Rent(size);
        Span<byte> body = RowLayout.Write(row.AsSpan(0, size), in header, documentId, changeVector);
        AttachmentLayout.Write(
            body, content.Hash.Span, content.Size, content.Name.Span, content.ContentType.Span);
        AddReference(content.Hash.Span);
        _transaction.OpenOrCreateTree(AttachmentSchema.Revisions)
            .Put(key[..(sizeof(long) + name.Length)], row.AsSpan(0, size));
        ScratchArrays.Return(row);
    }

    /// <summary>The rows of the attachments that a revision has, copied.</summary>
    internal List<NativeSlice> OfRevision(long revisionEtag, Arena arena)
    {
        List<NativeSlice> found = [];
        if (_transaction.TryOpenTree(AttachmentSchema.Revisions) is { } revisions)
        {
            Span<byte> prefix = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64BigEndian(prefix, revisionEtag);
            TreeCursor cursor = revisions.GetCursor();
            for (bool more = cursor.Seek(prefix); more && cursor.Key.StartsWith(prefix); more = cursor.MoveNext())
            {
                found.Add(Copy(cursor.Value.Span, arena));
            }
        }

        return found;
    }

    /// <summary>The keys of the attachments whose keys begin with this, copied.</summary>
    internal List<NativeSlice> KeysOf(ReadOnlySpan<byte> prefix, Arena arena)
    {
        List<NativeSlice> found = [];
        TreeCursor cursor = _rows.ByKey.GetCursor();
        for (bool more = cursor.Seek(prefix); more && cursor.Key.StartsWith(prefix); more = cursor.MoveNext())
        {
            found.Add(Copy(cursor.Key, arena));
        }

        return found;
    }

    /// <summary>Removes what a revision had, when the revision is removed.</summary>
    internal void DeleteOfRevision(long revisionEtag)
    {
        Tree revisions = _transaction.OpenOrCreateTree(AttachmentSchema.Revisions);
        Span<byte> prefix = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(prefix, revisionEtag);
        Span<byte> key = stackalloc byte[sizeof(long) + Ids.DocumentId.SizeBytesMax];
        Span<byte> hash = stackalloc byte[AttachmentHash.SizeBytes];
        while (true)
        {
            TreeCursor cursor = revisions.GetCursor();
            if (!cursor.Seek(prefix) || !cursor.Key.StartsWith(prefix))
            {
                return;
            }

            int length = cursor.Key.Length;
            cursor.Key.CopyTo(key);
            AttachmentLayout.Hash(cursor.Value).Span.CopyTo(hash);
            revisions.Delete(key[..length]);
            ReleaseReference(hash);
        }
    }

    /// <summary>True if the bytes of a hash are stored.</summary>
    internal bool Has(ReadOnlySpan<byte> hash)
    {
        _ = Streams;
        return _hashes.Contains(hash);
    }

    /// <summary>
    /// Makes the bytes of a content those of its hash, or drops them if these are stored already. <see cref="Put"/>
    /// must follow, which counts the link.
    /// </summary>
    /// <returns>False if the content is an upload whose bytes are not there, or not all of them.</returns>
    internal bool Keep(in AttachmentContent content)
    {
        StreamStore streams = Streams;
        ReadOnlySpan<byte> hash = content.Hash.Span;
        bool isKnown = _hashes.Contains(hash);
        if (content.UploadId.IsEmpty)
        {
            if (!isKnown)
            {
                streams.Create(hash);
                streams.Append(hash, content.Bytes.Span);
            }

            return true;
        }

        ReadOnlySpan<byte> uploadId = content.UploadId.Span;
        if (!streams.TryGetLength(uploadId, out long length) || length != content.Size)
        {
            return false;
        }

        _uploads.Delete(uploadId);
        return isKnown ? streams.Delete(uploadId) : streams.Rename(uploadId, hash);
    }

    /// <summary>Adds bytes to an upload.</summary>
    /// <param name="uploadId">The upload.</param>
    /// <param name="offset">How many bytes it has already.</param>
    /// <param name="bytes">The next ones.</param>
    /// <returns>False if it has another length: it was removed as abandoned.</returns>
    internal bool Upload(ReadOnlySpan<byte> uploadId, long offset, ReadOnlySpan<byte> bytes)
    {
        StreamStore streams = Streams;
        bool exists = streams.TryGetLength(uploadId, out long length);
        if (offset != (exists ? length : 0))
        {
            return false;
        }

        if (!exists)
        {
            _uploads.Put(uploadId, default);
        }

        streams.Append(uploadId, bytes);
        return true;
    }

    internal void DropUpload(ReadOnlySpan<byte> uploadId)
    {
        if (Streams.Delete(uploadId))
        {
            _uploads.Delete(uploadId);
        }
    }

    /// <summary>Drops all uploads: right after a database is opened, none has an owner (ATT-2).</summary>
    /// <returns>How many there were.</returns>
    internal long DropAllUploads()
    {
        _ = Streams;
        long count = _uploads.Count;
        Span<byte> id = stackalloc byte[AttachmentSchema.UploadIdSizeBytes];
        while (_uploads.Count > 0)
        {
            TreeCursor cursor = _uploads.GetCursor();
            cursor.SeekFirst();
            cursor.Key.CopyTo(id);
            DropUpload(id);
        }

        return count;
    }

    private StreamStore Streams
    {
        get
        {
            if (_streams is null)
            {
                _hashes = _transaction.OpenOrCreateTree(AttachmentSchema.Hashes);
                _uploads = _transaction.OpenOrCreateTree(AttachmentSchema.Uploads);
                _streams = _transaction.OpenOrCreateStreams(AttachmentSchema.Streams);
            }

            return _streams;
        }
    }

    private static NativeSlice Copy(ReadOnlySpan<byte> bytes, Arena arena)
    {
        NativeSlice copy = arena.Allocate(bytes.Length);
        bytes.CopyTo(copy.WritableSpan);
        return copy;
    }

    private void AddReference(ReadOnlySpan<byte> hash)
    {
        _ = Streams;
        Span<byte> count = stackalloc byte[sizeof(long)];
        long old = _hashes.TryGet(hash, out NativeSlice value)
            ? BinaryPrimitives.ReadInt64LittleEndian(value.Span)
            : 0;
        BinaryPrimitives.WriteInt64LittleEndian(count, old + 1);
        _hashes.Put(hash, count);
    }

    private void ReleaseReference(ReadOnlySpan<byte> hash)
    {
        StreamStore streams = Streams;
        bool found = _hashes.TryGet(hash, out NativeSlice value);
        Debug.Assert(found, "ATT-1");
        long left = BinaryPrimitives.ReadInt64LittleEndian(value.Span) - 1;
        if (left == 0)
        {
            _hashes.Delete(hash);
            streams.Delete(hash);
            return;
        }

        Span<byte> count = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(count, left);
        _hashes.Put(hash, count);
    }

    private readonly struct Names : IIndexedRowNames
    {
        public static ReadOnlySpan<byte> Rows => AttachmentSchema.Attachments;

        public static ReadOnlySpan<byte> ByKey => AttachmentSchema.ByKey;

        public static ReadOnlySpan<byte> ByEtag => AttachmentSchema.ByEtag;
    }
}
