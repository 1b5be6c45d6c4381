namespace Raven.Documents.Rows.Series;

/// <summary>Times of points: whole milliseconds since 0001-01-01, UTC.</summary>
public static class SeriesTime
{
    /// <summary>The last time of all.</summary>
    public const long Max = 315_537_897_599_999;

    /// <summary>The time of an increment that came without one: that of its commit is taken.</summary>
    public const long Unknown = -1;

    private const long UnixEpoch = 62_135_596_800_000;

    /// <summary>The time of UTC ticks (100 ns since 0001-01-01); what is below a millisecond is cut off.</summary>
    public static long OfTicks(long ticks) => ticks / TimeSpan.TicksPerMillisecond;

    /// <summary>The UTC ticks of a time.</summary>
    public static long ToTicks(long time) => time * TimeSpan.TicksPerMillisecond;

    /// <summary>The milliseconds since 1970-01-01 of a time.</summary>
    internal static long ToUnix(long time) => time - UnixEpoch;

    /// <summary>The time of milliseconds since 1970-01-01.</summary>
    /// <returns>False if it lies outside of the years 1 to 9999.</returns>
    public static bool TryOfUnix(long milliseconds, out long time)
    {
        bool isIn = milliseconds is >= -UnixEpoch and <= Max - UnixEpoch;
        time = isIn ? milliseconds + UnixEpoch : 0;
        return isIn;
    }
}
