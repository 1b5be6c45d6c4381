using System.Globalization;

namespace Raven.Scripting.Text;

/// <summary>
/// Reads decimal numbers of any length in a time that hardly grows with it. No double, nor the middle between two, has
/// more than 767 significant digits, so that behind these it matters only whether a digit is not zero.
/// </summary>
internal static class LongDecimal
{
    /// <summary>From this length on the digits are cut before they are parsed.</summary>
    internal const int LengthMin = 2_000;

    private const int DigitsKept = 800;
    private const int ExponentMax = 100_000_000;

    /// <summary>The value of a text that is a decimal number: sign, digits, fraction, exponent.</summary>
    internal static double Parse(ReadOnlySpan<char> text)
    {
        bool isNegative = text[0] == '-';
        text = text[0] is '+' or '-' ? text[1..] : text;
        int mantissaLength = text.IndexOfAny('e', 'E');
        long exponent = mantissaLength < 0 ? 0 : ParseExponent(text[(mantissaLength + 1)..]);
        ReadOnlySpan<char> mantissa = mantissaLength < 0 ? text : text[..mantissaLength];
        int point = mantissa.IndexOf('.');
        ReadOnlySpan<char> whole = point < 0 ? mantissa : mantissa[..point];
        ReadOnlySpan<char> fraction = point < 0 ? [] : mantissa[(point + 1)..];

        int zeros = LeadingZeros(whole);
        exponent += whole.Length - zeros;
        whole = whole[zeros..];
        if (whole.IsEmpty)
        {
            zeros = LeadingZeros(fraction);
            exponent -= zeros;
            fraction = fraction[zeros..];
        }

        Span<char> digits = stackalloc char[DigitsKept + 32];
        int count = Keep(ref whole, digits, 0);
        count = Keep(ref fraction, digits, count);
        if (whole.ContainsAnyExcept('0') || fraction.ContainsAnyExcept('0'))
        {
            digits[count++] = '1';
        }

        digits[count] = 'E';
        exponent = Math.Clamp(exponent - count, -ExponentMax, ExponentMax);
        exponent.TryFormat(digits[(count + 1)..], out int written, default, CultureInfo.InvariantCulture);
        double value = count == 0
            ? 0
            : double.Parse(digits[..(count + 1 + written)], NumberStyles.Float, CultureInfo.InvariantCulture);
        return isNegative ? -value : value;
    }

    private static int LeadingZeros(ReadOnlySpan<char> digits)
    {
        int other = digits.IndexOfAnyExcept('0');
        return other < 0 ? digits.Length : other;
    }

    private static int Keep(ref ReadOnlySpan<char> source, scoped Span<char> digits, int count)
    {
        int taken = Math.Min(source.Length, DigitsKept - count);
        source[..taken].CopyTo(digits[count..]);
        source = source[taken..];
        return count + taken;
    }

    private static long ParseExponent(ReadOnlySpan<char> text)
    {
        bool isNegative = text[0] == '-';
        text = text[0] is '+' or '-' ? text[1..] : text;
        text = text[LeadingZeros(text)..];
        long value = text.Length > 9 ? long.MaxValue / 4
            : text.IsEmpty ? 0 : long.Parse(text, CultureInfo.InvariantCulture);
        return isNegative ? -value : value;
    }
}
