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

    /// <summary>Reads a time: a date, which is UTC without a zone, or milliseconds since 1970.</summary>
    internal static bool TryReadTime(ReadOnlySpan<byte> text, out long time)
    {
        time = 0;
        if (Utf8Parser.TryParse(text, out long unix, out int consumed) && consumed == text.Length)
        {
            return SeriesTime.TryOfUnix(unix, out time);
        }

        if (text.Length > TimeLengthMax || text.IsEmpty)
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
}
