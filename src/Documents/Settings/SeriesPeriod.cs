namespace Raven.Documents.Settings;

/// <summary>
/// A length of time that divides the times of a series into frames: so many milliseconds, or so many months of the
/// calendar. Frames are counted from the year 1, so that hours, days and months begin where the clock and the calendar
/// say, and weeks on Mondays. All times are whole milliseconds since 0001-01-01, UTC.
/// </summary>
/// <param name="Milliseconds">The length, or 0 if it is one of months.</param>
/// <param name="Months">The number of months, or 0.</param>
internal readonly record struct SeriesPeriod(long Milliseconds, int Months)
{
    /// <summary>The last time of all.</summary>
    internal const long TimeMax = 315_537_897_599_999;

    private const int MonthsMax = 9999 * 12;
    private const long MillisecondsOfDay = 86_400_000;
    private const long DaysOfMonthMin = 28;
    private const long DaysOfMonthMax = 31;

    /// <summary>Whether it has any length.</summary>
    internal bool IsEmpty => Milliseconds == 0 && Months == 0;

    /// <summary>The beginning of the frame that a time lies in.</summary>
    internal long FloorOf(long time)
    {
        if (Months == 0)
        {
            return time - (time % Milliseconds);
        }

        DateTime date = Date(time);
        int month = ((date.Year - 1) * 12) + date.Month - 1;
        return OfMonth(month - (month % Months));
    }

    /// <summary>The beginning of the first frame that begins at a time or behind it.</summary>
    internal long CeilingOf(long time)
    {
        long floor = FloorOf(time);
        return floor == time ? time : NextOf(floor);
    }

    /// <summary>The end of a frame, which is the beginning of the next one; at most one behind the last time.</summary>
    internal long NextOf(long start)
    {
        if (Months == 0)
        {
            return Milliseconds > TimeMax - start ? TimeMax + 1 : start + Milliseconds;
        }

        DateTime date = Date(start);
        long month = ((date.Year - 1) * 12) + date.Month - 1 + (long)Months;
        return month >= MonthsMax ? TimeMax + 1 : OfMonth((int)month);
    }

    /// <summary>A time so much earlier; the first of all if there is none.</summary>
    internal long Before(long time)
    {
        if (Months == 0)
        {
            return Math.Max(0, time - Milliseconds);
        }

        DateTime date = Date(Math.Min(time, TimeMax));
        return Months >= ((date.Year - 1) * 12) + date.Month ? 0 : Of(date.AddMonths(-Months));
    }

    /// <summary>A time so much later; the last of all if there is none.</summary>
    internal long After(long time)
    {
        if (Months == 0)
        {
            return Milliseconds > TimeMax - time ? TimeMax : time + Milliseconds;
        }

        DateTime date = Date(Math.Min(time, TimeMax));
        return Months > MonthsMax - ((date.Year - 1) * 12) - date.Month ? TimeMax : Of(date.AddMonths(Months));
    }

    /// <summary>Whether each of its frames begins where one of a shorter period begins.</summary>
    internal bool IsMultipleOf(SeriesPeriod shorter) => (Months, shorter.Months) switch
    {
        (0, 0) => Milliseconds > shorter.Milliseconds && Milliseconds % shorter.Milliseconds == 0,
        (0, _) => false,
        (_, 0) => MillisecondsOfDay % shorter.Milliseconds == 0,
        _ => Months > shorter.Months && Months % shorter.Months == 0,
    };

    /// <summary>Whether it is at least as long as another one, however long the months are.</summary>
    internal bool IsAtLeast(SeriesPeriod other) => (Months != 0) == (other.Months != 0)
        ? Months >= other.Months && Milliseconds >= other.Milliseconds
        : (Months * DaysOfMonthMin * MillisecondsOfDay) + Milliseconds
            >= (other.Months * DaysOfMonthMax * MillisecondsOfDay) + other.Milliseconds;

    private static DateTime Date(long time) => new(time * TimeSpan.TicksPerMillisecond, DateTimeKind.Utc);

    private static long Of(DateTime date) => date.Ticks / TimeSpan.TicksPerMillisecond;

    private static long OfMonth(int month) =>
        Of(new DateTime((month / 12) + 1, (month % 12) + 1, 1, 0, 0, 0, DateTimeKind.Utc));
}
