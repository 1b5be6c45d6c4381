using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Attachments;

/// <summary>What the operations of a batch on attachments share.</summary>
public abstract class AttachmentAction : BatchAction
{
    private protected AttachmentAction(Arena arena) => Arena = arena;

    /// <summary>The memory of what the operations keep.</summary>
    private protected Arena Arena { get; }

    /// <summary>The document must be there, and the attachment must have the expected version.</summary>
    internal override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena arena,
        out CommandFailure failure)
    {
        failure = default;
        bool exists = trace == OperationTrace.Written
            || (trace == OperationTrace.None && writer.Tables.Exists(operation.Key.Span));
        if (!exists)
        {
            failure = new CommandFailure { Kind = CommandFailureKind.DocumentMissing, Id = operation.Id };
            return false;
        }

        return true;
    }

    /// <inheritdoc/>
    internal override void Notify(DocumentWriter writer, in DocumentOperation operation) =>
        writer.NotifyPut(in operation);

    /// <summary>Refuses the operation if the attachment has another version than is expected.</summary>
    private protected static void CheckVersion(
        DocumentWriter writer, in DocumentOperation operation, NativeSlice key, NativeSlice name, Arena arena)
    {
        if (operation.Check == VersionCheck.None)
        {
            return;
        }

        bool exists = writer.Attachments.TryFind(key.Span, out NativeSlice row);
        NativeSlice stored = exists ? RowLayout.ChangeVector(row) : default;
        bool isMet = operation.Check == VersionCheck.MustNotExist
            ? !exists
            : exists && stored.Span.SequenceEqual(operation.Expected.Span);
        if (isMet)
        {
            return;
        }

        NativeSlice actual = arena.Allocate(Math.Max(1, stored.Length)).Slice(0, stored.Length);
        stored.Span.CopyTo(actual.WritableSpan);
        throw new CommandRefusedException(new CommandFailure
        {
            Kind = CommandFailureKind.Conflict,
            Id = operation.Id,
            ExpectedChangeVector = operation.Expected,
            ActualChangeVector = actual,
            Detail = $"Attachment '{Text(name)}' of document '{Text(operation.Id)}' "
                + (exists ? $"has change vector '{Text(actual)}'" : "does not exist")
                + (operation.Check == VersionCheck.MustNotExist
                    ? ", but must not exist."
                    : $", not '{Text(operation.Expected)}'."),
        });
    }

    /// <summary>The exception for an attachment that is not there.</summary>
    private protected static CommandRefusedException Missing(NativeSlice id, NativeSlice name) => new(new CommandFailure
    {
        Kind = CommandFailureKind.AttachmentMissing,
        Id = id,
        Detail = $"Document '{Text(id)}' has no attachment '{Text(name)}'.",
    });

    /// <summary>Writes a link with an etag of its own.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="documentKey">The folded id of the document, which must exist.</param>
    /// <param name="key">The key of the attachment.</param>
    /// <param name="content">What it links to.</param>
    /// <returns>The attachment's new version, UTF-8.</returns>
    private protected NativeSlice Link(
        DocumentWriter writer, ReadOnlySpan<byte> documentKey, NativeSlice key, in AttachmentContent content)
    {
        writer.Tables.TryFind(documentKey, out _, out NativeSlice document);
        RowHeader header = RowLayout.ReadHeader(document.Span);
        NativeSlice stored = RowLayout.Id(document);
        NativeSlice id = Arena.Allocate(stored.Length);
        stored.Span.CopyTo(id.WritableSpan);
        header.Etag = writer.Tables.NextEtag();
        header.LastModifiedTicks = writer.Now.Ticks;
        header.Flags = DocumentFlags.None;
        header.Kind = RowKind.Attachment;
        NativeSlice room = Arena.Allocate(ChangeVector.LocalSizeBytesMax);
        NativeSlice vector = room.Slice(0, writer.FormatChangeVector(room.WritableSpan, header.Etag));
        writer.Attachments.Put(key.Span, in header, id.Span, vector.Span, in content);
        return vector;
    }

    /// <summary>Removes a link, and the document's flag with the last one.</summary>
    /// <returns>The flags that the document loses.</returns>
    private protected static DocumentFlags Unlink(
        DocumentWriter writer, ReadOnlySpan<byte> documentKey, ReadOnlySpan<byte> documentId, NativeSlice key)
    {
        writer.DeleteAttachment(key.Span, documentId);
        Span<byte> prefix = stackalloc byte[AttachmentKey.SizeBytesMax];
        prefix = prefix[..AttachmentKey.WritePrefix(prefix, documentKey)];
        return writer.Attachments.HasAny(prefix) ? DocumentFlags.None : DocumentFlags.HasAttachments;
    }

    private protected static string Text(NativeSlice utf8) => System.Text.Encoding.UTF8.GetString(utf8.Span);
}
