using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Raven.Blittable.Format;

namespace Raven.Blittable.Writing;

/// <summary>
/// A number from a text: its digits as one whole number and the count of those behind the point, if 64 bits hold them;
/// otherwise only its text.
/// </summary>
internal struct JsonNumber
{
    private const int DigitsMax = 18;

    internal ulong Digits;
    internal int DigitCount;
    internal int Scale;
    internal bool Negative;
    internal bool HasExponent;
    internal string? Reason;
    internal int ErrorAt;

    /// <summary>
    /// Scans a number from its first byte. Returns the position behind it, or -1: with a reason if it is malformed,
    /// without one if it may continue behind the end.
    /// </summary>
    internal static int Scan(ref byte input, int position, int end, out JsonNumber number)
    {
        number = default;
        if (Unsafe.Add(ref input, position) == '-')
        {
            number.Negative = true;
            position++;
        }

        int first = position;
        position = ScanDigits(ref input, position, end, ref number.Digits);
        if (position > first + 1 && Unsafe.Add(ref input, first) == '0')
        {
            return Malformed(ref number, "A number does not start with a zero that means nothing.", first + 1);
        }

        if (position == first)
        {
            return MissingDigit(ref number, position, end);
        }

        number.DigitCount = position - first;
        if (position < end && Unsafe.Add(ref input, position) == '.')
        {
            int point = position + 1;
            position = ScanDigits(ref input, point, end, ref number.Digits);
            if (position == point)
            {
                return MissingDigit(ref number, position, end);
            }

            number.Scale = position - point;
            number.DigitCount += number.Scale;
        }

        if (position < end && (Unsafe.Add(ref input, position) | 0x20) == 'e')
        {
            position = ScanExponent(ref input, position + 1, end, ref number);
            if (position < 0)
            {
                return -1;
            }
        }

        return position < end ? position : -1;
    }

    /// <summary>
    /// Scans and appends a number of at most 18 digits without exponent; -1 for any other, for which <see cref="Scan"/>
    /// must be called. Whole numbers of at most 7 digits are handled here, by eight bytes at once: neither their values
    /// nor their count causes a branch.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Take(DocumentBuilder builder, ref byte input, int position, int end)
    {
        int length = ReadDigits(ref input, position, out ulong digits);
        bool leadingZero = Unsafe.Add(ref input, position) == '0' && length > 1;
        if ((uint)(length - 1) >= 7 || leadingZero || !EndsNumber(ref input, position + length, end))
        {
            return TakeDecimal(builder, ref input, position, end, length, digits);
        }

        ref byte target = ref builder.Reserve(16);
        int at = builder.Position;
        builder.Position = at + VariableLengthInteger.Write(ref target, digits * 2);
        builder.Push(BlittableToken.Integer, at);
        return position + length;
    }

    /// <summary>
    /// The digits behind the point as one vector; their end follows from their mask alone, so that the processor starts
    /// the next number while the value of this one is still being computed.
    /// </summary>
    /// <param name="builder">Expects a value.</param>
    /// <param name="input">The first byte of the buffer.</param>
    /// <param name="position">The start of the number.</param>
    /// <param name="end">The end of the input.</param>
    /// <param name="count">Digits at its start, 8 if there may be more.</param>
    /// <param name="digits">Their value.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int TakeDecimal(
        DocumentBuilder builder, ref byte input, int position, int end, int count, ulong digits)
    {
        bool negative = Unsafe.Add(ref input, position) == '-';
        int first = position;
        if (negative)
        {
            first++;
            count = ReadDigits(ref input, first, out digits);
        }

        int point = first + count;
        if (!JsonFraction.IsSupported || count == 0 || Unsafe.Add(ref input, point) != '.')
        {
            return TakeDigits(builder, ref input, first, end, negative);
        }

        int scale = JsonFraction.Count(ref input, point + 1, out Vector128<byte> values);
        int after = point + 1 + scale;
        bool leadingZero = count > 1 && Unsafe.Add(ref input, first) == '0';
        if (scale == 0 || count + scale > DigitsMax || leadingZero || !EndsNumber(ref input, after, end))
        {
            return -1;
        }

        digits = (digits * JsonFraction.Power(scale)) + JsonFraction.Read(ref input, point + 1, values, scale);
        return negative && digits == 0 ? -1 : Append(builder, digits, scale, negative, after);
    }

    /// <summary>A number of at most 18 digits without exponent, digit by digit.</summary>
    private static int TakeDigits(DocumentBuilder builder, ref byte input, int first, int end, bool negative)
    {
        ulong digits = 0;
        int after = ScanDigits(ref input, first, end, ref digits);
        int count = after - first;
        if (count == 0 || (count > 1 && Unsafe.Add(ref input, first) == '0'))
        {
            return -1;
        }

        int scale = 0;
        if (after < end && Unsafe.Add(ref input, after) == '.')
        {
            int point = after + 1;
            after = ScanDigits(ref input, point, end, ref digits);
            scale = after - point;
            if (scale == 0)
            {
                return -1;
            }
        }

        if (count + scale > DigitsMax)
        {
            return -1;
        }

        if (!EndsNumber(ref input, after, end) || (negative && digits == 0))
        {
            return -1;
        }

        return Append(builder, digits, scale, negative, after);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Append(DocumentBuilder builder, ulong digits, int scale, bool negative, int after)
    {
        ref byte target = ref builder.Reserve(24);
        int at = builder.Position;
        target = (byte)scale;
        int length = scale != 0 ? 1 : 0;
        ulong folded = VariableLengthInteger.ZigZag(negative ? -(long)digits : (long)digits);
        builder.Position = at + length + VariableLengthInteger.Write(ref Unsafe.Add(ref target, length), folded);
        builder.Push(scale != 0 ? BlittableToken.Decimal : BlittableToken.Integer, at);
        return after;
    }

    /// <summary>Reads up to 8 digits; returns how many there are.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int ReadDigits(ref byte input, int position, out ulong value)
    {
        ulong text = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref input, position));
        ulong others = ((text + 0x4646464646464646) | (text - 0x3030303030303030)) & 0x8080808080808080;
        int length = BitOperations.TrailingZeroCount(others) >> 3;

        // In two steps, since for no digit it is a shift by 64.
        ulong digits = ((text << 8) << (56 - (8 * length))) & 0x0F0F0F0F0F0F0F0F;
        digits = length == 8 ? text & 0x0F0F0F0F0F0F0F0F : digits;
        digits = (digits * 2561) >> 8;
        digits = ((digits & 0x00FF00FF00FF00FF) * 6553601) >> 16;
        value = ((digits & 0x0000FFFF0000FFFF) * 42949672960001) >> 32;
        return length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool EndsNumber(ref byte input, int position, int end) =>
        position < end && Unsafe.Add(ref input, position)
            is (byte)',' or (byte)'}' or (byte)']' or (byte)' ' or (byte)'\n' or (byte)'\r';

    /// <summary>
    /// True for the bytes that numbers are made of. A run of them is one token, however the input is cut, so that such
    /// a byte behind a number makes it invalid.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsNumberByte(byte value) =>
        value is (>= (byte)'0' and <= (byte)'9') or (byte)'-' or (byte)'+' or (byte)'.' or (byte)'e' or (byte)'E';

    /// <summary>Appends the number in the shortest form that keeps its text.</summary>
    internal static void Store(DocumentBuilder builder, in JsonNumber number, ReadOnlySpan<byte> text)
    {
        if (number.HasExponent || (number.Negative && number.Digits == 0) || number.DigitCount > DigitsMax)
        {
            if (number.HasExponent || number.Scale != 0 || number.DigitCount != DigitsMax + 1 ||
                number.Digits > long.MaxValue + (number.Negative ? 1ul : 0ul))
            {
                StoreText(builder, text);
                return;
            }
        }

        long value = number.Negative ? -(long)number.Digits : (long)number.Digits;
        ref byte target = ref builder.Reserve(16);
        int start = builder.Position;
        int length = 0;
        if (number.Scale != 0)
        {
            target = (byte)number.Scale;
            length = 1;
        }

        ulong folded = VariableLengthInteger.ZigZag(value);
        length += VariableLengthInteger.Write(ref Unsafe.Add(ref target, length), folded);
        builder.Position = start + length;
        builder.Push(number.Scale != 0 ? BlittableToken.Decimal : BlittableToken.Integer, start);
    }

    /// <summary>Appends a number by its text, which is a valid JSON number.</summary>
    internal static void StoreText(DocumentBuilder builder, ReadOnlySpan<byte> text)
    {
        int start = builder.Position;
        ref byte target = ref builder.Reserve(text.Length + 16);
        int length = VariableLengthInteger.Write(ref target, (ulong)(uint)text.Length);
        text.CopyTo(MemoryMarshal.CreateSpan(
            ref Unsafe.Add(ref target, length), text.Length));
        builder.Position = start + length + text.Length;
        builder.Push(BlittableToken.NumberText, start);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int ScanDigits(ref byte input, int position, int end, ref ulong digits)
    {
        ulong value = digits;
        while (position < end)
        {
            uint digit = (uint)(Unsafe.Add(ref input, position) - '0');
            if (digit > 9)
            {
                break;
            }

            value = (value * 10) + digit;
            position++;
        }

        digits = value;
        return position;
    }

    private static int ScanExponent(ref byte input, int position, int end, ref JsonNumber number)
    {
        number.HasExponent = true;
        if (position < end && Unsafe.Add(ref input, position) is (byte)'+' or (byte)'-')
        {
            position++;
        }

        ulong ignored = 0;
        int first = position;
        position = ScanDigits(ref input, position, end, ref ignored);
        return position == first ? MissingDigit(ref number, position, end) : position;
    }

    private static int MissingDigit(ref JsonNumber number, int position, int end) =>
        position < end ? Malformed(ref number, "A digit is missing.", position) : -1;

    private static int Malformed(ref JsonNumber number, string reason, int position)
    {
        number.Reason = reason;
        number.ErrorAt = position;
        return -1;
    }
}
