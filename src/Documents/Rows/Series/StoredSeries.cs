using System.Buffers.Binary;
using Raven.Blittable.Memory;

namespace Raven.Documents.Rows.Series;

//   OFFSET  SIZE  FIELD
//        0     8  Count    points
//        8     8  First    time of the first point, ms since 0001-01-01
//       16     8  Last     time of the last point
//       24     8  Etag     the last change of the series
//       32     4  (zero)
//       36     .  Name     UTF-8, as it was first written

/// <summary>What is stored of a time series beside its segments; valid as long as the transaction that it came
/// from.</summary>
public readonly struct StoredSeries
{
    internal const int NameOffset = 36;

    private readonly NativeSlice _row;

    internal StoredSeries(NativeSlice row) => _row = row;

    /// <summary>How many points it has.</summary>
    public long Count => BinaryPrimitives.ReadInt64LittleEndian(_row.Span);

    /// <summary>The time of its first point, in ms since 0001-01-01.</summary>
    public long First => BinaryPrimitives.ReadInt64LittleEndian(_row.Span[8..]);

    /// <summary>The time of its last point, in ms since 0001-01-01.</summary>
    public long Last => BinaryPrimitives.ReadInt64LittleEndian(_row.Span[16..]);

    /// <summary>The last change of it.</summary>
    public long Etag => BinaryPrimitives.ReadInt64LittleEndian(_row.Span[24..]);

    /// <summary>Its name, UTF-8, as it was first written.</summary>
    public NativeSlice Name => _row.Slice(NameOffset);

    internal static void Write(Span<byte> row, long count, long first, long last, long etag, ReadOnlySpan<byte> name)
    {
        BinaryPrimitives.WriteInt64LittleEndian(row, count);
        BinaryPrimitives.WriteInt64LittleEndian(row[8..], first);
        BinaryPrimitives.WriteInt64LittleEndian(row[16..], last);
        BinaryPrimitives.WriteInt64LittleEndian(row[24..], etag);
        row[32..NameOffset].Clear();
        name.CopyTo(row[NameOffset..]);
    }
}
