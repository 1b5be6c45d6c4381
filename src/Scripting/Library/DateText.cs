using System.Globalization;

namespace Raven.Scripting.Library;

/// <summary>Dates as text: the formats of ECMA-262, 21.4.4.41, and other common ones.</summary>
internal static class DateText
{
    private static readonly string[] Days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

    private static readonly string[] Months =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

    /// <summary>A date in the form of documents, with seven digits behind the second.</summary>
    internal static string Stored(double time) => string.Concat(Iso(time).AsSpan()[..^1], "0000Z");

    internal static string Iso(double time)
    {
        (int year, int month, int day) = Parts(time);
        string text = year is >= 0 and <= 9999 ? Pad(year, 4) : (year < 0 ? "-" : "+") + Pad(Math.Abs(year), 6);
        return $"{text}-{Pad(month + 1, 2)}-{Pad(day, 2)}T{Clock(time)}.{Pad(Get(time, DatePart.Millisecond), 3)}Z";
    }

    internal static string Full(double time) => $"{DayOnly(time)} {TimeOnly(time)}";

    internal static string DayOnly(double time)
    {
        (int year, int month, int day) = Parts(time);
        return $"{Days[Get(time, DatePart.WeekDay)]} {Months[month]} {Pad(day, 2)} {Year(year)}";
    }

    internal static string TimeOnly(double time) => $"{Clock(time)} GMT+0000 (Coordinated Universal Time)";

    internal static string Utc(double time)
    {
        (int year, int month, int day) = Parts(time);
        return $"{Days[Get(time, DatePart.WeekDay)]}, {Pad(day, 2)} {Months[month]} {Year(year)} {Clock(time)} GMT";
    }

    internal static string Locale(double time) => $"{LocaleDay(time)}, {LocaleTime(time)}";

    internal static string LocaleDay(double time)
    {
        (int year, int month, int day) = Parts(time);
        return string.Create(CultureInfo.InvariantCulture, $"{month + 1}/{day}/{year}");
    }

    internal static string LocaleTime(double time)
    {
        int hour = Get(time, DatePart.Hour);
        int twelve = hour % 12 == 0 ? 12 : hour % 12;
        string minutes = Pad(Get(time, DatePart.Minute), 2);
        string seconds = Pad(Get(time, DatePart.Second), 2);
        return string.Create(
            CultureInfo.InvariantCulture, $"{twelve}:{minutes}:{seconds} {(hour < 12 ? "AM" : "PM")}");
    }

    /// <summary>Milliseconds since 1970, NaN if the text is no date.</summary>
    internal static double Parse(string text)
    {
        if (text.Length > 100)
        {
            return double.NaN;
        }

        double iso = ParseIso(text.Trim());
        return double.IsNaN(iso) ? ParseWords(text) : iso;
    }

    private static (int Year, int Month, int Day) Parts(double time) =>
        DateMath.Civil((long)Math.Floor(time / DateMath.DayMs));

    private static int Get(double time, DatePart part) => (int)DateMath.Get(time, part);

    private static string Pad(int value, int width) => value.ToString(CultureInfo.InvariantCulture).PadLeft(width, '0');

    private static string Year(int year) => year < 0 ? "-" + Pad(-year, 6) : Pad(year, 4);

    private static string Clock(double time) =>
        $"{Pad(Get(time, DatePart.Hour), 2)}:{Pad(Get(time, DatePart.Minute), 2)}:{Pad(Get(time, DatePart.Second), 2)}";

    private static double ParseIso(string text)
    {
        int at = 0;
        int sign = text.StartsWith('-') ? -1 : 1;
        bool extended = text.Length > 0 && text[0] is '+' or '-';
        at += extended ? 1 : 0;
        if (!Number(text, ref at, extended ? 6 : 4, out int year))
        {
            return double.NaN;
        }

        (int month, int day, int hour, int minute, int second, double ms) = (1, 1, 0, 0, 0, 0);
        double offset = 0;
        if (Skip(text, ref at, '-'))
        {
            bool valid = Number(text, ref at, 2, out month);
            valid &= !Skip(text, ref at, '-') || Number(text, ref at, 2, out day);
            if (!valid)
            {
                return double.NaN;
            }
        }

        if (at < text.Length && text[at] is 'T' or 't' or ' ')
        {
            at++;
            bool valid = Number(text, ref at, 2, out hour) && Skip(text, ref at, ':')
                && Number(text, ref at, 2, out minute);
            valid = valid && (!Skip(text, ref at, ':') || Number(text, ref at, 2, out second));
            valid = valid && ParseFraction(text, ref at, ref ms) && ParseOffset(text, ref at, ref offset);
            if (!valid)
            {
                return double.NaN;
            }
        }

        bool inRange = month is >= 1 and <= 12 && day >= 1 && day <= 31 && hour <= 24 && minute <= 59 && second <= 59
            && (hour < 24 || (minute == 0 && second == 0 && ms == 0));
        return at < text.Length || !inRange ? double.NaN
            : DateMath.Clip(DateMath.Make(
                DateMath.Day(sign * year, month - 1, day), DateMath.Time(hour, minute, second, ms)) - offset);
    }

    private static bool ParseFraction(string text, ref int at, ref double ms)
    {
        if (!Skip(text, ref at, '.'))
        {
            return true;
        }

        int start = at;
        double scale = 100;
        while (at < text.Length && char.IsAsciiDigit(text[at]))
        {
            // Digits beyond milliseconds are cut, not rounded.
            ms += scale >= 1 ? (text[at] - '0') * scale : 0;
            scale /= 10;
            at++;
        }

        return at > start;
    }

    private static bool ParseOffset(string text, ref int at, ref double offset)
    {
        if (Skip(text, ref at, 'Z') || Skip(text, ref at, 'z') || at == text.Length)
        {
            return true;
        }

        int sign = text[at] == '-' ? -1 : 1;
        if (text[at] is not ('+' or '-'))
        {
            return false;
        }

        at++;
        bool valid = Number(text, ref at, 2, out int hours);
        Skip(text, ref at, ':');
        valid &= Number(text, ref at, 2, out int minutes);
        offset = sign * ((hours * 3_600_000.0) + (minutes * 60_000.0));
        return valid;
    }

    private static bool Number(string text, ref int at, int digits, out int value)
    {
        value = 0;
        if (at + digits > text.Length)
        {
            return false;
        }

        for (int end = at + digits; at < end; at++)
        {
            if (!char.IsAsciiDigit(text[at]))
            {
                return false;
            }

            value = (value * 10) + text[at] - '0';
        }

        return true;
    }

    private static bool Skip(string text, ref int at, char c)
    {
        bool found = at < text.Length && text[at] == c;
        at += found ? 1 : 0;
        return found;
    }

    /// <summary>"Mar 5, 2020 10:00:00", "5 March 2020", "3/5/2020", and what toString and toUTCString write.</summary>
    private static double ParseWords(string text)
    {
        int bracket = text.IndexOf('(', StringComparison.Ordinal);
        string plain = (bracket < 0 ? text : text[..bracket]).Replace(",", " ", StringComparison.Ordinal).Trim();
        plain = plain.Replace("GMT", " ", StringComparison.Ordinal).Replace("UTC", " ", StringComparison.Ordinal);
        string[] formats =
        [
            "ddd MMM d yyyy H:m:s zzz", "ddd MMM d yyyy H:m:s", "ddd MMM d yyyy", "ddd d MMM yyyy H:m:s",
            "MMM d yyyy H:m:s", "MMM d yyyy H:m", "MMM d yyyy", "MMMM d yyyy H:m:s", "MMMM d yyyy H:m", "MMMM d yyyy",
            "d MMM yyyy H:m:s", "d MMM yyyy", "d MMMM yyyy", "M/d/yyyy H:m:s", "M/d/yyyy H:m", "M/d/yyyy",
            "M/d/yyyy h:m:s tt", "yyyy/M/d H:m:s", "yyyy/M/d", "yyyy-M-d H:m:s", "yyyy-M-d",
        ];
        string spaced = string.Join(' ', plain.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        return DateTimeOffset.TryParseExact(
            spaced, formats, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset moment)
            ? moment.ToUnixTimeMilliseconds() : double.NaN;
    }
}
