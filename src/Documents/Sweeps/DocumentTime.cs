using System.Globalization;

namespace Raven.Documents.Sweeps;

/// <summary>Times in the form that clients write: those without a zone are UTC.</summary>
public static class DocumentTime
{
    /// <summary>Reads a time; UTC ticks. No text is no time.</summary>
    public static bool TryRead(ReadOnlySpan<char> text, out long ticks)
    {
        // DateTime would take a time before the first one, as 0001-01-01T00:00:00+00:01, for another one a day later.
        bool isTime = DateTimeOffset.TryParse(
            text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time);
        ticks = time.UtcTicks;
        return isTime;
    }
}
