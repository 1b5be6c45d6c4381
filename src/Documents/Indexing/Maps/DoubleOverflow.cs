using System.Diagnostics;
using System.Globalization;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Maps;

/// <summary>
/// Numbers beyond the largest double, such as 1e400: an index has them as texts, and distinguishes them
/// by their digits.
/// </summary>
internal static class DoubleOverflow
{
    /// <summary>The size of a buffer that most of these numbers fit into.</summary>
    internal const int RoomBytes = 64;

    private const int ExponentDigitsMax = 17;

    /// <summary>The text of a stored number as it was written.</summary>
    /// <param name="stored">The number.</param>
    /// <param name="room">A buffer that is used if the text fits into it.</param>
    internal static ReadOnlySpan<byte> TextOf(BlittableValue stored, Span<byte> room)
    {
        Debug.Assert(stored.Kind == ValueKind.Number);
        int length;
        while (!stored.TryFormatNumber(room, out length))
        {
            room = new byte[room.Length * 4];
        }

        return room[..length];
    }

    /// <summary>Whether a stored number is negative.</summary>
    internal static bool IsNegative(BlittableValue stored) => TextOf(stored, stackalloc byte[RoomBytes])[0] == '-';

    /// <summary>
    /// The text that all equal numbers have: the digits without zeros at either end, and the power of ten of the last
    /// one. 1e400, 1.0e400 and 10e399 are <c>1e400</c>.
    /// </summary>
    internal static string PlainOf(BlittableValue stored)
    {
        string text = Encoding.ASCII.GetString(TextOf(stored, stackalloc byte[RoomBytes]));
        int mark = text.IndexOfAny(['e', 'E']);
        string digits = mark < 0 ? text : text[..mark];
        string power = mark < 0 ? "0" : text[(mark + 1)..].TrimStart('+');
        if (power.Length > ExponentDigitsMax)
        {
            return text;
        }

        string sign = digits[0] == '-' ? "-" : "";
        int point = digits.IndexOf('.', StringComparison.Ordinal);
        int fraction = point < 0 ? 0 : digits.Length - point - 1;
        digits = digits[sign.Length..].Replace(".", "", StringComparison.Ordinal);
        string plain = digits.TrimEnd('0');
        long last = long.Parse(power, CultureInfo.InvariantCulture) - fraction + (digits.Length - plain.Length);
        return string.Create(CultureInfo.InvariantCulture, $"{sign}{plain.TrimStart('0')}e{last}");
    }
}
