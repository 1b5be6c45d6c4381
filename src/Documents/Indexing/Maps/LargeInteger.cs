using System.Globalization;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Maps;

/// <summary>Whole numbers of 65 to 128 bits, which an index compares exactly.</summary>
internal static class LargeInteger
{
    private const int DigitsMax = 38;
    private const double TwoTo63 = 9223372036854775808.0;

    /// <summary>Whether a number with this nearest double may be such a number.</summary>
    internal static bool MayBe(double nearest) => Math.Abs(nearest) >= TwoTo63;

    /// <summary>Reads a stored number, if it is such a number.</summary>
    internal static bool TryRead(BlittableValue stored, out Int128 value)
    {
        value = 0;
        if (stored.Kind != ValueKind.Number)
        {
            return false;
        }

        Span<byte> digits = stackalloc byte[DigitsMax + 1];
        return stored.TryFormatNumber(digits, out int length) && TryRead(digits[..length], out value);
    }

    /// <summary>Reads a stored number whose nearest double is given, if it is such a number.</summary>
    internal static bool TryRead(BlittableValue stored, double nearest, out Int128 value)
    {
        value = 0;
        return MayBe(nearest) && TryRead(stored, out value);
    }

    /// <summary>Reads a text, if it is such a number.</summary>
    internal static bool TryRead(ReadOnlySpan<byte> digits, out Int128 value) => Int128.TryParse(
        digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value) && !IsShort(value);

    /// <summary>Reads a text, if it is such a number.</summary>
    internal static bool TryRead(string digits, out Int128 value)
    {
        value = 0;
        return digits.Length <= DigitsMax && TryRead(Encoding.UTF8.GetBytes(digits), out value);
    }

    private static bool IsShort(Int128 value) => value >= long.MinValue && value <= long.MaxValue;
}
