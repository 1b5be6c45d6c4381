using System.Runtime.CompilerServices;

namespace Raven.Blittable.Format;

//   A document, drawn in full in docs/formats/blittable.md:
//
//   values | metadata of objects and arrays, each behind its values | names | name table | trailer
//
//   TRAILER, read from the end:
//     last byte      bits 0-1  size code of the two distances (0 = 1, 1 = 2, 2 = 4 bytes)
//                    bits 2-3  size code of the offsets in the name table
//                    bits 4-7  version of the format, 1
//     last - 1       token of the root value
//     before that    distance from the trailer's start back to the name table
//     before that    distance from the trailer's start back to the root value; here the trailer starts

/// <summary>The constants of the document format, and the reading of its trailer.</summary>
internal static class BlittableFormat
{
    /// <summary>The version in the last byte of every document.</summary>
    internal const int Version = 1;

    /// <summary>The shortest document: a scalar or an empty container, no names.</summary>
    internal const int DocumentSizeBytesMin = 5;

    /// <summary>How deep objects and arrays may nest unless an option is set.</summary>
    internal const int DepthMaxDefault = 128;

    /// <summary>How deep any document may nest, whatever the options are: readers recurse.</summary>
    internal const int DepthMax = 512;

    /// <summary>Strings of more bytes are compressed by LZ4, shorter ones by the dictionary.</summary>
    internal const int ShortStringLengthMax = 128;

    /// <summary>Reads an unsigned number of 1, 2 or 4 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int ReadSized(ref byte source, int sizeCode) => sizeCode switch
    {
        0 => source,
        1 => Unsafe.ReadUnaligned<ushort>(ref source),
        _ => Unsafe.ReadUnaligned<int>(ref source),
    };

    /// <summary>Writes an unsigned number of 1, 2 or 4 bytes; returns the size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int WriteSized(ref byte target, int sizeCode, int value)
    {
        switch (sizeCode)
        {
            case 0:
                target = (byte)value;
                return 1;
            case 1:
                Unsafe.WriteUnaligned(ref target, (ushort)value);
                return 2;
            default:
                Unsafe.WriteUnaligned(ref target, value);
                return 4;
        }
    }
}
