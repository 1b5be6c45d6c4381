using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;

namespace Raven.Documents.Rows.Series;

/// <summary>
/// The key of a time series: the folded id of its document, 0x1E, its folded name. That of a segment has 0x1E and the
/// time of its first point behind it, so that segments follow each other in the order of time.
/// </summary>
public static class SeriesKey
{
    /// <summary>The longest key of a series.</summary>
    public const int SizeBytesMax = (2 * DocumentId.SizeBytesMax) + 1;

    internal const int SegmentSizeBytesMax = SizeBytesMax + 1 + sizeof(long);

    /// <summary>Writes the key of a series.</summary>
    /// <param name="target">At least <see cref="SizeBytesMax"/> bytes.</param>
    /// <param name="documentKey">The folded id of its document.</param>
    /// <param name="name">Its name in any case, UTF-8, which follows the rules of ids.</param>
    /// <param name="length">The bytes of the key.</param>
    /// <param name="error">What is wrong with the name.</param>
    public static bool TryWrite(
        Span<byte> target, ReadOnlySpan<byte> documentKey, ReadOnlySpan<byte> name, out int length,
        out DocumentIdError error)
    {
        int prefix = WritePrefix(target, documentKey);
        bool isName = DocumentId.TryFold(name, target[prefix..], out int nameLength, out error);
        length = isName ? prefix + nameLength : 0;
        return isName;
    }

    /// <summary>The same key in an arena, if the name is valid.</summary>
    internal static bool TryCreate(
        Arena arena, ReadOnlySpan<byte> documentKey, ReadOnlySpan<byte> name, out NativeSlice key,
        out DocumentIdError error)
    {
        Span<byte> room = stackalloc byte[SizeBytesMax];
        bool isName = TryWrite(room, documentKey, name, out int length, out error);
        key = isName ? arena.Allocate(length) : default;
        if (isName)
        {
            room[..length].CopyTo(key.WritableSpan);
        }

        return isName;
    }

    /// <summary>Writes what the keys of all series of a document begin with.</summary>
    internal static int WritePrefix(Span<byte> target, ReadOnlySpan<byte> documentKey)
    {
        documentKey.CopyTo(target);
        target[documentKey.Length] = TombstoneKey.Separator;
        return documentKey.Length + 1;
    }

    /// <summary>Writes the key of the segment that begins at a time.</summary>
    internal static int WriteSegment(Span<byte> target, ReadOnlySpan<byte> series, long first)
    {
        int prefix = WritePrefix(target, series);
        BinaryPrimitives.WriteInt64BigEndian(target[prefix..], first);
        return prefix + sizeof(long);
    }
}
