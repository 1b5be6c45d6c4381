namespace Raven.Documents.Values;

/// <summary>
/// A number of JSON by its digits, however many: 1, 1.0 and 10e-1 are the same one, and so are 0 and -0. Exponents of
/// more than 17 digits are all the same. The digits are in memory that the caller gives.
/// </summary>
internal readonly ref struct ExactNumber
{
    private const long ExponentMax = 100_000_000_000_000_000;

    private ExactNumber(bool isNegative, ReadOnlySpan<byte> digits, long exponent)
    {
        IsNegative = isNegative;
        Digits = digits;
        Exponent = exponent;
    }

    /// <summary>True below 0.</summary>
    internal bool IsNegative { get; }

    /// <summary>The digits as text, without zeros in front and behind; none for 0.</summary>
    internal ReadOnlySpan<byte> Digits { get; }

    /// <summary>The power of ten of the first digit: that of 12 is 1, that of 0.5 is -1.</summary>
    internal long Exponent { get; }

    /// <summary>True without a fraction.</summary>
    internal bool IsWhole => Digits.IsEmpty || Exponent >= Digits.Length - 1;

    /// <summary>Reads a number.</summary>
    /// <param name="text">Its text, valid JSON.</param>
    /// <param name="room">At least as long as the text; must live as long as the number.</param>
    internal static ExactNumber Read(ReadOnlySpan<byte> text, Span<byte> room)
    {
        bool isNegative = text[0] == (byte)'-';
        int at = isNegative ? 1 : 0;
        int count = 0;
        long exponent = -1;
        bool isFraction = false;
        for (; at < text.Length && (text[at] | 0x20) != (byte)'e'; at++)
        {
            byte one = text[at];
            if (one == (byte)'.')
            {
                isFraction = true;
                continue;
            }

            bool isLeading = count == 0 && one == (byte)'0';
            if (!isLeading)
            {
                room[count++] = one;
            }

            // A zero in front counts only behind the point, any other digit only before it.
            exponent += isFraction == isLeading ? (isFraction ? -1 : 1) : 0;
        }

        while (count > 0 && room[count - 1] == (byte)'0')
        {
            count--;
        }

        return count == 0
            ? default
            : new ExactNumber(isNegative, room[..count], exponent + ReadExponent(text[at..]));
    }

    /// <summary>Compares two numbers exactly.</summary>
    internal static int Compare(in ExactNumber one, in ExactNumber other)
    {
        int sign = SignOf(one);
        int order = sign.CompareTo(SignOf(other));
        if (order != 0 || sign == 0)
        {
            return order;
        }

        order = one.Exponent.CompareTo(other.Exponent);
        return sign * (order != 0 ? order : Math.Sign(one.Digits.SequenceCompareTo(other.Digits)));
    }

    private static int SignOf(in ExactNumber number) => number.Digits.IsEmpty ? 0 : number.IsNegative ? -1 : 1;

    private static long ReadExponent(ReadOnlySpan<byte> text)
    {
        if (text.IsEmpty)
        {
            return 0;
        }

        text = text[1..];
        bool isNegative = text[0] == (byte)'-';
        text = text[0] is (byte)'-' or (byte)'+' ? text[1..] : text;
        long exponent = 0;
        foreach (byte digit in text)
        {
            exponent = Math.Min(ExponentMax, (exponent * 10) + (digit - '0'));
        }

        return isNegative ? -exponent : exponent;
    }
}
