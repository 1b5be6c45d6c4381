using System.Globalization;

namespace Raven.Documents.Sweeps;

/// <summary>Times in the form that clients write: those without a zone are UTC.</summary>
public static class DocumentTime
{
    /// <summary>Reads a time; UTC ticks. No text is no time.</summary>
    public static bool TryRead(ReadOnlySpan<char> text, out long ticks)
    {
        bool isTime = DateTime.TryParse(
            text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal,
            out DateTime time);
        ticks = time.Ticks;
        return isTime;
    }
}
