using System.Diagnostics;
using System.Globalization;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Maps;

/// <summary>Numbers beyond the largest double, 1e400: an index has them as texts, and tells them apart by their
/// digits.</summary>
internal static class DoubleOverflow
{
    /// <summary>Room for all but long ones.</summary>
    internal const int RoomBytes = 64;

    private const int ExponentDigitsMax = 17;

    /// <summary>The text of a stored number as it was written.</summary>
    /// <param name="stored">The number.</param>
    /// <param name="room">Taken if it is large enough.</param>
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

    /// <summary>One text for all that are equal: the digits without zeros at either end, and the power of ten of the
    /// last one. 1e400, 1.0e400 and 10e399 are <c>1e400</c>.</summary>
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
