using System.Globalization;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Server.Indexing.Maps;

/// <summary>Whole numbers beyond 64 bits, as far as an index tells them from one another: those of 128 bits.</summary>
internal static class LargeInteger
{
    private const int DigitsMax = 38;
    private const double TwoTo63 = 9223372036854775808.0;

    /// <summary>Whether a number whose nearest double is this one may be one.</summary>
    internal static bool MayBe(double nearest) => Math.Abs(nearest) >= TwoTo63;

    /// <summary>Reads a stored number that is one.</summary>
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

    /// <summary>Reads a stored number that is one, of which the nearest double is known.</summary>
    internal static bool TryRead(BlittableValue stored, double nearest, out Int128 value)
    {
        value = 0;
        return MayBe(nearest) && TryRead(stored, out value);
    }

    /// <summary>Reads a text that is one.</summary>
    internal static bool TryRead(ReadOnlySpan<byte> digits, out Int128 value) => Int128.TryParse(
        digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value) && !IsShort(value);

    /// <summary>Reads a text that is one.</summary>
    internal static bool TryRead(string digits, out Int128 value)
    {
        value = 0;
        return digits.Length <= DigitsMax && TryRead(Encoding.UTF8.GetBytes(digits), out value);
    }

    private static bool IsShort(Int128 value) => value >= long.MinValue && value <= long.MaxValue;
}
