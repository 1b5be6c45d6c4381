using Raven.Blittable.Memory;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;

namespace Raven.Server.Http.Commands.Types;

/// <summary><c>AttachmentDELETE</c>.</summary>
internal sealed class AttachmentDeleteType : BatchCommandType
{
    /// <inheritdoc/>
    internal override string Name => "AttachmentDELETE";

    /// <inheritdoc/>
    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        Arena arena = batch.Context.Arena;
        NativeSlice name = command.Text("Name"u8, arena, index);
        NativeSlice key = AttachmentFields.Key(arena, command.Id.Span, name.Span);
        return batch.TryAddAction(
            command.Id.Span,
            new AttachmentDeleteAction(arena, key, name),
            command.HasChangeVector ? ExpectedVersion.Of(command.ChangeVector.Span) : ExpectedVersion.Any);
    }
}
