using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Attachments;

/// <summary>Gives a document the attachments that one of its revisions has, and no others.</summary>
internal sealed class AttachmentRevert(Arena arena)
{
    /// <summary>The attachments become those of a revision. The document must be there, in its batch (VER-1).</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="operation">The document's operation, which takes its new version if something changed.</param>
    /// <param name="wanted">The rows of the revision's attachments (<see cref="AttachmentTables.OfRevision"/>).</param>
    internal void Execute(DocumentWriter writer, ref DocumentOperation operation, List<NativeSlice> wanted)
    {
        Span<byte> prefix = stackalloc byte[AttachmentKey.SizeBytesMax];
        prefix = prefix[..AttachmentKey.WritePrefix(prefix, operation.Key.Span)];
        List<NativeSlice> left = writer.Attachments.KeysOf(prefix, arena);
        bool isChanged = false;
        foreach (NativeSlice row in wanted)
        {
            AttachmentKey.TryMake(
                arena, operation.Key.Span, AttachmentLayout.Name(row).Span, out NativeSlice key, out _);
            left.RemoveAll(one => one.Span.SequenceEqual(key.Span));
            if (!writer.Attachments.TryFind(key.Span, out NativeSlice there) || !IsSame(there, row))
            {
                Link(writer, in operation, key, row);
                isChanged = true;
            }
        }

        foreach (NativeSlice key in left)
        {
            writer.DeleteAttachment(key.Span, operation.Id.Span);
            isChanged = true;
        }

        if (isChanged)
        {
            bool any = wanted.Count > 0;
            writer.Versions.Touch(
                ref operation, arena, any ? DocumentFlags.HasAttachments : DocumentFlags.None,
                any ? DocumentFlags.None : DocumentFlags.HasAttachments);
        }
    }

    private static bool IsSame(NativeSlice left, NativeSlice right) =>
        AttachmentLayout.Hash(left).Span.SequenceEqual(AttachmentLayout.Hash(right).Span)
        && AttachmentLayout.Name(left).Span.SequenceEqual(AttachmentLayout.Name(right).Span)
        && AttachmentLayout.ContentType(left).Span.SequenceEqual(AttachmentLayout.ContentType(right).Span);

    private void Link(DocumentWriter writer, in DocumentOperation operation, NativeSlice key, NativeSlice row)
    {
        RowHeader header = RowLayout.ReadHeader(row.Span);
        header.Etag = writer.Tables.NextEtag();
        header.LastModifiedTicks = writer.Now.Ticks;
        NativeSlice room = arena.Allocate(ChangeVector.LocalSizeBytesMax);
        ReadOnlySpan<byte> vector = room.Span[..writer.FormatChangeVector(room.WritableSpan, header.Etag)];
        var content = new AttachmentContent
        {
            Name = AttachmentLayout.Name(row),
            ContentType = AttachmentLayout.ContentType(row),
            Hash = AttachmentLayout.Hash(row),
            Size = AttachmentLayout.Size(row),
        };
        writer.Attachments.Put(key.Span, in header, operation.Id.Span, vector, in content);
    }
}
