using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Attachments;

/// <summary>Takes an attachment from a document. If there is none, nothing happens.</summary>
internal sealed class AttachmentDeleteAction(Arena arena, NativeSlice key, NativeSlice name) : AttachmentAction(arena)
{
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

    public override void WriteResult(ref JsonOutput json, in DocumentOperation operation)
    {
        json.Name("Type"u8);
        json.String("AttachmentDELETE"u8);
        json.Name("@id"u8);
        json.String(operation.Id.Span);
        json.Name("Name"u8);
        json.String(name.Span);
        json.Name("DocumentChangeVector"u8);
        if (operation.ChangeVector.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.String(operation.ChangeVector.Span);
        }
    }
}
