using System.Text.Json.Serialization;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>A length of time, in seconds or in months of the calendar.</summary>
/// <param name="Value">The number.</param>
/// <param name="Unit">The unit.</param>
[method: JsonConstructor]
public readonly record struct TimeValue(int Value, TimeValueUnit Unit)
{
    private const int Minute = 60;
    private const int Hour = 60 * Minute;
    private const int Day = 24 * Hour;

    /// <summary>No time.</summary>
    public static TimeValue Zero => new(0, TimeValueUnit.None);

    /// <summary>All time: for ever.</summary>
    public static TimeValue MaxValue => new(int.MaxValue, TimeValueUnit.None);

    /// <summary>So many seconds.</summary>
    public static TimeValue OfSeconds(int seconds) => new(seconds, TimeValueUnit.Second);

    /// <summary>So many minutes.</summary>
    public static TimeValue OfMinutes(int minutes) => new(checked(minutes * Minute), TimeValueUnit.Second);

    /// <summary>So many hours.</summary>
    public static TimeValue OfHours(int hours) => new(checked(hours * Hour), TimeValueUnit.Second);

    /// <summary>So many days.</summary>
    public static TimeValue OfDays(int days) => new(checked(days * Day), TimeValueUnit.Second);

    /// <summary>So many months of the calendar.</summary>
    public static TimeValue OfMonths(int months) => new(months, TimeValueUnit.Month);

    /// <summary>So many years of the calendar.</summary>
    public static TimeValue OfYears(int years) => new(checked(years * 12), TimeValueUnit.Month);
}
