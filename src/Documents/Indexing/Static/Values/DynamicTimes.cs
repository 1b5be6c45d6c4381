namespace Raven.Documents.Indexing.Static.Values;

/// <summary>The constructors of times and durations in maps, and durations that are multiplied. A value out of range is
/// an error of the document.</summary>
public static class DynamicTimes
{
    /// <summary>The time of ticks, or of year, month, day; hour, minute, second; millisecond; microsecond.</summary>
    public static DynamicValue Date(params DynamicValue[] parts)
    {
        ArgumentNullException.ThrowIfNull(parts);
        return DynamicValue.Of(DateOf(parts));
    }

    /// <summary>
    /// The time of the same numbers with an offset from UTC after them; or a given time with its offset.
    /// </summary>
    public static DynamicValue DateOffset(params DynamicValue[] parts)
    {
        ArgumentNullException.ThrowIfNull(parts);
        if (parts is [] or [{ IsNull: true }, ..])
        {
            return parts is [] ? DynamicValue.Of(default(DateTimeOffset)) : DynamicValue.Null;
        }

        DateTimeOffset own = default;
        bool isTime = parts.Length <= 2 && DynamicDates.TryRead(parts[0], out own);
        if (parts.Length == 1)
        {
            return isTime ? DynamicValue.Of(own)
                : throw new FormatException($"'{parts[0].ToText()}' is not a date.");
        }

        DateTime time = isTime ? own.DateTime : DateOf(parts.AsSpan(..^1));
        return DynamicValue.Of(new DateTimeOffset(
            DateTime.SpecifyKind(time, DateTimeKind.Unspecified), DynamicDates.ParseDuration(parts[^1]).Duration));
    }

    /// <summary>The duration of ticks; of hours, minutes, seconds; of days and these, of milliseconds and
    /// microseconds, too.</summary>
    public static DynamicValue Duration(params DynamicValue[] parts)
    {
        ArgumentNullException.ThrowIfNull(parts);
        if (parts.Length <= 1)
        {
            return DynamicValue.Of(parts is [var ticks] ? new TimeSpan(DynamicNumbers.ToInteger(ticks)) : default);
        }

        int[] numbers = Numbers(parts);
        return DynamicValue.Of(numbers.Length == 3
            ? new TimeSpan(numbers[0], numbers[1], numbers[2])
            : new TimeSpan(numbers[0], numbers[1], numbers[2], numbers[3], At(numbers, 4), At(numbers, 5)));
    }

    /// <summary>The duration of a number of ticks.</summary>
    /// <exception cref="OverflowException">There is no duration of so many.</exception>
    internal static TimeSpan Span(double ticks)
    {
        const double max = 9223372036854775808.0;
        double whole = Math.Round(ticks);
        return whole is >= -max and < max ? new TimeSpan((long)whole)
            : throw new OverflowException("A duration of so many days is out of range.");
    }

    /// <summary>A duration times a number, or divided by a number or another duration.</summary>
    internal static bool TryScale(DynamicValue left, DynamicValue right, char operation, out DynamicValue result)
    {
        result = default;
        if (operation == '*' && right.Kind == DynamicKind.Duration && left.IsNumber)
        {
            (left, right) = (right, left);
        }

        if (left.Kind != DynamicKind.Duration || operation is not ('*' or '/'))
        {
            return false;
        }

        if (right.Kind == DynamicKind.Duration && operation == '/')
        {
            result = DynamicValue.Of(left.Duration / right.Duration);
            return true;
        }

        if (!right.IsNumber)
        {
            return false;
        }

        double factor = DynamicNumbers.ToReal(right);
        result = DynamicValue.Of(Span(operation == '*' ? left.Duration.Ticks * factor : left.Duration.Ticks / factor));
        return true;
    }

    private static DateTime DateOf(ReadOnlySpan<DynamicValue> parts)
    {
        if (parts.Length <= 1)
        {
            return parts.Length == 0 ? default : new DateTime(DynamicNumbers.ToInteger(parts[0]));
        }

        int[] numbers = Numbers(parts);
        return new DateTime(
            numbers[0], numbers[1], numbers[2], At(numbers, 3), At(numbers, 4), At(numbers, 5), At(numbers, 6),
            At(numbers, 7));
    }

    private static int[] Numbers(ReadOnlySpan<DynamicValue> parts)
    {
        int[] numbers = new int[parts.Length];
        for (int i = 0; i < numbers.Length; i++)
        {
            numbers[i] = checked((int)DynamicNumbers.ToInteger(parts[i]));
        }

        return numbers;
    }

    private static int At(int[] numbers, int index) => index < numbers.Length ? numbers[index] : 0;
}
