using Raven.Blittable.Memory;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Server.Http.Commands.Types;

/// <summary>
/// <c>AttachmentPUT</c>: its bytes are a part of a multipart body, or follow it in a bulk insert; the reader of the
/// body completes the part.
/// </summary>
internal sealed class AttachmentPutType : BatchCommandType
{
    /// <inheritdoc/>
    internal override string Name => "AttachmentPUT";

    /// <inheritdoc/>
    internal override bool IsForBulkInsert => true;

    /// <inheritdoc/>
    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        Arena arena = batch.Context.Arena;
        NativeSlice contentType = command.Text("ContentType"u8, arena, index);
        AttachmentFields.CheckContentType(contentType.Span);
        NativeSlice name = command.Text("Name"u8, arena, index);
        NativeSlice key = AttachmentFields.Key(arena, command.Id.Span, name.Span);
        var content = new AttachmentContent { Name = name, ContentType = contentType };
        return batch.TryAddAction(
            command.Id.Span,
            new AttachmentPutAction(arena, key, content),
            command.HasChangeVector ? ExpectedVersion.Of(command.ChangeVector.Span) : ExpectedVersion.Any);
    }
}
