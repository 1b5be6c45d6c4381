using Raven.Blittable.Memory;

namespace Raven.Documents.Queries.Filters;

/// <summary>A value that is compared without an index, in the same order as in an index.</summary>
internal readonly struct FilterValue
{
    private const double TwoTo63 = 9223372036854775808.0;

    private readonly double _number;
    private readonly long _rest;
    private readonly TextMeaning _meaning;

    private FilterValue(FilterValueKind kind, double number, long rest, NativeSlice text,
        TextMeaning meaning = TextMeaning.Text)
    {
        Kind = kind;
        _meaning = meaning;
        _number = number;
        _rest = rest;
        Text = text;
    }

    /// <summary>The kind of the value. Only values of one kind are less or greater than one another.</summary>
    internal FilterValueKind Kind { get; }

    /// <summary>The UTF-8 of a text, in lower case unless it is compared exactly.</summary>
    internal NativeSlice Text { get; }

    /// <summary>Whether it counts as true in a condition.</summary>
    internal bool IsTrue => Kind is FilterValueKind.True
        || (Kind == FilterValueKind.Number && (_number != 0 || _rest != 0))
        || (Kind == FilterValueKind.Text && !Text.IsEmpty);

    internal static FilterValue Null => new(FilterValueKind.Null, 0, 0, default);

    internal static FilterValue Of(bool value) =>
        new(value ? FilterValueKind.True : FilterValueKind.False, 0, 0, default);

    internal static FilterValue Of(NativeSlice text) => new(FilterValueKind.Text, 0, 0, text);

    /// <summary>Makes a text that is a duration.</summary>
    /// <param name="text">The text.</param>
    /// <param name="ticks">The ticks of the duration.</param>
    /// <param name="isValue">Whether a field has it, and not only a text that is compared with one.</param>
    internal static FilterValue Of(NativeSlice text, long ticks, bool isValue)
    {
        FilterValue length = Of(ticks);
        return new FilterValue(
            FilterValueKind.Text, length._number, length._rest, text,
            isValue ? TextMeaning.Duration : TextMeaning.Bound);
    }

    internal static FilterValue Of(double value) => new(FilterValueKind.Number, value, 0, default);

    /// <summary>Makes a whole number: its nearest double, and the difference to that.</summary>
    internal static FilterValue Of(long value)
    {
        double nearest = value;
        long rest = nearest == TwoTo63 ? value - long.MaxValue - 1 : value - (long)nearest;
        return new FilterValue(FilterValueKind.Number, nearest, rest, default);
    }

    /// <summary>Makes a whole number of more than 64 bits.</summary>
    internal static FilterValue Of(Int128 value)
    {
        double nearest = (double)value;
        Int128 rest = value - (Int128)nearest;
        return new FilterValue(
            FilterValueKind.Number, nearest, rest > short.MaxValue || rest < -short.MaxValue ? 0 : (long)rest, default);
    }

    /// <summary>Compares two values, if one can be less than the other: both are of one kind, or one is
    /// a duration.</summary>
    /// <param name="other">The other value.</param>
    /// <param name="isRange">Whether a text in any form counts as a duration beside one; it is equal only to its
    /// own text.</param>
    /// <param name="order">Below zero if this is less.</param>
    internal bool TryCompare(in FilterValue other, bool isRange, out int order)
    {
        bool isDuration = _meaning == TextMeaning.Duration || other._meaning == TextMeaning.Duration;
        bool areBoth = IsLength(isRange) && other.IsLength(isRange);
        order = isDuration && areBoth ? CompareNumbers(other)
            : Kind != other.Kind ? 0
            : Kind == FilterValueKind.Text ? Text.Span.SequenceCompareTo(other.Text.Span)
            : CompareNumbers(other);
        return Kind == other.Kind || (isDuration && areBoth);
    }

    private bool IsLength(bool isRange) => Kind == FilterValueKind.Number || _meaning == TextMeaning.Duration
        || (isRange && _meaning == TextMeaning.Bound);

    private int CompareNumbers(in FilterValue other)
    {
        int order = _number.CompareTo(other._number);
        return order != 0 ? order : _rest.CompareTo(other._rest);
    }

    private enum TextMeaning : byte
    {
        Text,
        Bound,
        Duration,
    }
}
