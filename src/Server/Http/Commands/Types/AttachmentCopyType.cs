using Raven.Blittable.Memory;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Ids;

namespace Raven.Server.Http.Commands.Types;

/// <summary><c>AttachmentCOPY</c> and <c>AttachmentMOVE</c>.</summary>
internal sealed class AttachmentCopyType(bool isMove) : BatchCommandType
{
    /// <inheritdoc/>
    internal override string Name => isMove ? "AttachmentMOVE" : "AttachmentCOPY";

    /// <inheritdoc/>
    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        Arena arena = batch.Context.Arena;
        NativeSlice name = command.Text("Name"u8, arena, index);
        NativeSlice targetId = command.Text("DestinationId"u8, arena, index);
        NativeSlice targetName = command.Text("DestinationName"u8, arena, index);
        NativeSlice targetKey = AttachmentFields.Key(arena, targetId.Span, targetName.Span);
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(targetId.Span, folded, out int length, out _);
        NativeSlice targetDocument = arena.Allocate(length);
        folded[..length].CopyTo(targetDocument.WritableSpan);
        var action = new AttachmentCopyAction(arena)
        {
            IsMove = isMove,
            Key = AttachmentFields.Key(arena, command.Id.Span, name.Span),
            Name = name,
            TargetId = targetId,
            TargetDocumentKey = targetDocument,
            TargetKey = targetKey,
            TargetName = targetName,
        };
        return batch.TryAddAction(
            command.Id.Span,
            action,
            command.HasChangeVector ? ExpectedVersion.Of(command.ChangeVector.Span) : ExpectedVersion.Any);
    }
}
