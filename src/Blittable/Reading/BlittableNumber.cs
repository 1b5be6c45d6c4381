using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Format;
using Raven.Blittable.Text;

namespace Raven.Blittable.Reading;

/// <summary>Reads the stored forms of a number: whole, digits with a scale, or text.</summary>
internal static class BlittableNumber
{
    private const ulong IntegerMax = 1UL << 53;
    private const long DigitsMax = 1_000_000_000_000_000;

    private static ReadOnlySpan<double> PowersOf10 =>
    [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    ];

    internal static bool TryGetDouble(ref byte start, byte token, out double value)
    {
        switch (token & BlittableToken.KindMask)
        {
            case BlittableToken.Integer:
                VariableLengthInteger.Read(ref start, out ulong folded);
                value = VariableLengthInteger.UnZigZag(folded);
                return true;
            case BlittableToken.Decimal:
                ReadDecimal(ref start, out long digits, out int scale);
                if (Math.Abs(digits) <= 1L << 53)
                {
                    // Both are exact, so that the one division rounds like parsing the text.
                    value = digits / PowersOf10[scale];
                    return true;
                }

                Span<byte> text = stackalloc byte[NumberText.RoomBytes];
                return Parse(text[..NumberText.WriteDecimal(ref text[0], digits, scale)], out value);
            case BlittableToken.NumberText:
                return Parse(TextOf(ref start), out value);
            default:
                value = 0;
                return false;
        }
    }

    /// <summary>
    /// Whether a double may not hold the number. It holds all with up to 15 digits, and whole ones below 2^53.
    /// </summary>
    internal static bool HasManyDigits(ref byte start, byte token)
    {
        switch (token & BlittableToken.KindMask)
        {
            case BlittableToken.Integer:
                VariableLengthInteger.Read(ref start, out ulong folded);
                return folded >= IntegerMax << 1;
            case BlittableToken.Decimal:
                ReadDecimal(ref start, out long digits, out _);
                return digits is >= DigitsMax or <= -DigitsMax;
            case BlittableToken.NumberText:
                int count = 0;
                foreach (byte one in TextOf(ref start))
                {
                    count += one is >= (byte)'0' and <= (byte)'9' ? 1 : 0;
                }

                return count > 15;
            default:
                return false;
        }
    }

    internal static bool TryGetDecimal(ref byte start, byte token, out decimal value)
    {
        switch (token & BlittableToken.KindMask)
        {
            case BlittableToken.Integer:
                VariableLengthInteger.Read(ref start, out ulong folded);
                value = VariableLengthInteger.UnZigZag(folded);
                return true;
            case BlittableToken.Decimal:
                ReadDecimal(ref start, out long digits, out int scale);
                ulong magnitude = (ulong)Math.Abs(digits);
                value = new decimal((int)magnitude, (int)(magnitude >> 32), 0, digits < 0, (byte)scale);
                return true;
            case BlittableToken.NumberText:
                return decimal.TryParse(TextOf(ref start), NumberStyles.Float, CultureInfo.InvariantCulture, out value);
            default:
                value = 0;
                return false;
        }
    }

    internal static bool TryFormat(ref byte start, byte token, Span<byte> target, out int written)
    {
        Span<byte> text = stackalloc byte[NumberText.RoomBytes];
        switch (token & BlittableToken.KindMask)
        {
            case BlittableToken.Integer:
                VariableLengthInteger.Read(ref start, out ulong folded);
                written = NumberText.Write(ref text[0], VariableLengthInteger.UnZigZag(folded));
                return TryCopy(text[..written], target, ref written);
            case BlittableToken.Decimal:
                ReadDecimal(ref start, out long digits, out int scale);
                written = NumberText.WriteDecimal(ref text[0], digits, scale);
                return TryCopy(text[..written], target, ref written);
            case BlittableToken.NumberText:
                ReadOnlySpan<byte> stored = TextOf(ref start);
                written = stored.Length;
                return TryCopy(stored, target, ref written);
            default:
                written = 0;
                return false;
        }
    }

    /// <summary>The text of a number that is stored as text.</summary>
    internal static ReadOnlySpan<byte> TextOf(ref byte start)
    {
        int position = VariableLengthInteger.ReadInt32(ref start, out int length);
        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref start, position), length);
    }

    /// <summary>Digits as one whole number, and how many of them are behind the point (1 to 18).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void ReadDecimal(ref byte start, out long digits, out int scale)
    {
        scale = start;
        VariableLengthInteger.Read(ref Unsafe.Add(ref start, 1), out ulong folded);
        digits = VariableLengthInteger.UnZigZag(folded);
    }

    private static bool Parse(ReadOnlySpan<byte> text, out double value) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value) && double.IsFinite(value);

    private static bool TryCopy(ReadOnlySpan<byte> text, Span<byte> target, ref int written)
    {
        if (text.TryCopyTo(target))
        {
            return true;
        }

        written = 0;
        return false;
    }
}
