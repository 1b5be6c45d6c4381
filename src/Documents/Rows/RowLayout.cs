using System.Buffers.Binary;
using System.Diagnostics;
using Raven.Blittable.Memory;

namespace Raven.Documents.Rows;

//   OFFSET  SIZE  FIELD
//        0     8  Etag                the change that wrote this row; unique in the database, only grows
//        8     8  LastModified        UTC, 100 ns since 0001-01-01
//       16     4  Flags               DocumentFlags
//       20     4  CollectionId        a number of the Collections tree
//       24     2  IdLength            1..512
//       26     2  ChangeVectorLength  1..65535
//       28     1  Kind                RowKind; in a tombstone, of what was deleted
//       29     1  IsTombstone         1 in a tombstone
//       30     2  (zero)
//       32     .  Id                  UTF-8, as the last put wrote it
//        .     .  ChangeVector        text, holds the database's id
//        .     .  Body                Document: a blittable to the end of the row
//                                     Tombstone: 8 bytes, the etag of the version that was deleted
//
//   ROW-1  The row's key (the folded id) is not in the row: it is DocumentId's folding of Id.
//   ROW-2  IdLength and ChangeVectorLength lie inside the row.

/// <summary>
/// How the rows of documents and tombstones lie in storage. Little-endian; see docs/formats/documents.md.
/// </summary>
internal static class RowLayout
{
    internal const int HeaderSizeBytes = 32;
    internal const int TombstoneBodySizeBytes = sizeof(long);

    internal const int EtagOffset = 0;
    internal const int LastModifiedOffset = 8;
    internal const int FlagsOffset = 16;
    internal const int CollectionIdOffset = 20;
    internal const int IdLengthOffset = 24;
    internal const int ChangeVectorLengthOffset = 26;
    internal const int KindOffset = 28;
    internal const int IsTombstoneOffset = 29;

    /// <summary>The size of a row.</summary>
    internal static int SizeOf(int idLength, int changeVectorLength, int bodyLength) =>
        checked(HeaderSizeBytes + idLength + changeVectorLength + bodyLength);

    /// <summary>Writes all of a row but its body.</summary>
    /// <param name="row">The row's memory, of the size that <see cref="SizeOf"/> gave.</param>
    /// <param name="header">Its fixed fields.</param>
    /// <param name="id">The id as the client wrote it.</param>
    /// <param name="changeVector">The version.</param>
    /// <returns>The memory of the body, to be filled by the caller.</returns>
    internal static Span<byte> Write(
        Span<byte> row, in RowHeader header, ReadOnlySpan<byte> id, ReadOnlySpan<byte> changeVector)
    {
        Debug.Assert(id.Length is > 0 and <= Ids.DocumentId.SizeBytesMax, "ROW-2");
        BinaryPrimitives.WriteInt64LittleEndian(row[EtagOffset..], header.Etag);
        BinaryPrimitives.WriteInt64LittleEndian(row[LastModifiedOffset..], header.LastModifiedTicks);
        BinaryPrimitives.WriteInt32LittleEndian(row[FlagsOffset..], (int)header.Flags);
        BinaryPrimitives.WriteInt32LittleEndian(row[CollectionIdOffset..], header.CollectionId);
        BinaryPrimitives.WriteUInt16LittleEndian(row[IdLengthOffset..], (ushort)id.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(row[ChangeVectorLengthOffset..], checked((ushort)changeVector.Length));
        row[KindOffset] = (byte)header.Kind;
        row[IsTombstoneOffset] = header.IsTombstone ? (byte)1 : (byte)0;
        row[(IsTombstoneOffset + 1)..HeaderSizeBytes].Clear();
        id.CopyTo(row[HeaderSizeBytes..]);
        changeVector.CopyTo(row[(HeaderSizeBytes + id.Length)..]);
        return row[(HeaderSizeBytes + id.Length + changeVector.Length)..];
    }

    /// <summary>The fixed fields of a row.</summary>
    internal static RowHeader ReadHeader(ReadOnlySpan<byte> row)
    {
        Debug.Assert(row.Length >= HeaderSizeBytes, "ROW-2");
        return new RowHeader
        {
            Etag = BinaryPrimitives.ReadInt64LittleEndian(row[EtagOffset..]),
            LastModifiedTicks = BinaryPrimitives.ReadInt64LittleEndian(row[LastModifiedOffset..]),
            Flags = (DocumentFlags)BinaryPrimitives.ReadInt32LittleEndian(row[FlagsOffset..]),
            CollectionId = BinaryPrimitives.ReadInt32LittleEndian(row[CollectionIdOffset..]),
            Kind = (RowKind)row[KindOffset],
            IsTombstone = row[IsTombstoneOffset] != 0,
        };
    }

    /// <summary>The row's id.</summary>
    internal static NativeSlice Id(NativeSlice row) => row.Slice(HeaderSizeBytes, IdLength(row.Span));

    /// <summary>The row's change vector.</summary>
    internal static NativeSlice ChangeVector(NativeSlice row)
    {
        ReadOnlySpan<byte> bytes = row.Span;
        return row.Slice(HeaderSizeBytes + IdLength(bytes), ChangeVectorLength(bytes));
    }

    /// <summary>What follows the change vector.</summary>
    internal static NativeSlice Body(NativeSlice row)
    {
        ReadOnlySpan<byte> bytes = row.Span;
        return row.Slice(HeaderSizeBytes + IdLength(bytes) + ChangeVectorLength(bytes));
    }

    private static int IdLength(ReadOnlySpan<byte> row) =>
        BinaryPrimitives.ReadUInt16LittleEndian(row[IdLengthOffset..]);

    private static int ChangeVectorLength(ReadOnlySpan<byte> row) =>
        BinaryPrimitives.ReadUInt16LittleEndian(row[ChangeVectorLengthOffset..]);
}
