using System.Buffers.Binary;

namespace Raven.Documents.Rows.Series;

/// <summary>What a segment says of the values of one column, so that aggregates need not read them.</summary>
internal struct ColumnSummary
{
    internal const int SizeBytes = (5 * sizeof(double)) + sizeof(int);

    /// <summary>How many points have a value in this column.</summary>
    internal int Count { get; private set; }

    /// <summary>The earliest value.</summary>
    internal double First { get; private set; }

    /// <summary>The latest value.</summary>
    internal double Last { get; private set; }

    /// <summary>The smallest value.</summary>
    internal double Min { get; private set; }

    /// <summary>The largest value.</summary>
    internal double Max { get; private set; }

    /// <summary>The sum, added in the order of the times.</summary>
    internal double Sum { get; private set; }

    internal static ColumnSummary Read(ReadOnlySpan<byte> source) => new()
    {
        First = BinaryPrimitives.ReadDoubleLittleEndian(source),
        Last = BinaryPrimitives.ReadDoubleLittleEndian(source[8..]),
        Min = BinaryPrimitives.ReadDoubleLittleEndian(source[16..]),
        Max = BinaryPrimitives.ReadDoubleLittleEndian(source[24..]),
        Sum = BinaryPrimitives.ReadDoubleLittleEndian(source[32..]),
        Count = BinaryPrimitives.ReadInt32LittleEndian(source[40..]),
    };

    internal readonly void Write(Span<byte> target)
    {
        BinaryPrimitives.WriteDoubleLittleEndian(target, First);
        BinaryPrimitives.WriteDoubleLittleEndian(target[8..], Last);
        BinaryPrimitives.WriteDoubleLittleEndian(target[16..], Min);
        BinaryPrimitives.WriteDoubleLittleEndian(target[24..], Max);
        BinaryPrimitives.WriteDoubleLittleEndian(target[32..], Sum);
        BinaryPrimitives.WriteInt32LittleEndian(target[40..], Count);
    }

    /// <summary>Adds a value behind the others.</summary>
    internal void Add(double value)
    {
        Min = Count == 0 ? value : Math.Min(Min, value);
        Max = Count == 0 ? value : Math.Max(Max, value);
        First = Count == 0 ? value : First;
        Last = value;
        Sum += value;
        Count++;
    }

    /// <summary>Adds a summary of later values.</summary>
    internal void Add(in ColumnSummary later)
    {
        if (later.Count == 0)
        {
            return;
        }

        Min = Count == 0 ? later.Min : Math.Min(Min, later.Min);
        Max = Count == 0 ? later.Max : Math.Max(Max, later.Max);
        First = Count == 0 ? later.First : First;
        Last = later.Last;
        Sum += later.Sum;
        Count += later.Count;
    }
}
