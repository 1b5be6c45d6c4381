using System.Buffers.Binary;
using System.Text;
using Raven.Search.Spatial;
using Raven.Storage.Checksums;

namespace Raven.Search.Segments;

// A term is a kind and what follows it; byte order is the order of values:
//   1                    null
//   2, 3                 false, true
//   4 DOUBLE REST        a number: the nearest double, its bits turned so that bytes compare as numbers (8,
//                        big-endian), then how much a 64-bit integer exceeds that double, plus 32,768 (2, big-endian)
//   5 MORTON             a point: latitude and longitude, 32 bits each, interleaved (8, big-endian)
//   6 TEXT               a string; one longer than TextSizeBytesMax is cut and ends in the hash of the whole
//   7 SHAPE              a shape that is no point: see ShapeCode

/// <summary>How values become terms of a dictionary.</summary>
internal static class TermCode
{
    internal const byte Null = 1;
    internal const byte False = 2;
    internal const byte True = 3;
    internal const byte Number = 4;
    internal const byte Point = 5;
    internal const byte Text = 6;
    internal const byte Shape = 7;

    internal const int NumberSize = 11;
    internal const int PointSize = 9;
    internal const int TextSizeBytesMax = 1000;
    internal const int SizeBytesMax = TextSizeBytesMax + 9;

    private const double TwoTo63 = 9223372036854775808.0;

    internal static int WriteNumber(Span<byte> target, long value)
    {
        double nearest = value;
        long rest = nearest == TwoTo63 ? value - long.MaxValue - 1 : value - (long)nearest;
        return WriteNumber(target, nearest, (int)rest);
    }

    internal static int WriteNumber(Span<byte> target, double value) => WriteNumber(target, value + 0.0, 0);

    internal static int WriteText(Span<byte> target, ReadOnlySpan<byte> text)
    {
        target[0] = Text;
        if (text.Length <= TextSizeBytesMax)
        {
            text.CopyTo(target[1..]);
            return 1 + text.Length;
        }

        text[..TextSizeBytesMax].CopyTo(target[1..]);
        BinaryPrimitives.WriteUInt64BigEndian(target[(TextSizeBytesMax + 1)..], XxHash3.Hash(text, 0));
        return SizeBytesMax;
    }

    /// <summary>The number of a term of its kind.</summary>
    internal static double ReadDouble(ReadOnlySpan<byte> term)
    {
        ulong bits = BinaryPrimitives.ReadUInt64BigEndian(term[1..]);
        bits = (bits >> 63) != 0 ? bits ^ (1UL << 63) : ~bits;
        return BitConverter.UInt64BitsToDouble(bits);
    }

    /// <summary>What a 64-bit integer has over <see cref="ReadDouble"/>.</summary>
    internal static int ReadRest(ReadOnlySpan<byte> term) => BinaryPrimitives.ReadUInt16BigEndian(term[9..]) - 32768;

    /// <summary>The number as an integer, where it is one.</summary>
    internal static bool TryReadInt64(ReadOnlySpan<byte> term, out long value)
    {
        double nearest = ReadDouble(term);
        int rest = ReadRest(term);
        value = 0;
        if (nearest != Math.Floor(nearest) || nearest < -TwoTo63 || nearest > TwoTo63
            || (nearest == TwoTo63 && rest >= 0))
        {
            return false;
        }

        value = nearest == TwoTo63 ? long.MaxValue + rest + 1 : (long)nearest + rest;
        return true;
    }

    /// <summary>The value of a term: null, a bool, long, double or string, of a cut one what was kept.</summary>
    internal static object? ReadValue(ReadOnlySpan<byte> term) => term[0] switch
    {
        Null => null,
        False => false,
        True => true,
        Number => TryReadInt64(term, out long integer) ? integer : (object)ReadDouble(term),
        Point or Shape => SpatialText.Of(term),
        _ => Encoding.UTF8.GetString(term[1..Math.Min(term.Length, TextSizeBytesMax + 1)]),
    };

    private static int WriteNumber(Span<byte> target, double nearest, int rest)
    {
        target[0] = Number;
        ulong bits = BitConverter.DoubleToUInt64Bits(nearest);
        bits = (bits >> 63) != 0 ? ~bits : bits ^ (1UL << 63);
        BinaryPrimitives.WriteUInt64BigEndian(target[1..], bits);
        BinaryPrimitives.WriteUInt16BigEndian(target[9..], (ushort)(rest + 32768));
        return NumberSize;
    }
}
