using System.Buffers.Binary;

namespace Raven.Documents.Rows;

/// <summary>The keys of Tombstones.ByKey: what kind of thing was deleted, and its own key.</summary>
internal static class TombstoneKey
{
    /// <summary>Separates a key from what follows it; no id has it.</summary>
    internal const byte Separator = 0x1E;

    /// <summary>The kind, and the longest key of all: an attachment's.</summary>
    internal const int SizeBytesMax = 1 + Rows.AttachmentKey.SizeBytesMax;

    /// <summary>A folded id, a separator and a collection.</summary>
    internal const int LeftCollectionSizeBytesMax = Ids.DocumentId.SizeBytesMax + 1 + sizeof(int);

    /// <summary>Writes the kind and the key.</summary>
    internal static int Write(Span<byte> target, RowKind kind, ReadOnlySpan<byte> key)
    {
        target[0] = (byte)kind;
        key.CopyTo(target[1..]);
        return 1 + key.Length;
    }

    /// <summary>Writes the key of a document that left a collection, without the kind.</summary>
    internal static int WriteLeftCollection(Span<byte> target, ReadOnlySpan<byte> key, int collectionId)
    {
        key.CopyTo(target);
        target[key.Length] = Separator;
        BinaryPrimitives.WriteInt32LittleEndian(target[(key.Length + 1)..], collectionId);
        return key.Length + 1 + sizeof(int);
    }
}
