using System.Buffers;
using System.Buffers.Binary;
using System.Globalization;
using System.IO.Hashing;
using System.Text;
using Raven.Search.Spatial;

namespace Raven.Search.Segments;

// A term is a kind and what follows it; byte order is the order of values:
//   1                    null
//   2, 3                 false, true
//   4 DOUBLE REST        a number: the nearest double, its bits turned so that bytes compare as numbers (8,
//                        big-endian), then how much a whole number exceeds that double, plus 32,768 (2, big-endian);
//                        behind the ticks of a length of time a mark, 1: see DurationCode
//   5 MORTON             a point: latitude and longitude, 32 bits each, interleaved (8, big-endian)
//   6 TEXT               a string, whole; as an id, and in an index of version 1 or 2, one longer than CutTextSizeBytes
//                        is cut and ends in the hash of the whole
//   7 SHAPE              a shape that is no point: see ShapeCode
//   8                    in a field of full text: a text that is not empty and has no words

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
    internal const byte Wordless = 8;

    internal const int NumberSize = 11;
    internal const int PointSize = 9;
    internal const int CutTextSizeBytes = 1000;

    /// <summary>The size of a cut text, and the largest term that is no whole text.</summary>
    internal const int SizeBytesMax = CutTextSizeBytes + 9;

    /// <summary>Buffers that a long text made larger are not kept for the next one.</summary>
    private const int KeptBufferBytes = 64 << 10;

    /// <summary>More bytes than the digits of any number take.</summary>
    internal const int NumberTextSizeMax = 32;

    private const int RestMax = 32767;

    private const double TwoTo63 = 9223372036854775808.0;

    /// <summary>Up to here whole numbers are distinct.</summary>
    private const double TwoTo68 = 32.0 * TwoTo63;

    internal static int WriteNumber(Span<byte> target, long value)
    {
        double nearest = value;
        long rest = nearest == TwoTo63 ? value - long.MaxValue - 1 : value - (long)nearest;
        return WriteNumber(target, nearest, (int)rest);
    }

    internal static int WriteNumber(Span<byte> target, double value) => WriteNumber(target, value + 0.0, 0);

    /// <summary>
    /// Writes an integer of more than 64 bits; one that is too large for that becomes its nearest double.
    /// </summary>
    internal static int WriteNumber(Span<byte> target, Int128 value)
    {
        double nearest = (double)value;
        Int128 rest = value - (Int128)nearest;
        return WriteNumber(target, nearest, rest > RestMax || rest < -RestMax ? 0 : (int)rest);
    }

    /// <summary>Writes the number or boolean of a text.</summary>
    /// <param name="target">Receives the term: <see cref="NumberSize"/>.</param>
    /// <param name="text">The text, UTF-8.</param>
    /// <returns>The length of the term; 0 if it is none.</returns>
    internal static int WriteValue(Span<byte> target, ReadOnlySpan<byte> text)
    {
        bool isTrue = Ascii.EqualsIgnoreCase(text, "true"u8);
        if (isTrue || Ascii.EqualsIgnoreCase(text, "false"u8))
        {
            target[0] = isTrue ? True : False;
            return 1;
        }

        const NumberStyles Style =
            NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        if (text.IndexOfAnyInRange((byte)'0', (byte)'9') is < 0 or > 2)
        {
            return 0;
        }

        return long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long integer)
                ? WriteNumber(target, integer)
            : Int128.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out Int128 large)
                ? WriteNumber(target, large)
            : double.TryParse(text, Style, CultureInfo.InvariantCulture, out double number) && double.IsFinite(number)
                ? WriteNumber(target, number)
                : 0;
    }

    /// <summary>Writes a text as a term, whole if the field keeps it so.</summary>
    /// <param name="room">At least <see cref="SizeBytesMax"/> bytes; replaced by a larger one if necessary.</param>
    /// <param name="text">The text.</param>
    /// <param name="isWhole">Whether a text of any length is kept whole.</param>
    /// <returns>The bytes of the term.</returns>
    internal static ReadOnlySpan<byte> WriteText(ref byte[] room, ReadOnlySpan<byte> text, bool isWhole)
    {
        if (!isWhole || text.Length <= CutTextSizeBytes)
        {
            return room.AsSpan(0, WriteText(room, text));
        }

        Grow(ref room, text.Length + 1);
        room[0] = Text;
        text.CopyTo(room.AsSpan(1));
        return room.AsSpan(0, text.Length + 1);
    }

    /// <summary>Copies a term into a buffer that grows with it; returns the copy.</summary>
    internal static ReadOnlySpan<byte> Copy(ReadOnlySpan<byte> term, ref byte[] room)
    {
        Grow(ref room, term.Length);
        term.CopyTo(room);
        return room.AsSpan(0, term.Length);
    }

    /// <summary>Makes a buffer large enough; its content stays.</summary>
    internal static void Grow(ref byte[] room, int length)
    {
        if (room.Length < length)
        {
            Array.Resize(ref room, Math.Max(length, (int)Math.Min(2L * room.Length, Array.MaxLength)));
        }
    }

    /// <summary>Frees a buffer that a long text made larger.</summary>
    internal static void Trim(ref byte[] room)
    {
        if (room.Length > KeptBufferBytes)
        {
            room = new byte[SizeBytesMax];
        }
    }

    /// <summary>Whether it is a cut text, of which a field that does not keep whole texts has the beginning.</summary>
    internal static bool IsCut(ReadOnlySpan<byte> term) => term.Length == SizeBytesMax && term[0] == Text;

    /// <summary>The whole characters that are kept of a cut text.</summary>
    internal static ReadOnlySpan<byte> KeptOf(ReadOnlySpan<byte> cut)
    {
        ReadOnlySpan<byte> kept = cut.Slice(1, CutTextSizeBytes);
        return Rune.DecodeLastFromUtf8(kept, out _, out int broken) == OperationStatus.Done ? kept : kept[..^broken];
    }

    /// <summary>
    /// Whether it is a value that is listed and counted: not the ticks of a length of time, whose text is the value,
    /// and not the mark of a text without words.
    /// </summary>
    internal static bool IsShown(ReadOnlySpan<byte> term) => term[0] != Wordless && !DurationCode.IsOne(term);

    /// <summary>Writes a text as a term, a long one cut: for comparison by equality only.</summary>
    internal static int WriteText(Span<byte> target, ReadOnlySpan<byte> text)
    {
        target[0] = Text;
        if (text.Length <= CutTextSizeBytes)
        {
            text.CopyTo(target[1..]);
            return 1 + text.Length;
        }

        text[..CutTextSizeBytes].CopyTo(target[1..]);
        BinaryPrimitives.WriteUInt64BigEndian(target[(CutTextSizeBytes + 1)..], XxHash3.HashToUInt64(text));
        return SizeBytesMax;
    }

    /// <summary>The number of a term of its kind.</summary>
    internal static double ReadDouble(ReadOnlySpan<byte> term)
    {
        ulong bits = BinaryPrimitives.ReadUInt64BigEndian(term[1..]);
        bits = (bits >> 63) != 0 ? bits ^ (1UL << 63) : ~bits;
        return BitConverter.UInt64BitsToDouble(bits);
    }

    /// <summary>The difference of a 64-bit integer from <see cref="ReadDouble"/>.</summary>
    internal static int ReadRest(ReadOnlySpan<byte> term) => BinaryPrimitives.ReadUInt16BigEndian(term[9..]) - 32768;

    /// <summary>The number as an integer, if it is one.</summary>
    internal static bool TryReadInt64(ReadOnlySpan<byte> term, out long value)
    {
        double nearest = ReadDouble(term);
        int rest = ReadRest(term);
        value = 0;
        if (nearest != Math.Floor(nearest) || nearest < -TwoTo63 || nearest > TwoTo63
            || (nearest == TwoTo63 && rest >= 0) || (nearest == -TwoTo63 && rest < 0))
        {
            return false;
        }

        value = nearest == TwoTo63 ? long.MaxValue + rest + 1 : (long)nearest + rest;
        return true;
    }

    /// <summary>The number as an integer of more than 64 bits, if it is one whose digits are known.</summary>
    internal static bool TryReadLarge(ReadOnlySpan<byte> term, out Int128 value)
    {
        double nearest = ReadDouble(term);
        bool isLarge = Math.Abs(nearest) is >= TwoTo63 and <= TwoTo68 && !TryReadInt64(term, out _);
        value = isLarge ? (Int128)nearest + ReadRest(term) : 0;
        return isLarge;
    }

    /// <summary>The value of a term as a text, of a number its digits.</summary>
    /// <param name="term">The term.</param>
    /// <param name="room">Receives the digits: <see cref="NumberTextSizeMax"/>.</param>
    internal static ReadOnlySpan<byte> ReadText(ReadOnlySpan<byte> term, Span<byte> room)
    {
        switch (term[0])
        {
            case Number when DurationCode.IsOne(term):
                TryReadInt64(term, out long ticks);
                new TimeSpan(ticks).TryFormat(room, out int written, "c", CultureInfo.InvariantCulture);
                return room[..written];
            case Number:
                bool isWhole = TryReadInt64(term, out long integer);
                int length;
                _ = isWhole
                    ? integer.TryFormat(room, out length, default, CultureInfo.InvariantCulture)
                    : TryReadLarge(term, out Int128 large)
                    ? large.TryFormat(room, out length, default, CultureInfo.InvariantCulture)
                    : ReadDouble(term).TryFormat(room, out length, "R", CultureInfo.InvariantCulture);
                return room[..length];
            case False:
                return "false"u8;
            case True:
                return "true"u8;
            default:
                return term[1..];
        }
    }

    /// <summary>
    /// The value of a term: null, a bool, long, Int128, double or string, a cut one as far as it is kept.
    /// </summary>
    /// <param name="term">The term.</param>
    /// <param name="isWhole">Whether the field keeps texts of any length as they are.</param>
    internal static object? ReadValue(ReadOnlySpan<byte> term, bool isWhole) => term[0] switch
    {
        Null => null,
        False => false,
        True => true,
        Number => TryReadInt64(term, out long integer) ? integer
            : TryReadLarge(term, out Int128 large) ? large
            : (object)ReadDouble(term),
        Point or Shape => SpatialText.Of(term),
        _ => Encoding.UTF8.GetString(isWhole || !IsCut(term) ? term[1..] : term[1..(CutTextSizeBytes + 1)]),
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
