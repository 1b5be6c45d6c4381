using System.Globalization;

namespace Raven.Tools.Bench;

/// <summary>
/// What a row must reach: a bound on the ratio ours / peer, or on our own figure. Ratios are always ours divided by the
/// peer's, whatever the unit: "at least" for a throughput, "at most" for a cost.
/// </summary>
public readonly record struct BenchTarget
{
    private BenchTarget(bool isRatio, bool isAtLeast, double value)
    {
        IsSet = true;
        IsRatio = isRatio;
        IsAtLeast = isAtLeast;
        Value = value;
    }

    /// <summary>A row that only informs; it is never missed.</summary>
    public static BenchTarget None => default;

    /// <summary>Whether there is a bound at all.</summary>
    public bool IsSet { get; }

    /// <summary>Whether the bound is on ours / peer instead of on ours.</summary>
    public bool IsRatio { get; }

    /// <summary>Whether more is better.</summary>
    public bool IsAtLeast { get; }

    /// <summary>The bound.</summary>
    public double Value { get; }

    /// <summary>ours / peer must not be below <paramref name="ratio"/>.</summary>
    public static BenchTarget RatioAtLeast(double ratio) => new(isRatio: true, isAtLeast: true, ratio);

    /// <summary>ours / peer must not be above <paramref name="ratio"/>.</summary>
    public static BenchTarget RatioAtMost(double ratio) => new(isRatio: true, isAtLeast: false, ratio);

    /// <summary>Ours must not be below <paramref name="value"/>, in the row's unit.</summary>
    public static BenchTarget AtLeast(double value) => new(isRatio: false, isAtLeast: true, value);

    /// <summary>Ours must not be above <paramref name="value"/>, in the row's unit.</summary>
    public static BenchTarget AtMost(double value) => new(isRatio: false, isAtLeast: false, value);

    /// <summary>Whether the figures reach the bound; null when there is none, or no peer for a ratio.</summary>
    public bool? IsMet(double ours, double? ratio)
    {
        if (!IsSet || (IsRatio && ratio is null))
        {
            return null;
        }

        double figure = IsRatio ? ratio!.Value : ours;
        return IsAtLeast ? figure >= Value : figure <= Value;
    }

    /// <summary>As the table shows it: <c>&gt;= 1.8x</c>, <c>&lt;= 150</c>; empty without a bound.</summary>
    public override string ToString() => !IsSet
        ? ""
        : string.Create(
            CultureInfo.InvariantCulture, $"{(IsAtLeast ? ">=" : "<=")} {Value:0.###}{(IsRatio ? "x" : "")}");
}
