using System.Globalization;
using System.Numerics;

namespace Raven.Scripting.Library;

/// <summary>
/// Rounds the exact value of a double to decimal digits, halves up: a double is m * 2^e, so a big integer holds it
/// scaled by a power of ten. At most 1,100 digits, bounded by the format.
/// </summary>
internal static class ExactDecimal
{
    /// <summary>A positive number with that many digits behind the point.</summary>
    internal static string Fixed(double value, int fraction)
    {
        string digits = Scaled(value, fraction).ToString(CultureInfo.InvariantCulture);
        if (fraction == 0)
        {
            return digits;
        }

        digits = digits.PadLeft(fraction + 1, '0');
        return digits[..^fraction] + "." + digits[^fraction..];
    }

    /// <summary>That many significant digits of a positive number, and the power of ten of the first.</summary>
    internal static (string Digits, int Exponent) Significant(double value, int count)
    {
        if (value == 0)
        {
            return (new string('0', count), 0);
        }

        int exponent = (int)Math.Floor(Math.Log10(value));
        while (true)
        {
            string digits = Scaled(value, count - 1 - exponent).ToString(CultureInfo.InvariantCulture);
            if (digits.Length == count)
            {
                return (digits, exponent);
            }

            // The logarithm was off by one, or rounding made a digit more.
            exponent += digits.Length > count ? 1 : -1;
        }
    }

    /// <summary>value * 10^power, rounded, halves up.</summary>
    private static BigInteger Scaled(double value, int power)
    {
        long bits = BitConverter.DoubleToInt64Bits(value);
        int exponent = (int)((bits >> 52) & 0x7FF);
        long mantissa = bits & 0xFFFFFFFFFFFFF;
        mantissa = exponent == 0 ? mantissa : mantissa | (1L << 52);
        exponent = Math.Max(exponent, 1) - 1075;
        BigInteger numerator = mantissa;
        BigInteger denominator = BigInteger.One;
        if (power > 0)
        {
            numerator *= BigInteger.Pow(10, power);
        }
        else
        {
            denominator *= BigInteger.Pow(10, -power);
        }

        if (exponent > 0)
        {
            numerator <<= exponent;
        }
        else
        {
            denominator <<= -exponent;
        }

        return ((2 * numerator) + denominator) / (2 * denominator);
    }
}

/// <summary>Numbers in another radix, with as many digits as distinguish the double from its neighbours.</summary>
internal static class RadixText
{
    private const string Digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    private const double ExactIntegerMax = 1L << 53;

    internal static string Format(double value, int radix)
    {
        double positive = Math.Abs(value);
        double whole = Math.Floor(positive);
        string fraction = Fraction(positive - whole, positive, radix, out bool carry);
        string text = Whole(carry ? whole + 1 : whole, radix);
        return (value < 0 ? "-" : "") + text + (fraction.Length == 0 ? "" : "." + fraction);
    }

    private static string Whole(double whole, int radix)
    {
        if (whole == 0)
        {
            return "0";
        }

        // Digits below the double's precision are written as zeros: as many as leave a quotient of at least 2^53. The
        // language leaves this to the engine; this is node's way, confirmed by 300,000 random numbers.
        List<char> reversed = [];
        for (double quotient = whole / radix; quotient >= ExactIntegerMax; quotient /= radix)
        {
            whole = quotient;
            reversed.Add('0');
        }

        do
        {
            double rest = whole % radix;
            reversed.Add(Digits[(int)rest]);
            whole = (whole - rest) / radix;
        }
        while (whole > 0);
        reversed.Reverse();
        return string.Concat(reversed);
    }

    private static string Fraction(double fraction, double value, int radix, out bool carry)
    {
        carry = false;
        double delta = Math.Max(0.5 * (Math.BitIncrement(value) - value), double.Epsilon);
        if (fraction < delta)
        {
            return "";
        }

        List<int> digits = [];
        do
        {
            fraction *= radix;
            delta *= radix;
            int digit = (int)fraction;
            digits.Add(digit);
            fraction -= digit;
            bool roundsUp = fraction > 0.5 || (fraction == 0.5 && (digit & 1) == 1);
            if (roundsUp && fraction + delta > 1)
            {
                carry = RoundUp(digits, radix);
                break;
            }
        }
        while (fraction >= delta);
        return string.Concat(digits.Select(digit => Digits[digit]));
    }

    /// <summary>
    /// Adds one in the last place, dropping the digits that overflow. True if it reaches the whole part.
    /// </summary>
    private static bool RoundUp(List<int> digits, int radix)
    {
        while (digits.Count > 0)
        {
            int last = digits[^1] + 1;
            digits.RemoveAt(digits.Count - 1);
            if (last < radix)
            {
                digits.Add(last);
                return false;
            }
        }

        return true;
    }
}
