using System.Buffers.Binary;
using Raven.Blittable.Memory;

namespace Raven.Documents.Rows;

//   The body of an attachment's row (RowLayout, Kind 4; its Id is the document's):
//   OFFSET  SIZE  FIELD
//        0    32  Hash               SHA-256 of the bytes: the name of their stream
//       32     8  Size               of the bytes
//       40     2  NameLength         1..512
//       42     2  ContentTypeLength  0..512
//       44     .  Name               UTF-8, as the last put wrote it
//        .     .  ContentType        UTF-8

/// <summary>How the link from a document to an attachment's bytes lies in storage. Little-endian.</summary>
internal static class AttachmentLayout
{
    internal const int FixedSizeBytes = 44;

    private const int SizeOffset = AttachmentHash.SizeBytes;
    private const int NameLengthOffset = 40;
    private const int ContentTypeLengthOffset = 42;

    /// <summary>The size of a body.</summary>
    internal static int SizeOf(int nameLength, int contentTypeLength) =>
        FixedSizeBytes + nameLength + contentTypeLength;

    /// <summary>Writes a body.</summary>
    internal static void Write(
        Span<byte> body, ReadOnlySpan<byte> hash, long size, ReadOnlySpan<byte> name, ReadOnlySpan<byte> contentType)
    {
        hash.CopyTo(body);
        BinaryPrimitives.WriteInt64LittleEndian(body[SizeOffset..], size);
        BinaryPrimitives.WriteUInt16LittleEndian(body[NameLengthOffset..], (ushort)name.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(body[ContentTypeLengthOffset..], (ushort)contentType.Length);
        name.CopyTo(body[FixedSizeBytes..]);
        contentType.CopyTo(body[(FixedSizeBytes + name.Length)..]);
    }

    internal static NativeSlice Hash(NativeSlice row) => RowLayout.Body(row).Slice(0, AttachmentHash.SizeBytes);

    internal static long Size(NativeSlice row) =>
        BinaryPrimitives.ReadInt64LittleEndian(RowLayout.Body(row).Span[SizeOffset..]);

    internal static NativeSlice Name(NativeSlice row)
    {
        NativeSlice body = RowLayout.Body(row);
        return body.Slice(FixedSizeBytes, BinaryPrimitives.ReadUInt16LittleEndian(body.Span[NameLengthOffset..]));
    }

    internal static NativeSlice ContentType(NativeSlice row)
    {
        NativeSlice body = RowLayout.Body(row);
        ReadOnlySpan<byte> bytes = body.Span;
        return body.Slice(
            FixedSizeBytes + BinaryPrimitives.ReadUInt16LittleEndian(bytes[NameLengthOffset..]),
            BinaryPrimitives.ReadUInt16LittleEndian(bytes[ContentTypeLengthOffset..]));
    }
}
