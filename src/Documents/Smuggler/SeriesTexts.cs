using System.Buffers.Text;
using System.Text;
using Raven.Blittable.Text;
using Raven.Documents.Rows.Series;
using Raven.Documents.Sweeps;

namespace Raven.Documents.Smuggler;

/// <summary>Times and numbers as files with entries of time series have them.</summary>
internal static class SeriesTexts
{
    private const int TimeLengthMax = 64;

    /// <summary>
    /// Reads a time: a date, which begins as 2026-01-31 does and is UTC without a zone, or milliseconds since 1970.
    /// Other texts are no times: 05/06/2026 is one day or another, and 12:30 and 1.5 are none.
    /// </summary>
    internal static bool TryReadTime(ReadOnlySpan<byte> text, out long time)
    {
        time = 0;
        text = text.Trim((byte)' ');
        if (Utf8Parser.TryParse(text, out long unix, out int consumed) && consumed == text.Length)
        {
            return SeriesTime.TryOfUnix(unix, out time);
        }

        if (text.Length > TimeLengthMax || !BeginsWithDate(text))
        {
            return false;
        }

        if (text.Length >= 19 && DateText.TryParse(text, out DateTime date))
        {
            time = SeriesTime.OfTicks(date.Ticks);
            return true;
        }

        Span<char> characters = stackalloc char[TimeLengthMax];
        int length = Encoding.UTF8.GetChars(text, characters);
        bool isTime = DocumentTime.TryRead(characters[..length], out long ticks);
        time = SeriesTime.OfTicks(ticks);
        return isTime;
    }

    private static bool BeginsWithDate(ReadOnlySpan<byte> text)
    {
        const int dateLength = 10;
        for (int i = 0; i < Math.Min(text.Length, dateLength); i++)
        {
            if (i is 4 or 7 ? text[i] != '-' : !char.IsAsciiDigit((char)text[i]))
            {
                return false;
            }
        }

        return text.Length == dateLength || (text.Length > dateLength && !char.IsAsciiDigit((char)text[dateLength]));
    }
}
