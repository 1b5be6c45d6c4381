namespace Raven.Documents.Indexing.Static.Values;

/// <summary>Methods of <c>Math</c> in maps. With null the result is null.</summary>
public static class DynamicMath
{
    /// <summary>The absolute value.</summary>
    public static DynamicValue Abs(DynamicValue value) =>
        DynamicLogic.IsLess(value, DynamicValue.Of(0L)) ? DynamicNumbers.Negate(value) : value;

    /// <summary>The nearest number with so many decimal places; half is rounded to even.</summary>
    public static DynamicValue Round(DynamicValue value, DynamicValue digits = default)
    {
        int places = checked((int)DynamicNumbers.ToInteger(digits));
        return Map(value, real => Math.Round(real, places), exact => Math.Round(exact, places));
    }

    /// <summary>The largest integer that is not above the number.</summary>
    public static DynamicValue Floor(DynamicValue value) => Map(value, Math.Floor, Math.Floor);

    /// <summary>The smallest integer that is not below the number.</summary>
    public static DynamicValue Ceiling(DynamicValue value) => Map(value, Math.Ceiling, Math.Ceiling);

    /// <summary>The integer part.</summary>
    public static DynamicValue Truncate(DynamicValue value) => Map(value, Math.Truncate, Math.Truncate);

    /// <summary>The square root.</summary>
    public static DynamicValue Sqrt(DynamicValue value) => Map(value, Math.Sqrt, null);

    /// <summary>The natural logarithm.</summary>
    public static DynamicValue Log(DynamicValue value) => Map(value, Math.Log, null);

    /// <summary>The logarithm to the base 10.</summary>
    public static DynamicValue Log10(DynamicValue value) => Map(value, Math.Log10, null);

    /// <summary>The value raised to a power.</summary>
    public static DynamicValue Pow(DynamicValue value, DynamicValue exponent) =>
        exponent.IsNull ? exponent : Map(value, real => Math.Pow(real, DynamicNumbers.ToReal(exponent)), null);

    /// <summary>The sign: -1, 0 or 1.</summary>
    public static DynamicValue Sign(DynamicValue value) =>
        value.IsNull ? value : DynamicValue.Of((long)Math.Sign(DynamicNumbers.ToReal(value)));

    /// <summary>The lesser value.</summary>
    public static DynamicValue Min(DynamicValue left, DynamicValue right) =>
        left.IsNull || right.IsNull ? DynamicValue.Null : DynamicLogic.IsLess(right, left) ? right : left;

    /// <summary>The greater value.</summary>
    public static DynamicValue Max(DynamicValue left, DynamicValue right) =>
        left.IsNull || right.IsNull ? DynamicValue.Null : DynamicLogic.IsLess(left, right) ? right : left;

    private static DynamicValue Map(
        DynamicValue value, Func<double, double> real, Func<decimal, decimal>? exact) => value switch
        {
            { IsNull: true } => DynamicValue.Null,
            { Kind: DynamicKind.Integer } when exact is not null => value,
            { Kind: DynamicKind.Decimal } when exact is not null => DynamicValue.Of(exact(value.Decimal)),
            _ => DynamicValue.Of(real(DynamicNumbers.ToReal(value))),
        };
}
