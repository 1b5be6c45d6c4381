using System.Buffers.Binary;

namespace Raven.Search.Segments;

/// <summary>The structures of an index's environment, and their keys.</summary>
internal static class IndexNames
{
    internal const int FormatVersion = 3;

    /// <summary>The version of an index that has vectors in parts: set when the first of them are written.</summary>
    internal const int FormatVersionOfParts = 4;

    /// <summary>The version of an index that cuts long texts, and has vectors.</summary>
    internal const int FormatVersionOfCutTexts = 2;

    /// <summary>
    /// The version of an index that cuts long texts and has no vectors, from before vectors were added.
    /// </summary>
    internal const int FormatVersionWithoutVectors = 1;

    /// <summary>The version of an index of Lucene.</summary>
    internal const int FormatVersionOfLucene = 1001;

    /// <summary>The field that holds document ids.</summary>
    internal const int IdField = 0;

    /// <summary>Stands in for a field's number: the bytes stored with each entry.</summary>
    internal const int StoredBytes = 0xFFFF;

    internal const int FieldsMax = 0xFF00;

    internal const int ContentKeySize = 6;

    internal const int PartKeySize = 8;

    /// <summary>The part of a field of vectors that is its graph.</summary>
    internal const int GraphPart = 0;

    /// <summary>The first of the parts that have records of vectors.</summary>
    internal const int FirstRecordsPart = 1;

    internal const int DeletedChunkEntries = 2048;
    internal const int DeletedChunkBytes = DeletedChunkEntries / 8;

    internal static ReadOnlySpan<byte> Meta => "meta"u8;

    internal static ReadOnlySpan<byte> Segments => "segments"u8;

    internal static ReadOnlySpan<byte> Content => "content"u8;

    internal static ReadOnlySpan<byte> Deleted => "deleted"u8;

    internal static ReadOnlySpan<byte> FormatKey => "format"u8;

    internal static ReadOnlySpan<byte> PositionKey => "position"u8;

    internal static ReadOnlySpan<byte> FieldsKey => "fields"u8;

    internal static ReadOnlySpan<byte> NextSegmentKey => "next segment"u8;

    internal static void WriteContentKey(Span<byte> key, int segment, int field)
    {
        BinaryPrimitives.WriteInt32BigEndian(key, segment);
        BinaryPrimitives.WriteUInt16BigEndian(key[4..], (ushort)field);
    }

    internal static void WritePartKey(Span<byte> key, int segment, int field, int part)
    {
        WriteContentKey(key, segment, field);
        BinaryPrimitives.WriteUInt16BigEndian(key[ContentKeySize..], (ushort)part);
    }

    internal static long DeletedKey(int segment, int entry) =>
        ((long)segment << 32) | (uint)(entry / DeletedChunkEntries);
}
