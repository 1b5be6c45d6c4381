using Raven.Blittable.Memory;
using Raven.Documents.Ids;

namespace Raven.Documents.Commands;

/// <summary>Sets the ids and keys of an operation, in the memory of its batch.</summary>
internal static class OperationIds
{
    /// <summary>Sets the id of a document, as it is.</summary>
    internal static bool TrySetExact(
        ref DocumentOperation operation, ReadOnlySpan<byte> id, Arena arena, out DocumentIdError error)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(id, key, out int length, out error))
        {
            return false;
        }

        operation.Id = Copy(arena, id);
        operation.RequestedId = operation.Id;
        operation.Key = Copy(arena, key[..length]);
        return true;
    }

    /// <summary>Sets the id of a document, or a form that the server completes: <see cref="ServerMadeId"/>.</summary>
    internal static bool TrySet(
        ref DocumentOperation operation, ReadOnlySpan<byte> id, Arena arena, out DocumentIdError error)
    {
        operation.Request = ServerMadeId.KindOf(id);
        if (operation.Request == IdRequestKind.Exact)
        {
            return TrySetExact(ref operation, id, arena, out error);
        }

        // The longest completion must fit, so that nothing can fail later.
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        int length = 0;
        error = new(DocumentIdProblem.TooLong, id.Length + ServerMadeId.CompletionSizeBytesMax);
        if (id.Length + ServerMadeId.CompletionSizeBytesMax > DocumentId.SizeBytesMax
            || (!id.IsEmpty && !DocumentId.TryFold(id, key, out length, out error))
            || length + ServerMadeId.CompletionSizeBytesMax > DocumentId.SizeBytesMax)
        {
            return false;
        }

        operation.RequestedId = Copy(arena, id);
        operation.Id = operation.RequestedId;
        operation.RequestedKey = Copy(arena, key[..length]);
        operation.IdBuffer = arena.Allocate(id.Length + ServerMadeId.CompletionSizeBytesMax);
        operation.KeyBuffer = arena.Allocate(length + ServerMadeId.CompletionSizeBytesMax);
        return true;
    }

    internal static NativeSlice Copy(Arena arena, ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
        {
            return default;
        }

        NativeSlice copy = arena.Allocate(bytes.Length);
        bytes.CopyTo(copy.WritableSpan);
        return copy;
    }
}
