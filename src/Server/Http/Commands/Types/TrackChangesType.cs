using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Ids;

namespace Raven.Server.Http.Commands.Types;

/// <summary>
/// <c>BatchTrackChanges</c>: the versions of documents that a session has read besides those that it writes.
/// </summary>
internal sealed class TrackChangesType : BatchCommandType
{
    /// <inheritdoc/>
    internal override string Name => "BatchTrackChanges";

    /// <inheritdoc/>
    internal override bool NeedsId => false;

    /// <inheritdoc/>
    internal override bool TryAdd(RequestContext request, BatchCommand batch, in ScannedCommand command, int index)
    {
        if (!command.TryGetObject("TrackedEntities"u8, index, out BlittableObject entities))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"Command {index}: a BatchTrackChanges needs TrackedEntities, an object.");
        }

        Arena arena = batch.Context.Arena;
        TrackedVersionsAction action = new();
        for (int i = 0; i < entities.Count; i++)
        {
            BlittableProperty entity = entities.GetProperty(i);
            if (entity.Value.Kind is not ValueKind.String && !entity.Value.IsNull)
            {
                throw new BadRequestException(
                    400, ErrorType.Argument, $"Command {index}: a change vector in TrackedEntities must be a text.");
            }

            action.Add(
                Keep(entity.Name, arena), KeyOf(entity.Name, arena, index),
                entity.Value.IsNull ? default : entity.Value.GetUtf8(arena));
        }

        // An operation has an id; that of this one is of no document.
        return batch.TryAddAction("BatchTrackChanges"u8, action, ExpectedVersion.Any);
    }

    private static NativeSlice KeyOf(ReadOnlySpan<byte> id, Arena arena, int index)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        return DocumentId.TryFold(id, key, out int length, out DocumentIdError error)
            ? Keep(key[..length], arena)
            : throw new BadRequestException(
                400, ErrorType.Argument, $"Command {index}: TrackedEntities has a bad id: {error.Describe()}");
    }

    private static NativeSlice Keep(ReadOnlySpan<byte> text, Arena arena)
    {
        NativeSlice kept = arena.Allocate(Math.Max(1, text.Length));
        text.CopyTo(kept.WritableSpan);
        return kept.Slice(0, text.Length);
    }
}
