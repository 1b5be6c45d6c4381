using System.Buffers.Binary;

namespace Raven.Documents.Rows.Series;

//   OFFSET  SIZE  FIELD
//        0     1  Kind        1: open (OpenSegment), 2: sealed (SealedSegment)
//        1     1  Width       1 to 32: values of the point that has most
//        2     2  Count       points, at least 1
//        4     1  Flags       1: full, it takes no more points; 2: points differ in their number of values; 4: has tags
//        5     1  (zero)
//        6     2  NameLength
//        8     8  First       time of the first point, ms since 0001-01-01
//       16     8  Last        time of the last point
//       24     4  TagBytes
//       28     4  DataBytes
//       32    44  for each column: First, Last, Min, Max, Sum (double each), Count (int32)
//        .     .  Name        of the series, UTF-8, as it was first written
//        .     .  Tags        each its length (1 byte) and its bytes
//        .     .  Data
//        .     .  (zero)      of a sealed one seven bytes, of an open one the room for what comes
//
//   SEG-1  Times rise from point to point, and from one segment of a series to the next.

/// <summary>The head of a segment, and where its parts are.</summary>
internal struct SegmentHead
{
    internal const int SizeBytes = 32;
    internal const byte Open = 1;
    internal const byte Sealed = 2;

    private const byte FullFlag = 1;
    private const byte MixedFlag = 2;
    private const byte TaggedFlag = 4;

    internal byte Kind;
    internal int Width;
    internal int Count;
    internal bool IsFull;
    internal bool IsMixed;
    internal bool IsTagged;
    internal int NameLength;
    internal long First;
    internal long Last;
    internal int TagBytes;
    internal int DataBytes;

    internal readonly int NameOffset => SizeBytes + (Width * ColumnSummary.SizeBytes);

    internal readonly int TagsOffset => NameOffset + NameLength;

    internal readonly int DataOffset => TagsOffset + TagBytes;

    /// <summary>The bytes without those of zero at the end.</summary>
    internal readonly int Length => DataOffset + DataBytes;

    internal static SegmentHead Read(ReadOnlySpan<byte> body)
    {
        byte flags = body[4];
        return new SegmentHead
        {
            Kind = body[0],
            Width = body[1],
            Count = BinaryPrimitives.ReadUInt16LittleEndian(body[2..]),
            IsFull = (flags & FullFlag) != 0,
            IsMixed = (flags & MixedFlag) != 0,
            IsTagged = (flags & TaggedFlag) != 0,
            NameLength = BinaryPrimitives.ReadUInt16LittleEndian(body[6..]),
            First = BinaryPrimitives.ReadInt64LittleEndian(body[8..]),
            Last = BinaryPrimitives.ReadInt64LittleEndian(body[16..]),
            TagBytes = BinaryPrimitives.ReadInt32LittleEndian(body[24..]),
            DataBytes = BinaryPrimitives.ReadInt32LittleEndian(body[28..]),
        };
    }

    internal readonly void Write(Span<byte> body)
    {
        body[0] = Kind;
        body[1] = (byte)Width;
        BinaryPrimitives.WriteUInt16LittleEndian(body[2..], (ushort)Count);
        body[4] = (byte)((IsFull ? FullFlag : 0) | (IsMixed ? MixedFlag : 0) | (IsTagged ? TaggedFlag : 0));
        body[5] = 0;
        BinaryPrimitives.WriteUInt16LittleEndian(body[6..], (ushort)NameLength);
        BinaryPrimitives.WriteInt64LittleEndian(body[8..], First);
        BinaryPrimitives.WriteInt64LittleEndian(body[16..], Last);
        BinaryPrimitives.WriteInt32LittleEndian(body[24..], TagBytes);
        BinaryPrimitives.WriteInt32LittleEndian(body[28..], DataBytes);
    }

    /// <summary>The name of the series.</summary>
    internal readonly ReadOnlySpan<byte> Name(ReadOnlySpan<byte> body) => body.Slice(NameOffset, NameLength);

    /// <summary>The summary of a column.</summary>
    internal static ColumnSummary Summary(ReadOnlySpan<byte> body, int column) =>
        ColumnSummary.Read(body[(SizeBytes + (column * ColumnSummary.SizeBytes))..]);

    /// <summary>The tags of a segment become those of a list; their numbers in it are the result.</summary>
    /// <param name="body">The segment.</param>
    /// <param name="tags">Takes the tags.</param>
    /// <param name="numbers">Room for 256; takes the number of each tag, with 0 for none.</param>
    internal readonly void ReadTags(ReadOnlySpan<byte> body, TagList tags, Span<int> numbers)
    {
        numbers[0] = 0;
        ReadOnlySpan<byte> rest = body.Slice(TagsOffset, TagBytes);
        for (int i = 1; !rest.IsEmpty; i++)
        {
            numbers[i] = tags.Add(rest.Slice(1, rest[0]));
            rest = rest[(1 + rest[0])..];
        }
    }
}
