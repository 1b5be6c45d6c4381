using System.Globalization;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>
/// Times of maps. JSON has no dates: a text of the form <c>yyyy-MM-dd[THH:mm:ss[.f][Z|+hh:mm]]</c> is taken as a time
/// if a map reads a part of it such as the year, compares it with a time, or adds to it.
/// </summary>
public static class DynamicDates
{
    /// <summary>The time of a text.</summary>
    /// <exception cref="FormatException">It is no time.</exception>
    public static DynamicValue Parse(DynamicValue value)
    {
        if (value.IsNull || value.Kind is DynamicKind.Date or DynamicKind.DateOffset)
        {
            return value;
        }

        string text = value.ToText()!;
        if (!DateTime.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind, out DateTime time))
        {
            throw new FormatException($"'{text}' is not a date.");
        }

        return HasOffset(text)
            ? DynamicValue.Of(DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind))
            : DynamicValue.Of(time);
    }

    /// <summary>The same clock time, as UTC or not.</summary>
    /// <exception cref="FormatException">The value is no time.</exception>
    public static DynamicValue SpecifyKind(DynamicValue value, DynamicValue kind)
    {
        DynamicValue parsed = Parse(value);
        return TryRead(parsed, out DateTimeOffset time)
            ? DynamicValue.Of(DateTime.SpecifyKind(
                time.DateTime,
                kind.ToText() == nameof(DateTimeKind.Utc) ? DateTimeKind.Utc : DateTimeKind.Unspecified))
            : parsed;
    }

    /// <summary>The earliest date.</summary>
    public static DynamicValue MinValue => DynamicValue.Of(DateTime.MinValue);

    /// <summary>The latest date.</summary>
    public static DynamicValue MaxValue => DynamicValue.Of(DateTime.MaxValue);

    /// <summary>The duration of a number of days.</summary>
    public static DynamicValue FromDays(DynamicValue value) => Span(value, TimeSpan.TicksPerDay);

    /// <summary>The duration of a number of hours.</summary>
    public static DynamicValue FromHours(DynamicValue value) => Span(value, TimeSpan.TicksPerHour);

    /// <summary>The duration of a number of minutes.</summary>
    public static DynamicValue FromMinutes(DynamicValue value) => Span(value, TimeSpan.TicksPerMinute);

    /// <summary>The duration of a number of seconds.</summary>
    public static DynamicValue FromSeconds(DynamicValue value) => Span(value, TimeSpan.TicksPerSecond);

    /// <summary>The duration of a number of milliseconds.</summary>
    public static DynamicValue FromMilliseconds(DynamicValue value) => Span(value, TimeSpan.TicksPerMillisecond);

    /// <summary>The duration of a text; null stays null.</summary>
    public static DynamicValue ParseDuration(DynamicValue value) => value.IsNull || value.Kind == DynamicKind.Duration
        ? value
        : DynamicValue.Of(TimeSpan.Parse(value.ToText()!, CultureInfo.InvariantCulture));

    /// <summary>Reads a stored text in the form that a duration is written in: <c>5.00:00:00</c>.</summary>
    internal static bool TryReadDuration(BlittableValue stored, out TimeSpan duration)
    {
        const int lengthMin = 8;
        const int lengthMax = 26;
        duration = default;
        if (stored.Kind != ValueKind.String || stored.Utf8LengthMax < lengthMin)
        {
            return false;
        }

        Span<byte> text = stackalloc byte[256];
        int length = stored.Utf8LengthMax <= text.Length ? stored.CopyUtf8To(text) : lengthMax + 1;
        Span<char> characters = stackalloc char[lengthMax];
        Span<char> own = stackalloc char[lengthMax];
        return length is >= lengthMin and <= lengthMax
            && Encoding.UTF8.TryGetChars(text[..length], characters, out int count)
            && TimeSpan.TryParseExact(
                characters[..count], "c", CultureInfo.InvariantCulture, TimeSpanStyles.None, out duration)
            && duration.TryFormat(own, out int written, "c", CultureInfo.InvariantCulture)
            && own[..written].SequenceEqual(characters[..count]);
    }

    /// <summary>The time moved by a number of one unit: years, months, days, ...</summary>
    internal static DynamicValue Move(DynamicValue value, DynamicValue count, string unit)
    {
        if (value.IsNull || count.IsNull)
        {
            return DynamicValue.Null;
        }

        DynamicValue parsed = Parse(value);
        TryRead(parsed, out DateTimeOffset time);
        double amount = DynamicNumbers.ToReal(count);
        DateTimeOffset moved = unit switch
        {
            "AddYears" => time.AddYears((int)amount),
            "AddMonths" => time.AddMonths((int)amount),
            "AddDays" => time.AddDays(amount),
            "AddHours" => time.AddHours(amount),
            "AddMinutes" => time.AddMinutes(amount),
            "AddSeconds" => time.AddSeconds(amount),
            "AddMilliseconds" => time.AddMilliseconds(amount),
            _ => time.AddTicks((long)amount),
        };
        return Like(parsed, moved);
    }

    /// <summary>The same point in time, as UTC.</summary>
    internal static DynamicValue ToUniversal(DynamicValue value)
    {
        if (value.IsNull)
        {
            return value;
        }

        DynamicValue parsed = Parse(value);
        return parsed.Kind == DynamicKind.DateOffset ? DynamicValue.Of(parsed.DateOffset.ToUniversalTime())
            : DynamicValue.Of(DateTime.SpecifyKind(parsed.Date, DateTimeKind.Utc));
    }

    internal static bool TryRead(DynamicValue value, out DateTimeOffset time)
    {
        switch (value.Kind)
        {
            case DynamicKind.Date:
                time = new DateTimeOffset(value.Date.Ticks, TimeSpan.Zero);
                return true;
            case DynamicKind.DateOffset:
                time = value.DateOffset;
                return true;
            case DynamicKind.Text or DynamicKind.StoredText:
                return TryReadText(value.ToText()!, out time);
            default:
                time = default;
                return false;
        }
    }

    internal static bool TryCompare(DynamicValue left, DynamicValue right, out int order)
    {
        order = 0;
        if (left.Kind == DynamicKind.Duration && right.Kind == DynamicKind.Duration)
        {
            order = left.Duration.CompareTo(right.Duration);
            return true;
        }

        bool isTime = left.Kind is DynamicKind.Date or DynamicKind.DateOffset
            || right.Kind is DynamicKind.Date or DynamicKind.DateOffset;
        if (!isTime || !TryRead(left, out DateTimeOffset one) || !TryRead(right, out DateTimeOffset other))
        {
            return false;
        }

        order = one.CompareTo(other);
        return true;
    }

    internal static bool TryCombine(DynamicValue left, DynamicValue right, char operation, out DynamicValue result)
    {
        result = default;
        if (left.Kind == DynamicKind.Duration && right.Kind == DynamicKind.Duration && operation is '+' or '-')
        {
            result = DynamicValue.Of(operation == '+'
                ? left.Duration + right.Duration
                : left.Duration - right.Duration);
            return true;
        }

        if (DynamicTimes.TryScale(left, right, operation, out result))
        {
            return true;
        }

        bool isTime = left.Kind is DynamicKind.Date or DynamicKind.DateOffset
            || right.Kind is DynamicKind.Date or DynamicKind.DateOffset or DynamicKind.Duration;
        if (!isTime || operation is not ('+' or '-') || !TryRead(left, out DateTimeOffset time))
        {
            return false;
        }

        if (right.Kind == DynamicKind.Duration)
        {
            DynamicValue parsed = Parse(left);
            result = Like(parsed, operation == '+' ? time + right.Duration : time - right.Duration);
            return true;
        }

        if (operation == '-' && TryRead(right, out DateTimeOffset other))
        {
            result = DynamicValue.Of(time - other);
            return true;
        }

        return false;
    }

    internal static bool TryGetPart(DynamicValue value, string name, out DynamicValue part)
    {
        part = default;
        if (value.Kind == DynamicKind.Duration)
        {
            return TryGetPart(value.Duration, name, out part);
        }

        if (!IsPart(name) || !TryRead(value, out DateTimeOffset time))
        {
            return false;
        }

        part = name switch
        {
            "Year" => DynamicValue.Of((long)time.Year),
            "Month" => DynamicValue.Of((long)time.Month),
            "Day" => DynamicValue.Of((long)time.Day),
            "Hour" => DynamicValue.Of((long)time.Hour),
            "Minute" => DynamicValue.Of((long)time.Minute),
            "Second" => DynamicValue.Of((long)time.Second),
            "Millisecond" => DynamicValue.Of((long)time.Millisecond),
            "Ticks" => DynamicValue.Of(time.Ticks),
            "UtcTicks" => DynamicValue.Of(time.UtcTicks),
            "DayOfYear" => DynamicValue.Of((long)time.DayOfYear),
            "DayOfWeek" => DynamicValue.Of(time.DayOfWeek.ToString()),
            "TimeOfDay" => DynamicValue.Of(time.TimeOfDay),
            "UtcDateTime" => DynamicValue.Of(time.UtcDateTime),
            "DateTime" => DynamicValue.Of(time.DateTime),
            _ => DynamicValue.Of(DateTime.SpecifyKind(time.Date, KindOf(value))),
        };
        return true;
    }

    private static bool TryGetPart(TimeSpan span, string name, out DynamicValue part)
    {
        part = name switch
        {
            "Days" => DynamicValue.Of((long)span.Days),
            "Hours" => DynamicValue.Of((long)span.Hours),
            "Minutes" => DynamicValue.Of((long)span.Minutes),
            "Seconds" => DynamicValue.Of((long)span.Seconds),
            "Milliseconds" => DynamicValue.Of((long)span.Milliseconds),
            "Ticks" => DynamicValue.Of(span.Ticks),
            "TotalDays" => DynamicValue.Of(span.TotalDays),
            "TotalHours" => DynamicValue.Of(span.TotalHours),
            "TotalMinutes" => DynamicValue.Of(span.TotalMinutes),
            "TotalSeconds" => DynamicValue.Of(span.TotalSeconds),
            "TotalMilliseconds" => DynamicValue.Of(span.TotalMilliseconds),
            _ => default,
        };
        return part.Kind != DynamicKind.Missing;
    }

    private static bool IsPart(string name) => name is "Year" or "Month" or "Day" or "Hour" or "Minute" or "Second"
        or "Millisecond" or "Ticks" or "UtcTicks" or "DayOfYear" or "DayOfWeek" or "TimeOfDay" or "UtcDateTime"
        or "DateTime" or "Date";

    private static DateTimeKind KindOf(DynamicValue value)
    {
        DynamicValue parsed = Parse(value);
        return parsed.Kind == DynamicKind.Date ? parsed.Date.Kind : DateTimeKind.Unspecified;
    }

    private static DynamicValue Span(DynamicValue value, long ticks) =>
        value.IsNull ? value : DynamicValue.Of(DynamicTimes.Span(DynamicNumbers.ToReal(value) * ticks));

    /// <summary>A moved time, of the same kind as its source.</summary>
    private static DynamicValue Like(DynamicValue source, DateTimeOffset time) =>
        source.Kind == DynamicKind.DateOffset
            ? DynamicValue.Of(time)
            : DynamicValue.Of(DateTime.SpecifyKind(time.DateTime, source.Date.Kind));

    private static bool TryReadText(string text, out DateTimeOffset time)
    {
        time = default;
        return text.Length >= 10 && text[4] == '-' && text[7] == '-' && char.IsAsciiDigit(text[0])
            && DateTimeOffset.TryParse(
                text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AllowWhiteSpaces,
                out time);
    }

    /// <summary>Whether the text ends with an offset other than Z.</summary>
    private static bool HasOffset(string text) =>
        text.Length > 19 && text.LastIndexOfAny(['+', '-']) > 10 && text.Contains('T', StringComparison.Ordinal);
}
