using System.Globalization;
using System.Numerics;
using System.Text;

namespace Raven.Scripting.Text;

/// <summary>BigInts as texts in any radix (ECMA-262, 7.1.14 and 6.1.6.2.21), in less than quadratic time.</summary>
internal static class BigIntText
{
    /// <summary>No BigInt has more bits: some 78,900 decimal digits.</summary>
    internal const int BitsMax = 1 << 18;

    private const int DecimalDigitsMax = 78_914;
    private const int DirectBitsMax = 4_096;
    private const string Digits = "0123456789abcdefghijklmnopqrstuvwxyz";

    /// <summary>The outcome of reading a text.</summary>
    internal enum Outcome : byte
    {
        Read, Invalid, TooLarge,
    }

    /// <summary>
    /// Reads a text as <c>BigInt(text)</c> does: blanks around it, a sign before decimal digits, or 0x, 0o, 0b.
    /// </summary>
    internal static Outcome Read(ReadOnlySpan<char> text, out BigInteger value)
    {
        value = BigInteger.Zero;
        ReadOnlySpan<char> trimmed = Trim(text);
        if (trimmed.IsEmpty)
        {
            return Outcome.Read;
        }

        if (trimmed.Length > 2 && trimmed[0] == '0' && char.IsAsciiLetter(trimmed[1]))
        {
            int bits = (trimmed[1] | 0x20) switch { 'x' => 4, 'o' => 3, 'b' => 1, _ => 0 };
            return bits == 0 ? Outcome.Invalid : ReadBits(trimmed[2..], bits, out value);
        }

        bool negative = trimmed[0] == '-';
        ReadOnlySpan<char> digits = trimmed[0] is '+' or '-' ? trimmed[1..] : trimmed;
        if (digits.IsEmpty || digits.IndexOfAnyExceptInRange('0', '9') >= 0)
        {
            return Outcome.Invalid;
        }

        digits = digits.TrimStart('0');
        if (digits.Length > DecimalDigitsMax)
        {
            return Outcome.TooLarge;
        }

        value = digits.IsEmpty ? BigInteger.Zero
            : BigInteger.Parse(digits, NumberStyles.None, CultureInfo.InvariantCulture);
        value = negative ? -value : value;
        return value.GetBitLength() > BitsMax ? Outcome.TooLarge : Outcome.Read;
    }

    /// <summary>The digits of a number in a radix of 2 to 36.</summary>
    internal static string Format(BigInteger value, int radix)
    {
        // The runtime takes the square of the length for decimal digits.
        if (radix == 10 && value.GetBitLength() < DirectBitsMax)
        {
            return value.ToString(CultureInfo.InvariantCulture);
        }

        // The largest power of the radix within a long, and its squares up to the number.
        (int width, long chunk) = (1, radix);
        while (chunk <= long.MaxValue / radix)
        {
            (width, chunk) = (width + 1, chunk * radix);
        }

        BigInteger rest = BigInteger.Abs(value);
        List<BigInteger> powers = [chunk];
        while (powers[^1] <= rest)
        {
            powers.Add(powers[^1] * powers[^1]);
        }

        StringBuilder text = new();
        Append(text, rest, radix, width, powers, powers.Count - 1);
        int zeros = 0;
        while (zeros < text.Length - 1 && text[zeros] == '0')
        {
            zeros++;
        }

        text.Remove(0, zeros);
        return value.Sign < 0 ? text.Insert(0, '-').ToString() : text.ToString();
    }

    /// <summary>The nearest double; ties go to the even one.</summary>
    internal static double ToDouble(BigInteger value)
    {
        BigInteger size = BigInteger.Abs(value);
        long bits = size.GetBitLength();
        double result;
        if (bits <= 64)
        {
            result = (ulong)size;
        }
        else
        {
            int shift = (int)bits - 64;
            ulong top = (ulong)(size >> shift);
            bool isExact = BigInteger.TrailingZeroCount(size) >= shift;
            result = Math.ScaleB(top | (isExact ? 0UL : 1UL), shift);
        }

        return value.Sign < 0 ? -result : result;
    }

    private static Outcome ReadBits(ReadOnlySpan<char> digits, int bitsOfDigit, out BigInteger value)
    {
        value = BigInteger.Zero;
        foreach (char c in digits)
        {
            if (CharacterClass.DigitValue(c) >= 1 << bitsOfDigit)
            {
                return Outcome.Invalid;
            }
        }

        digits = digits.TrimStart('0');
        if ((long)digits.Length * bitsOfDigit > BitsMax + 3)
        {
            return Outcome.TooLarge;
        }

        byte[] bytes = new byte[((digits.Length * bitsOfDigit) / 8) + 1];
        for (int i = 0; i < digits.Length; i++)
        {
            int digit = CharacterClass.DigitValue(digits[^(i + 1)]);
            for (int bit = 0; bit < bitsOfDigit; bit++)
            {
                int at = (i * bitsOfDigit) + bit;
                bytes[at / 8] |= (byte)(((digit >> bit) & 1) << (at % 8));
            }
        }

        value = new BigInteger(bytes, isUnsigned: true);
        return value.GetBitLength() > BitsMax ? Outcome.TooLarge : Outcome.Read;
    }

    /// <summary>Appends with leading zeros: the upper half, then the lower one.</summary>
    private static void Append(
        StringBuilder text, BigInteger value, int radix, int width, List<BigInteger> powers, int level)
    {
        if (level > 0)
        {
            BigInteger upper = BigInteger.DivRem(value, powers[level - 1], out BigInteger lower);
            Append(text, upper, radix, width, powers, level - 1);
            Append(text, lower, radix, width, powers, level - 1);
            return;
        }

        Span<char> digits = stackalloc char[64];
        long rest = (long)value;
        for (int i = width - 1; i >= 0; i--)
        {
            (rest, long digit) = Math.DivRem(rest, radix);
            digits[i] = Digits[(int)digit];
        }

        text.Append(digits[..width]);
    }

    private static ReadOnlySpan<char> Trim(ReadOnlySpan<char> text)
    {
        int start = 0;
        int end = text.Length;
        while (start < end && CharacterClass.IsSpaceOrLineEnd(text[start]))
        {
            start++;
        }

        while (end > start && CharacterClass.IsSpaceOrLineEnd(text[end - 1]))
        {
            end--;
        }

        return text[start..end];
    }
}
