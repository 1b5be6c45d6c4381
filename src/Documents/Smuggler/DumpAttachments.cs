using System.Buffers;
using System.Security.Cryptography;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Smuggler;

/// <summary>
/// The attachments of a dump. Their bytes come before the documents that name them by their hash: they are kept in
/// memory while they are few, or stored as uploads. A document gets only bytes that came with this dump: to know a hash
/// is no right to what it is of. Dispose it: uploads that no document took are dropped. One thread at a time.
/// </summary>
internal sealed class DumpAttachments : IAsyncDisposable
{
    /// <summary>Bytes of one piece of an upload.</summary>
    private const int PieceSizeBytes = 60 * 1024;

    /// <summary>The bytes that are kept in memory until a document links to them.</summary>
    private const long KeptBytesMax = 16 * 1024 * 1024;

    /// <summary>How many are known at once: the oldest are forgotten. An export writes the bytes of an attachment again
    /// if it was not among the last <see cref="DumpExportAttachments.KnownMax"/>.</summary>
    private const int KnownMax = 2 * DumpExportAttachments.KnownMax;

    private const int ContentTypeSizeBytesMax = 512;
    private const int HashTextLengthMax = 200;

    private readonly Database _database;
    private readonly DumpReader _reader;
    private readonly DumpResult _result;
    private readonly long _sizeBytesMax;
    private readonly Dictionary<string, DumpAttachment> _known = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = new();
    private long _keptBytes;

    internal DumpAttachments(Database database, DumpReader reader, DumpResult result, long sizeBytesMax)
    {
        _database = database;
        _reader = reader;
        _result = result;
        _sizeBytesMax = sizeBytesMax;
    }

    /// <summary>Reads the bytes behind an item that announces them.</summary>
    /// <param name="item">The item.</param>
    /// <param name="isKept">Whether they are wanted; else they are passed over.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <exception cref="RefusedException">Where they end is not known.</exception>
    internal async ValueTask ReadAsync(BlittableObject item, bool isKept, CancellationToken cancellation)
    {
        if (!item.TryGet("Size"u8, out BlittableValue value) || !value.TryGetInt64(out long size)
            || size < 0 || size > _sizeBytesMax)
        {
            throw _reader.Broken(
                $"the Size of an attachment must be a whole number from 0 to {_sizeBytesMax}");
        }

        string name = item.TryGet("Hash"u8, out value) && value.TryGetString(out string text)
            && text.Length is > 0 and <= HashTextLengthMax
            ? text
            : "";
        await _reader.BeginBytesAsync(cancellation).ConfigureAwait(false);
        bool isNew = isKept && name.Length > 0 && !_known.ContainsKey(name);
        DumpAttachment read = await TakeAsync(size, isNew, cancellation).ConfigureAwait(false);
        if (!isKept)
        {
            return;
        }

        if (name != Convert.ToBase64String(read.Hash))
        {
            await DropAsync(read.UploadId).ConfigureAwait(false);
            _result.Fail(
                _result.Attachments,
                $"Item {_reader.Item} of {_reader.Section}: the bytes of the attachment are not those of its Hash "
                + $"'{name}', the SHA-256; it is left out.");
        }
        else if (isNew)
        {
            await KeepAsync(name, read).ConfigureAwait(false);
        }
    }

    /// <summary>Adds the attachments that a document of the dump has to the batch that puts it.</summary>
    /// <param name="metadata">The metadata of the document, as the dump has it.</param>
    /// <param name="id">Its id, UTF-8.</param>
    /// <param name="batch">The batch.</param>
    internal void Link(BlittableObject metadata, NativeSlice id, DumpBatch batch)
    {
        if (!TryGetList(metadata, out BlittableArray list))
        {
            return;
        }

        Arena arena = batch.Context.Arena;
        Span<byte> documentKey = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(id.Span, documentKey, out int length, out _);
        for (int i = 0; i < list.Count; i++)
        {
            if (!TryFind(list[i], id, arena, out AttachmentContent content, out DumpAttachment? source))
            {
                continue;
            }

            if (!AttachmentKey.TryMake(
                arena, documentKey[..length], content.Name.Span, out NativeSlice key, out DocumentIdError error))
            {
                _result.Fail(
                    _result.Attachments, $"An attachment of '{Text(id)}' has no valid name: {error.Describe()}");
                continue;
            }

            batch.Command.TryAddAction(
                id.Span, new DumpAttachmentAction(arena, key, content, source!), ExpectedVersion.Any);
            batch.Added(_result.Attachments, content.Size);
        }
    }

    /// <summary>The attachments that a revision of the dump has.</summary>
    internal List<DumpRevisionAttachment> OfRevision(BlittableObject metadata, NativeSlice id, Arena arena)
    {
        List<DumpRevisionAttachment> found = [];
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!TryGetList(metadata, out BlittableArray list))
        {
            return found;
        }

        for (int i = 0; i < list.Count; i++)
        {
            if (TryFind(list[i], id, arena, out AttachmentContent content, out DumpAttachment? source)
                && DocumentId.TryFold(content.Name.Span, folded, out int length, out _)
                && !found.Exists(one => one.IsNamed(content.Name)))
            {
                found.Add(new DumpRevisionAttachment(OperationIds.Copy(arena, folded[..length]), content, source!));
            }
        }

        return found;
    }

    /// <summary>Called after a batch was committed: what it has linked is stored, and kept nowhere else.</summary>
    internal void Committed(BatchCommand batch)
    {
        for (int i = 0; i < batch.Count; i++)
        {
            if (batch[i].Action is DumpAttachmentAction { IsMissing: false } link)
            {
                Release(link.Source);
            }
            else if (batch[i].Action is DumpAttachmentAction missing)
            {
                // It was counted as one that is in.
                _result.Attachments.Read--;
                _result.Attachments.SizeBytes -= missing.Source.Size;
                _result.Fail(
                    _result.Attachments,
                    $"The bytes of an attachment of '{Text(batch[i].Id)}' were deleted meanwhile.");
            }
            else if (batch[i].Action is DumpRevisionAction revision)
            {
                revision.Attachments.ForEach(one => Release(one.Source));
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (DumpAttachment attachment in _known.Values)
        {
            await DropAsync(attachment.UploadId).ConfigureAwait(false);
        }

        _known.Clear();
    }

    private void Release(DumpAttachment attachment)
    {
        _keptBytes -= attachment.Bytes?.Length ?? 0;
        attachment.Bytes = null;
        attachment.UploadId = null;
    }

    private static bool TryGetList(BlittableObject metadata, out BlittableArray list)
    {
        list = default;
        return metadata.TryGet("@attachments"u8, out BlittableValue value) && value.TryGetArray(out list);
    }

    /// <summary>Finds the bytes of an attachment in what came with the dump.</summary>
    private bool TryFind(
        BlittableValue entry, NativeSlice id, Arena arena, out AttachmentContent content, out DumpAttachment? source)
    {
        content = default;
        source = null;
        if (!entry.TryGetObject(out BlittableObject details)
            || !details.TryGet("Name"u8, out BlittableValue name) || name.Kind != ValueKind.String
            || !details.TryGet("Hash"u8, out BlittableValue hash) || !hash.TryGetString(out string hashText))
        {
            _result.Fail(_result.Attachments, $"An attachment of '{Text(id)}' has no Name or no Hash.");
            return false;
        }

        if (!_known.TryGetValue(hashText, out source))
        {
            _result.Fail(
                _result.Attachments,
                $"Attachment '{name.GetString()}' of '{Text(id)}': its bytes are not in the dump before it.");
            return false;
        }

        NativeSlice type = details.TryGet("ContentType"u8, out BlittableValue given) && given.Kind == ValueKind.String
            ? given.GetUtf8(arena)
            : default;
        if (type.Length > ContentTypeSizeBytesMax)
        {
            _result.Fail(
                _result.Attachments, $"Attachment '{name.GetString()}' of '{Text(id)}': its ContentType is too long.");
            return false;
        }

        content = new AttachmentContent
        {
            Name = name.GetUtf8(arena),
            ContentType = type,
            Hash = OperationIds.Copy(arena, source.Hash),
            Size = source.Size,
            Bytes = OperationIds.Copy(arena, source.Bytes),
            UploadId = OperationIds.Copy(arena, source.UploadId),
        };
        return true;
    }

    /// <summary>Reads bytes, and keeps or stores them if they are wanted.</summary>
    private async ValueTask<DumpAttachment> TakeAsync(long size, bool isKept, CancellationToken cancellation)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        byte[] piece = ArrayPool<byte>.Shared.Rent(PieceSizeBytes);
        bool isInMemory = size <= PieceSizeBytes && _keptBytes + size <= KeptBytesMax;
        byte[]? uploadId = isKept && !isInMemory ? Guid.NewGuid().ToByteArray() : null;
        var command = uploadId is null ? null : new AttachmentUploadCommand(uploadId);
        bool isWhole = false;
        try
        {
            long stored = 0;
            byte[]? bytes = null;
            while (stored < size || (size == 0 && bytes is null))
            {
                int length = (int)Math.Min(PieceSizeBytes, size - stored);
                for (int filled = 0; filled < length;)
                {
                    filled += await _reader.ReadBytesAsync(piece.AsMemory(filled, length - filled), cancellation)
                        .ConfigureAwait(false);
                }

                hash.AppendData(piece, 0, length);
                bytes = isKept && isInMemory ? piece[..length] : [];
                if (command is not null)
                {
                    await StoreAsync(command, stored, piece.AsMemory(0, length)).ConfigureAwait(false);
                }

                stored += length;
            }

            isWhole = true;
            return new DumpAttachment
            {
                Hash = hash.GetHashAndReset(),
                Size = size,
                Bytes = isKept && isInMemory ? bytes : null,
                UploadId = uploadId,
            };
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(piece);
            if (!isWhole && command is not null)
            {
                command.SetDrop();
                await _database.SubmitAsync(command).ConfigureAwait(false);
            }
        }
    }

    private async ValueTask StoreAsync(AttachmentUploadCommand command, long offset, ReadOnlyMemory<byte> piece)
    {
        command.SetPiece(offset, piece);
        await _database.SubmitAsync(command).ConfigureAwait(false);
        if (!command.Failure.IsNone)
        {
            throw new CommandFailedException(command.Failure.Kind, command.Failure.Describe());
        }
    }

    private async ValueTask KeepAsync(string name, DumpAttachment attachment)
    {
        _known.Add(name, attachment);
        _order.Enqueue(name);
        _keptBytes += attachment.Bytes?.Length ?? 0;
        while (_order.Count > KnownMax && _order.TryDequeue(out string? oldest)
            && _known.Remove(oldest, out DumpAttachment? forgotten))
        {
            byte[]? uploadId = forgotten.UploadId;
            Release(forgotten);
            await DropAsync(uploadId).ConfigureAwait(false);
        }
    }

    private async ValueTask DropAsync(byte[]? uploadId)
    {
        if (uploadId is not null)
        {
            var command = new AttachmentUploadCommand(uploadId);
            command.SetDrop();
            await _database.SubmitAsync(command).ConfigureAwait(false);
        }
    }

    private static string Text(NativeSlice utf8) => System.Text.Encoding.UTF8.GetString(utf8.Span);
}
