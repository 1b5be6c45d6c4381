namespace Raven.Client.Json;

/// <summary>Times of time series: UTC, to the millisecond.</summary>
internal static class SeriesTime
{
    /// <summary>A time as the server has it; one of no kind is taken as UTC.</summary>
    internal static DateTime Of(DateTime time)
    {
        DateTime utc = time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : time;
        return new DateTime(utc.Ticks - (utc.Ticks % TimeSpan.TicksPerMillisecond), DateTimeKind.Utc);
    }

    /// <summary>A bound of a range as text; null if the range is open there.</summary>
    internal static string? TextOf(DateTime? time) =>
        time is { } bound ? RavenDateTimeConverter.ToText(Of(bound)) : null;
}
