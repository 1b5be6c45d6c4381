using Raven.Blittable.Memory;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Smuggler;

/// <summary>Links an attachment of a dump to its document, if the bytes came with the dump.</summary>
/// <param name="arena">The memory of what it keeps.</param>
/// <param name="key">The key of the attachment.</param>
/// <param name="content">What it links to: with bytes or an upload if they may not be stored yet.</param>
/// <param name="source">Where the bytes are.</param>
internal sealed class DumpAttachmentAction(
    Arena arena, NativeSlice key, AttachmentContent content, DumpAttachment source) : AttachmentAction(arena)
{
    /// <summary>Where the bytes are.</summary>
    internal DumpAttachment Source => source;

    /// <summary>True if the bytes were gone: there is no link.</summary>
    internal bool IsMissing { get; private set; }

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        IsMissing = false;
        operation.IsChanged = false;
        if (writer.Attachments.TryFind(key.Span, out NativeSlice row) && IsSame(row))
        {
            writer.ReadVersion(ref operation);
            return;
        }

        if (!writer.Attachments.Has(content.Hash.Span))
        {
            bool hasBytes = content.Size == 0 || !content.Bytes.IsEmpty || !content.UploadId.IsEmpty;
            IsMissing = !hasBytes || !writer.Attachments.Keep(in content);
            if (IsMissing)
            {
                writer.ReadVersion(ref operation);
                return;
            }
        }

        else if (!content.UploadId.IsEmpty)
        {
            writer.Attachments.DropUpload(content.UploadId.Span);
        }

        Link(writer, operation.Key.Span, key, in content);
        writer.Versions.Touch(ref operation, Arena, DocumentFlags.HasAttachments, DocumentFlags.None);
    }

    private bool IsSame(NativeSlice row) =>
        AttachmentLayout.Hash(row).Span.SequenceEqual(content.Hash.Span)
        && AttachmentLayout.Name(row).Span.SequenceEqual(content.Name.Span)
        && AttachmentLayout.ContentType(row).Span.SequenceEqual(content.ContentType.Span);
}
