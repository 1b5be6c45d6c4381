using Raven.Blittable.Memory;

namespace Raven.Server.Queries.Filters;

/// <summary>A value that is compared without an index, in the order in which an index has values.</summary>
internal readonly struct FilterValue
{
    private const double TwoTo63 = 9223372036854775808.0;

    private readonly double _number;
    private readonly long _rest;

    private FilterValue(FilterValueKind kind, double number, long rest, NativeSlice text)
    {
        Kind = kind;
        _number = number;
        _rest = rest;
        Text = text;
    }

    /// <summary>What it is. Only values of one kind are less or greater than one another.</summary>
    internal FilterValueKind Kind { get; }

    /// <summary>The UTF-8 of a text, in lower case unless cases are told apart.</summary>
    internal NativeSlice Text { get; }

    /// <summary>Whether it stands for true where a condition is expected.</summary>
    internal bool IsTrue => Kind is FilterValueKind.True
        || (Kind == FilterValueKind.Number && (_number != 0 || _rest != 0))
        || (Kind == FilterValueKind.Text && !Text.IsEmpty);

    internal static FilterValue Null => new(FilterValueKind.Null, 0, 0, default);

    internal static FilterValue Of(bool value) =>
        new(value ? FilterValueKind.True : FilterValueKind.False, 0, 0, default);

    internal static FilterValue Of(NativeSlice text) => new(FilterValueKind.Text, 0, 0, text);

    internal static FilterValue Of(double value) => new(FilterValueKind.Number, value, 0, default);

    /// <summary>A whole number: its nearest double, and what it has over that.</summary>
    internal static FilterValue Of(long value)
    {
        double nearest = value;
        long rest = nearest == TwoTo63 ? value - long.MaxValue - 1 : value - (long)nearest;
        return new FilterValue(FilterValueKind.Number, nearest, rest, default);
    }

    /// <summary>A whole number of more than 64 bits.</summary>
    internal static FilterValue Of(Int128 value)
    {
        double nearest = (double)value;
        Int128 rest = value - (Int128)nearest;
        return new FilterValue(
            FilterValueKind.Number, nearest, rest > short.MaxValue || rest < -short.MaxValue ? 0 : (long)rest, default);
    }

    /// <summary>Compares two values of one kind.</summary>
    internal int CompareTo(in FilterValue other)
    {
        if (Kind == FilterValueKind.Text)
        {
            return Text.Span.SequenceCompareTo(other.Text.Span);
        }

        int order = _number.CompareTo(other._number);
        return order != 0 ? order : _rest.CompareTo(other._rest);
    }
}
