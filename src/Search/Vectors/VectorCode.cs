using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Search.Fields;

namespace Raven.Search.Vectors;

// The format of a record is in docs/formats/index.md.

/// <summary>Vectors as a segment keeps them, a record each, all of a field of one size.</summary>
internal static class VectorCode
{
    /// <summary>The greatest number of an Int8 vector.</summary>
    private const float Int8Max = 127;

    /// <summary>Bytes of a record.</summary>
    internal static int SizeOf(VectorFormat format, int dimensions) => format switch
    {
        VectorFormat.Single => dimensions * sizeof(float),
        VectorFormat.Int8 => sizeof(float) + ((dimensions + 3) & ~3),
        _ => (dimensions + 63) / 64 * sizeof(ulong),
    };

    /// <summary>Writes a record of numbers as they are, finite ones.</summary>
    internal static void Write(VectorFormat format, ReadOnlySpan<float> vector, Span<byte> record)
    {
        switch (format)
        {
            case VectorFormat.Single:
                WriteUnit(vector, MemoryMarshal.Cast<byte, float>(record));
                break;
            case VectorFormat.Int8:
                float scale = ScaleOf(vector);
                Span<byte> bytes = record[sizeof(float)..];
                for (int i = 0; i < vector.Length; i++)
                {
                    bytes[i] = (byte)(sbyte)MathF.Round(vector[i] * scale);
                }

                EndInt8(record, vector.Length);
                break;
            default:
                record.Clear();
                for (int i = 0; i < vector.Length; i++)
                {
                    record[i >> 3] |= (byte)(vector[i] >= 0 ? 0x80 >> (i & 7) : 0);
                }

                break;
        }
    }

    /// <summary>
    /// Writes an Int8 record of numbers that are bytes already. Their scale does not matter: a cosine is the same
    /// at any.
    /// </summary>
    internal static void Write(ReadOnlySpan<sbyte> vector, Span<byte> record)
    {
        Span<byte> bytes = record[sizeof(float)..];
        for (int i = 0; i < vector.Length; i++)
        {
            bytes[i] = (byte)Math.Max(vector[i], (sbyte)-Int8Max);
        }

        EndInt8(record, vector.Length);
    }

    /// <summary>Writes a Binary record of bits, the first number's the highest of the first byte.</summary>
    internal static void WriteBits(ReadOnlySpan<byte> bits, Span<byte> record)
    {
        record.Clear();
        bits.CopyTo(record);
    }

    /// <summary>
    /// The cosine of the angle between two vectors, from -1 to 1; 0 if one of them is all zeros. Of bits, that of
    /// vectors of 1 and -1.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static float Similarity(
        VectorFormat format, int dimensions, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        switch (format)
        {
            case VectorFormat.Single:
                float sum = DotProduct.Of(
                    MemoryMarshal.Cast<byte, float>(left), MemoryMarshal.Cast<byte, float>(right));
                return Math.Clamp(sum, -1, 1);
            case VectorFormat.Int8:
                int dot = DotProduct.Of(
                    MemoryMarshal.Cast<byte, sbyte>(left.Slice(sizeof(float), dimensions)),
                    MemoryMarshal.Cast<byte, sbyte>(right.Slice(sizeof(float), dimensions)));
                return Math.Clamp(
                    dot * (MemoryMarshal.Read<float>(left) * MemoryMarshal.Read<float>(right)), -1, 1);
            default:
                int different = DotProduct.Differences(
                    MemoryMarshal.Cast<byte, ulong>(left), MemoryMarshal.Cast<byte, ulong>(right));
                return 1 - (2f * different / dimensions);
        }
    }

    private static void WriteUnit(ReadOnlySpan<float> vector, Span<float> unit)
    {
        double squares = 0;
        foreach (float one in vector)
        {
            squares += (double)one * one;
        }

        double factor = squares > 0 ? 1 / Math.Sqrt(squares) : 0;
        for (int i = 0; i < vector.Length; i++)
        {
            unit[i] = (float)(vector[i] * factor);
        }
    }

    private static float ScaleOf(ReadOnlySpan<float> vector)
    {
        float greatest = 0;
        foreach (float one in vector)
        {
            greatest = Math.Max(greatest, Math.Abs(one));
        }

        float scale = greatest > 0 ? Int8Max / greatest : 0;
        return float.IsFinite(scale) ? scale : 0;
    }

    /// <summary>Writes the reciprocal of the length before the numbers, and zeros behind them.</summary>
    private static void EndInt8(Span<byte> record, int dimensions)
    {
        record[(sizeof(float) + dimensions)..].Clear();
        ReadOnlySpan<sbyte> numbers = MemoryMarshal.Cast<byte, sbyte>(record.Slice(sizeof(float), dimensions));
        int squares = DotProduct.Of(numbers, numbers);
        MemoryMarshal.Write(record, squares > 0 ? (float)(1 / Math.Sqrt(squares)) : 0f);
    }
}
