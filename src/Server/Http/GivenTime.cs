using System.Globalization;

namespace Raven.Server.Http;

/// <summary>Times in the form that clients write, UTC.</summary>
internal static class GivenTime
{
    /// <summary>Reads a time; UTC ticks.</summary>
    /// <exception cref="BadRequestException">It is none.</exception>
    internal static long Read(string text, string name) => TryRead(text, out long ticks)
        ? ticks
        : throw new BadRequestException(400, ErrorType.Argument, $"{name} must be a time, not '{text}'.");

    /// <summary>Reads a time; UTC ticks. No text is no time.</summary>
    internal static bool TryRead(string? text, out long ticks)
    {
        bool isTime = DateTime.TryParse(
            text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal,
            out DateTime time);
        ticks = time.Ticks;
        return isTime;
    }
}
