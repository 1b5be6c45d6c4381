using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Attachments;

/// <summary>Takes an attachment from a document. If there is none, nothing happens.</summary>
/// <param name="arena">The memory of what it keeps.</param>
/// <param name="key">The key of the attachment.</param>
/// <param name="name">Its name.</param>
public sealed class AttachmentDeleteAction(Arena arena, NativeSlice key, NativeSlice name) : AttachmentAction(arena)
{
    /// <summary>The name of the attachment, UTF-8.</summary>
    public NativeSlice Name => name;

    internal override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena arena,
        out CommandFailure failure)
    {
        // If the document does not exist, its attachment does not either.
        failure = default;
        return true;
    }

    internal override OperationTrace TraceAfter(OperationTrace before) => before;

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        operation.IsChanged = false;
        operation.ChangeVector = default;
        CheckVersion(writer, in operation, key, name, Arena);
        if (!writer.Attachments.TryFind(key.Span, out _))
        {
            return;
        }

        DocumentFlags lost = Unlink(writer, operation.Key.Span, operation.Id.Span, key);
        writer.Versions.Touch(ref operation, Arena, DocumentFlags.None, lost);
    }
}
