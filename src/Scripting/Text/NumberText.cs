using System.Globalization;
using System.Numerics;

namespace Raven.Scripting.Text;

/// <summary>Numbers in the syntax of JavaScript (ECMA-262, 6.1.6.1.20 and 7.1.4.1).</summary>
internal static class NumberText
{
    /// <summary>The shortest text that reads back as the same double, in the format of JavaScript.</summary>
    internal static string Format(double value)
    {
        Span<char> buffer = stackalloc char[40];
        return buffer[..Format(value, buffer)].ToString();
    }

    /// <summary>Writes the text of a number into at least 32 characters and returns its length.</summary>
    internal static int Format(double value, Span<char> target)
    {
        long integer = (long)value;
        int written;
        if (integer == value && Math.Abs(value) < 1e15)
        {
            integer.TryFormat(target, out written, default, CultureInfo.InvariantCulture);
            return written;
        }

        if (!double.IsFinite(value))
        {
            string word = double.IsNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
            word.CopyTo(target);
            return word.Length;
        }

        Span<char> digits = stackalloc char[32];
        int exponent = ShortestDigits(Math.Abs(value), digits, out int count);
        int at = 0;
        if (value < 0)
        {
            target[at++] = '-';
        }

        return at + Lay(digits[..count], exponent, target[at..]);
    }

    /// <summary>Parses a string as <c>Number(text)</c> does; NaN if it is no number.</summary>
    internal static double ToNumber(string text)
    {
        ReadOnlySpan<char> trimmed = Trim(text);
        if (trimmed.IsEmpty)
        {
            return 0;
        }

        if (trimmed.Length > 2 && trimmed[0] == '0' && char.IsAsciiLetter(trimmed[1]))
        {
            int radix = (trimmed[1] | 0x20) switch { 'x' => 16, 'o' => 8, 'b' => 2, _ => 0 };
            return radix == 0 ? ParseDecimal(trimmed) : ParseWhole(trimmed[2..], radix);
        }

        return ParseDecimal(trimmed);
    }

    /// <summary>Parses the longest start of the text that is a decimal number, as <c>parseFloat</c> does.</summary>
    internal static double ParsePrefix(string text)
    {
        ReadOnlySpan<char> trimmed = Trim(text);
        int length = DecimalLength(trimmed);
        return length == 0 ? double.NaN : ParseDecimal(trimmed[..length]);
    }

    /// <summary>Parses the longest start of the text that is an integer, as <c>parseInt</c> does.</summary>
    internal static double ParseInt(string text, int radix)
    {
        ReadOnlySpan<char> rest = Trim(text);
        bool negative = rest.Length > 0 && rest[0] == '-';
        if (rest.Length > 0 && rest[0] is '+' or '-')
        {
            rest = rest[1..];
        }

        bool mayBeHex = radix is 0 or 16;
        radix = radix == 0 ? 10 : radix;
        if (radix is < 2 or > 36)
        {
            return double.NaN;
        }

        if (mayBeHex && rest.Length >= 2 && rest[0] == '0' && (rest[1] | 0x20) == 'x')
        {
            rest = rest[2..];
            radix = 16;
        }

        int length = 0;
        while (length < rest.Length && CharacterClass.DigitValue(rest[length]) < radix)
        {
            length++;
        }

        double value = length == 0 ? double.NaN : ParseRadix(rest[..length], radix);
        return negative ? -value : value;
    }

    /// <summary>The value of digits, rounded once. Every character is a digit of the radix.</summary>
    internal static double ParseRadix(ReadOnlySpan<char> digits, int radix)
    {
        digits = digits.TrimStart('0');
        if (radix == 10)
        {
            return digits.IsEmpty ? 0 : ParseDecimal(digits);
        }

        // 1,100 digits of radix 2 exceed the largest double; more only cost time.
        int kept = Math.Min(digits.Length, 1100);
        double quick = 0;
        BigInteger exact = BigInteger.Zero;
        foreach (char c in digits[..kept])
        {
            int digit = CharacterClass.DigitValue(c);
            quick = (quick * radix) + digit;
            exact = quick < 9007199254740992 ? (BigInteger)quick : (exact * radix) + digit;
        }

        return kept < digits.Length ? double.PositiveInfinity
            : quick < 9007199254740992 ? quick : RoundToDouble(exact);
    }

    private static double RoundToDouble(BigInteger value) =>
        double.Parse(value.ToString(CultureInfo.InvariantCulture), NumberStyles.None, CultureInfo.InvariantCulture);

    private static ReadOnlySpan<char> Trim(string text)
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

        return text.AsSpan(start, end - start);
    }

    private static double ParseWhole(ReadOnlySpan<char> digits, int radix)
    {
        foreach (char c in digits)
        {
            if (CharacterClass.DigitValue(c) >= radix)
            {
                return double.NaN;
            }
        }

        return ParseRadix(digits, radix);
    }

    private static double ParseDecimal(ReadOnlySpan<char> text)
    {
        if (DecimalLength(text) != text.Length)
        {
            return double.NaN;
        }

        ReadOnlySpan<char> unsigned = text[0] is '+' or '-' ? text[1..] : text;
        if (unsigned is "Infinity")
        {
            return text[0] == '-' ? double.NegativeInfinity : double.PositiveInfinity;
        }

        return text.Length >= LongDecimal.LengthMin
            ? LongDecimal.Parse(text)
            : double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture);
    }

    /// <summary>How many characters at the start are a decimal number, including a sign and Infinity.</summary>
    private static int DecimalLength(ReadOnlySpan<char> text)
    {
        int at = text.Length > 0 && text[0] is '+' or '-' ? 1 : 0;
        if (text[at..].StartsWith("Infinity", StringComparison.Ordinal))
        {
            return at + 8;
        }

        int start = at;
        at = SkipDigits(text, at);
        int digits = at - start;
        if (at < text.Length && text[at] == '.')
        {
            int end = SkipDigits(text, at + 1);
            digits += end - at - 1;
            at = digits > 0 ? end : at;
        }

        if (digits == 0)
        {
            return 0;
        }

        if (at < text.Length && (text[at] | 0x20) == 'e')
        {
            int sign = at + 1 < text.Length && text[at + 1] is '+' or '-' ? 2 : 1;
            int end = SkipDigits(text, at + sign);
            at = end > at + sign ? end : at;
        }

        return at;
    }

    private static int SkipDigits(ReadOnlySpan<char> text, int at)
    {
        int length = text[at..].IndexOfAnyExceptInRange('0', '9');
        return length < 0 ? text.Length : at + length;
    }

    /// <summary>
    /// The digits of the shortest text of a positive number and n, the place of the point behind the first n.
    /// </summary>
    internal static int ShortestDigits(double value, Span<char> digits, out int count)
    {
        Span<char> text = stackalloc char[40];
        value.TryFormat(text, out int length, "R", CultureInfo.InvariantCulture);
        count = 0;
        int point = -1;
        int exponent = 0;
        for (int i = 0; i < length; i++)
        {
            char c = text[i];
            if (c == '.')
            {
                point = count;
            }
            else if (c == 'E')
            {
                exponent = int.Parse(text[(i + 1)..length], NumberStyles.AllowLeadingSign,
                    CultureInfo.InvariantCulture);
                break;
            }
            else
            {
                digits[count++] = c;
            }
        }

        point = point < 0 ? count : point;
        int zeros = 0;
        while (zeros < count - 1 && digits[zeros] == '0')
        {
            zeros++;
        }

        digits[zeros..count].CopyTo(digits);
        count -= zeros;
        while (count > 1 && digits[count - 1] == '0')
        {
            count--;
        }

        return point - zeros + exponent;
    }

    private static int Lay(ReadOnlySpan<char> digits, int point, Span<char> target)
    {
        int at = 0;
        if (point is > 0 and <= 21)
        {
            int whole = Math.Min(point, digits.Length);
            digits[..whole].CopyTo(target);
            at = whole;
            for (; at < point; at++)
            {
                target[at] = '0';
            }

            if (digits.Length > point)
            {
                target[at++] = '.';
                digits[point..].CopyTo(target[at..]);
                at += digits.Length - point;
            }

            return at;
        }

        if (point is > -6 and <= 0)
        {
            "0.".CopyTo(target);
            target.Slice(2, -point).Fill('0');
            digits.CopyTo(target[(2 - point)..]);
            return 2 - point + digits.Length;
        }

        target[at++] = digits[0];
        if (digits.Length > 1)
        {
            target[at++] = '.';
            digits[1..].CopyTo(target[at..]);
            at += digits.Length - 1;
        }

        target[at++] = 'e';
        target[at++] = point > 0 ? '+' : '-';
        Math.Abs(point - 1).TryFormat(target[at..], out int written, default, CultureInfo.InvariantCulture);
        return at + written;
    }
}
