using Raven.Blittable.Memory;
using Raven.Documents.Ids;

namespace Raven.Documents.Rows;

/// <summary>The key of an attachment: its document's folded id, 0x1E, its own folded name.</summary>
public static class AttachmentKey
{
    /// <summary>The longest key.</summary>
    internal const int SizeBytesMax = (2 * DocumentId.SizeBytesMax) + 1;

    /// <summary>Writes what the keys of all attachments of a document begin with.</summary>
    internal static int WritePrefix(Span<byte> target, ReadOnlySpan<byte> documentKey)
    {
        documentKey.CopyTo(target);
        target[documentKey.Length] = TombstoneKey.Separator;
        return documentKey.Length + 1;
    }

    /// <summary>Makes a key in an arena.</summary>
    /// <param name="arena">The memory of the key.</param>
    /// <param name="documentKey">The document's folded id.</param>
    /// <param name="name">The name, not folded.</param>
    /// <param name="key">The key.</param>
    /// <param name="error">What is wrong with the name.</param>
    public static bool TryMake(
        Arena arena, ReadOnlySpan<byte> documentKey, ReadOnlySpan<byte> name, out NativeSlice key,
        out DocumentIdError error)
    {
        Span<byte> room = stackalloc byte[SizeBytesMax];
        int prefix = WritePrefix(room, documentKey);
        if (!DocumentId.TryFold(name, room[prefix..(prefix + DocumentId.SizeBytesMax)], out int length, out error))
        {
            key = default;
            return false;
        }

        key = arena.Allocate(prefix + length);
        room[..(prefix + length)].CopyTo(key.WritableSpan);
        return true;
    }
}
