using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Blittable.Text;

/// <summary>
/// Dates in the form of documents, headers and indexes: <c>yyyy-MM-ddTHH:mm:ss.fffffffZ</c>, 28 bytes of ASCII, whose
/// byte order is their order in time. Formats and parses without allocation and without a culture.
/// </summary>
public static class DateText
{
    /// <summary>The bytes of a date in full.</summary>
    public const int Length = 28;

    private const int DateLength = 10;
    private const int SecondsLength = 19;
    private const int FractionLengthMax = 7;
    private const int FractionUnit = 10_000_000;

    /// <summary>Added to 10 and more it sets the highest bit, added to a digit it does not.</summary>
    private const uint NotADigit = 0x80000000 - 10;

    /// <summary>The digits of 00 to 99.</summary>
    private static ReadOnlySpan<byte> Pairs =>
        "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"u8
        + "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"u8;

    /// <summary>Writes a date, its ticks taken as UTC.</summary>
    /// <param name="ticks">100 ns since the year 1, as <see cref="DateTime.Ticks"/>.</param>
    /// <param name="target">Receives the text.</param>
    /// <returns>False if the target has fewer than <see cref="Length"/> bytes; nothing is written then.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The ticks are no date.</exception>
    public static bool TryFormat(long ticks, Span<byte> target)
    {
        if (target.Length < Length)
        {
            return false;
        }

        DateTime date = new(ticks);
        date.Deconstruct(out int year, out int month, out int day);
        ref byte text = ref MemoryMarshal.GetReference(target);
        ulong inDay = (ulong)ticks % TimeSpan.TicksPerDay;
        uint seconds = (uint)(inDay / FractionUnit);
        uint fraction = (uint)(inDay - ((ulong)seconds * FractionUnit));
        uint minutes = seconds / 60;
        uint hours = minutes / 60;
        WritePair(ref text, 0, (uint)year / 100);
        WritePair(ref text, 2, (uint)year % 100);
        Unsafe.Add(ref text, 4) = (byte)'-';
        WritePair(ref text, 5, (uint)month);
        Unsafe.Add(ref text, 7) = (byte)'-';
        WritePair(ref text, 8, (uint)day);
        Unsafe.Add(ref text, 10) = (byte)'T';
        WritePair(ref text, 11, hours);
        Unsafe.Add(ref text, 13) = (byte)':';
        WritePair(ref text, 14, minutes - (hours * 60));
        Unsafe.Add(ref text, 16) = (byte)':';
        WritePair(ref text, 17, seconds - (minutes * 60));
        Unsafe.Add(ref text, 19) = (byte)'.';
        uint upper = fraction / 1000;
        uint lower = fraction - (upper * 1000);
        WritePair(ref text, 20, upper / 100);
        WritePair(ref text, 22, upper % 100);
        WritePair(ref text, 24, lower / 10);
        Unsafe.Add(ref text, 26) = (byte)('0' + (lower % 10));
        Unsafe.Add(ref text, 27) = (byte)'Z';
        return true;
    }

    /// <summary>
    /// Reads a date: the full form, or one that is cut behind the day, behind the seconds or within the fraction, each
    /// but the first with or without <c>Z</c>. Anything else is refused, including days that the month does not have,
    /// the hour 24 and the second 60.
    /// </summary>
    /// <param name="text">The whole text.</param>
    /// <param name="date">The date; its kind is UTC if the text ends with <c>Z</c>, otherwise unspecified.</param>
    public static bool TryParse(ReadOnlySpan<byte> text, out DateTime date)
    {
        date = default;
        if (text.Length < DateLength)
        {
            return false;
        }

        ref byte start = ref MemoryMarshal.GetReference(text);
        uint wrong = 0;
        uint year = (ReadPair(ref start, 0, ref wrong) * 100) + ReadPair(ref start, 2, ref wrong);
        uint month = ReadPair(ref start, 5, ref wrong);
        uint day = ReadPair(ref start, 8, ref wrong);
        wrong |= (uint)(Unsafe.Add(ref start, 4) ^ '-') | (uint)(Unsafe.Add(ref start, 7) ^ '-');
        if (wrong != 0 || year == 0 || month - 1 > 11 || day == 0 || day > DateTime.DaysInMonth((int)year, (int)month))
        {
            return false;
        }

        date = new DateTime((int)year, (int)month, (int)day);
        return text.Length == DateLength || TryAddTime(text, ref date);
    }

    private static bool TryAddTime(ReadOnlySpan<byte> text, ref DateTime date)
    {
        if (text.Length < SecondsLength)
        {
            return false;
        }

        ref byte start = ref MemoryMarshal.GetReference(text);
        uint wrong = 0;
        uint hours = ReadPair(ref start, 11, ref wrong);
        uint minutes = ReadPair(ref start, 14, ref wrong);
        uint seconds = ReadPair(ref start, 17, ref wrong);
        wrong |= (uint)(Unsafe.Add(ref start, 10) ^ 'T');
        wrong |= (uint)(Unsafe.Add(ref start, 13) ^ ':') | (uint)(Unsafe.Add(ref start, 16) ^ ':');
        if (wrong != 0 || hours > 23 || minutes > 59 || seconds > 59)
        {
            return false;
        }

        bool isUtc = text[^1] == 'Z';
        ReadOnlySpan<byte> rest = isUtc ? text[SecondsLength..^1] : text[SecondsLength..];
        if (!TryReadFraction(rest, out uint fraction))
        {
            return false;
        }

        long inDay = (((((long)hours * 60) + minutes) * 60) + seconds) * FractionUnit;
        long ticks = date.Ticks + inDay + fraction;
        date = new DateTime(ticks, isUtc ? DateTimeKind.Utc : DateTimeKind.Unspecified);
        return true;
    }

    /// <summary>Nothing, or a point and 1 to 7 digits; in units of 100 ns.</summary>
    private static bool TryReadFraction(ReadOnlySpan<byte> text, out uint fraction)
    {
        fraction = 0;
        if (text.IsEmpty)
        {
            return true;
        }

        if (text[0] != '.' || text.Length is < 2 or > FractionLengthMax + 1)
        {
            return false;
        }

        for (int i = 1; i <= FractionLengthMax; i++)
        {
            uint digit = i < text.Length ? (uint)(text[i] - '0') : 0;
            if (digit > 9)
            {
                return false;
            }

            fraction = (fraction * 10) + digit;
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WritePair(ref byte text, int at, uint value) => Unsafe.WriteUnaligned(
        ref Unsafe.Add(ref text, at),
        Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref MemoryMarshal.GetReference(Pairs), value * 2)));

    /// <summary>Two digits; sets bits in <paramref name="wrong"/> if they are none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint ReadPair(ref byte text, int at, ref uint wrong)
    {
        uint tens = (uint)(Unsafe.Add(ref text, at) - '0');
        uint ones = (uint)(Unsafe.Add(ref text, at + 1) - '0');
        wrong |= (tens | (tens + NotADigit) | ones | (ones + NotADigit)) >> 31;
        return (tens * 10) + ones;
    }
}
