using System.Buffers.Binary;

namespace Raven.Documents.Rows.Series;

//   OFFSET  SIZE  FIELD
//        0     8  Rule     hash of how frames are made from the series; 0 if none were
//        8     8  Made     all frames that begin before this time are made, but for those that are late
//       16     8  Retired  points before this time were removed by their policy, and their frames stay as they are
//       24     8  Due      when there is something to be done; the largest number for never

/// <summary>How far the roll-up and the retention of one time series have come. Times as in <see cref="SeriesTime"/>.
/// </summary>
internal struct RollupState
{
    internal const int SizeBytes = 32;

    internal const long Never = long.MaxValue;

    internal ulong Rule;
    internal long Made;
    internal long Retired;
    internal long Due;

    internal static RollupState Read(ReadOnlySpan<byte> source) => new()
    {
        Rule = BinaryPrimitives.ReadUInt64LittleEndian(source),
        Made = BinaryPrimitives.ReadInt64LittleEndian(source[8..]),
        Retired = BinaryPrimitives.ReadInt64LittleEndian(source[16..]),
        Due = BinaryPrimitives.ReadInt64LittleEndian(source[24..]),
    };

    internal readonly void Write(Span<byte> target)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(target, Rule);
        BinaryPrimitives.WriteInt64LittleEndian(target[8..], Made);
        BinaryPrimitives.WriteInt64LittleEndian(target[16..], Retired);
        BinaryPrimitives.WriteInt64LittleEndian(target[24..], Due);
    }
}
