namespace Raven.Documents.Indexing.Static.Values;

/// <summary>Methods of times in maps, besides those of <see cref="DynamicDates"/>.</summary>
public static class DynamicCalls
{
    /// <summary>The time moved by a number of years.</summary>
    public static DynamicValue AddYears(this DynamicValue value, DynamicValue count) =>
        DynamicDates.Move(value, count, nameof(AddYears));

    /// <summary>The time moved by a number of months.</summary>
    public static DynamicValue AddMonths(this DynamicValue value, DynamicValue count) =>
        DynamicDates.Move(value, count, nameof(AddMonths));

    /// <summary>The time moved by a number of days.</summary>
    public static DynamicValue AddDays(this DynamicValue value, DynamicValue count) =>
        DynamicDates.Move(value, count, nameof(AddDays));

    /// <summary>The time moved by a number of hours.</summary>
    public static DynamicValue AddHours(this DynamicValue value, DynamicValue count) =>
        DynamicDates.Move(value, count, nameof(AddHours));

    /// <summary>The time moved by a number of minutes.</summary>
    public static DynamicValue AddMinutes(this DynamicValue value, DynamicValue count) =>
        DynamicDates.Move(value, count, nameof(AddMinutes));

    /// <summary>The time moved by a number of seconds.</summary>
    public static DynamicValue AddSeconds(this DynamicValue value, DynamicValue count) =>
        DynamicDates.Move(value, count, nameof(AddSeconds));

    /// <summary>The time moved by a number of milliseconds.</summary>
    public static DynamicValue AddMilliseconds(this DynamicValue value, DynamicValue count) =>
        DynamicDates.Move(value, count, nameof(AddMilliseconds));

    /// <summary>The time moved by a number of ticks.</summary>
    public static DynamicValue AddTicks(this DynamicValue value, DynamicValue count) =>
        DynamicDates.Move(value, count, nameof(AddTicks));

    /// <summary>The same time as UTC.</summary>
    public static DynamicValue ToUniversalTime(this DynamicValue value) => DynamicDates.ToUniversal(value);

    /// <summary>The sum of a time or a number and another value.</summary>
    public static DynamicValue Add(this DynamicValue value, DynamicValue other) =>
        DynamicNumbers.Add(DynamicDates.TryRead(value, out _) ? DynamicDates.Parse(value) : value, other);

    /// <summary>The difference of a time or a number and another value.</summary>
    public static DynamicValue Subtract(this DynamicValue value, DynamicValue other) =>
        DynamicNumbers.Subtract(DynamicDates.TryRead(value, out _) ? DynamicDates.Parse(value) : value, other);

    /// <summary>The content of an attachment as a text; null of anything else.</summary>
    public static DynamicValue GetContentAsString(this DynamicValue attachment) =>
        attachment.Object is AttachmentRecord record ? DynamicValue.Of(record.Content()) : DynamicValue.Null;
}
