namespace Raven.Scripting.Library;

internal enum DatePart : byte
{
    Year, Month, Day, Hour, Minute, Second, Millisecond, WeekDay,
}

/// <summary>The calendar of ECMA-262, 21.4.1: days and milliseconds as doubles, 8.64e15 either way.</summary>
internal static class DateMath
{
    internal const double DayMs = 86_400_000;

    /// <summary>Days since 1970 of a year, month (from 0, any number) and day of the month.</summary>
    internal static double Day(double year, double month, double date)
    {
        if (!double.IsFinite(year) || !double.IsFinite(month) || !double.IsFinite(date))
        {
            return double.NaN;
        }

        year = Math.Truncate(year);
        month = Math.Truncate(month);
        year += Math.Floor(month / 12);
        month -= Math.Floor(month / 12) * 12;
        if (Math.Abs(year) > 400_000)
        {
            return double.NaN;
        }

        // Years that begin in March put the leap day last.
        long y = (long)year - (month < 2 ? 1 : 0);
        long era = (y >= 0 ? y : y - 399) / 400;
        long yearOfEra = y - (era * 400);
        long dayOfYear = ((153 * ((long)month + (month < 2 ? 10 : -2))) + 2) / 5;
        long dayOfEra = (yearOfEra * 365) + (yearOfEra / 4) - (yearOfEra / 100) + dayOfYear;
        return (era * 146_097) + dayOfEra - 719_468 + Math.Truncate(date) - 1;
    }

    /// <summary>Milliseconds within a day; parts may be beyond their range.</summary>
    internal static double Time(double hour, double minute, double second, double ms) =>
        (Math.Truncate(hour) * 3_600_000) + (Math.Truncate(minute) * 60_000) + (Math.Truncate(second) * 1000)
        + Math.Truncate(ms);

    internal static double Make(double day, double time) => (day * DayMs) + time;

    internal static double Clip(double time) =>
        !double.IsFinite(time) || Math.Abs(time) > 8.64e15 ? double.NaN : Math.Truncate(time) + 0.0;

    internal static double Get(double time, DatePart part)
    {
        if (double.IsNaN(time))
        {
            return double.NaN;
        }

        double day = Math.Floor(time / DayMs);
        double inDay = time - (day * DayMs);
        switch (part)
        {
            case DatePart.Hour:
                return Math.Floor(inDay / 3_600_000);
            case DatePart.Minute:
                return Math.Floor(inDay / 60_000) % 60;
            case DatePart.Second:
                return Math.Floor(inDay / 1000) % 60;
            case DatePart.Millisecond:
                return inDay % 1000;
            case DatePart.WeekDay:
                return ((day + 4) % 7 + 7) % 7;
            default:
                (int year, int month, int date) = Civil((long)day);
                return part == DatePart.Year ? year : part == DatePart.Month ? month : date;
        }
    }

    /// <summary>Year, month from 0 and day of the month of a day since 1970.</summary>
    internal static (int Year, int Month, int Day) Civil(long day)
    {
        long z = day + 719_468;
        long era = (z >= 0 ? z : z - 146_096) / 146_097;
        long dayOfEra = z - (era * 146_097);
        long yearOfEra = (dayOfEra - (dayOfEra / 1460) + (dayOfEra / 36_524) - (dayOfEra / 146_096)) / 365;
        long dayOfYear = dayOfEra - ((365 * yearOfEra) + (yearOfEra / 4) - (yearOfEra / 100));
        long shifted = ((5 * dayOfYear) + 2) / 153;
        int date = (int)(dayOfYear - (((153 * shifted) + 2) / 5) + 1);
        int month = (int)(shifted < 10 ? shifted + 2 : shifted - 10);
        return ((int)(yearOfEra + (era * 400) + (month < 2 ? 1 : 0)), month, date);
    }
}
