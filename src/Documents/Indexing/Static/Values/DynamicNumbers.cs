using System.Globalization;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>
/// Numbers of maps. Integers stay integers as long as they fit; with a double the result is a double, with a decimal a
/// decimal. With null the result is null.
/// </summary>
public static class DynamicNumbers
{
    /// <summary>The sum; of texts, their concatenation; of a time and a duration, a time.</summary>
    public static DynamicValue Add(DynamicValue left, DynamicValue right)
    {
        if (left.Kind == DynamicKind.Integer && right.Kind == DynamicKind.Integer)
        {
            long sum = unchecked(left.Integer + right.Integer);
            return ((left.Integer ^ sum) & (right.Integer ^ sum)) < 0
                ? DynamicValue.Of((double)left.Integer + right.Integer)
                : DynamicValue.Of(sum);
        }

        return left.IsText || right.IsText
            ? DynamicValue.Of(string.Concat(left.ToText(), right.ToText()))
            : Combine(left, right, '+');
    }

    /// <summary>The difference; of two times, a duration.</summary>
    public static DynamicValue Subtract(DynamicValue left, DynamicValue right)
    {
        if (left.Kind == DynamicKind.Integer && right.Kind == DynamicKind.Integer)
        {
            long difference = unchecked(left.Integer - right.Integer);
            return ((left.Integer ^ right.Integer) & (left.Integer ^ difference)) < 0
                ? DynamicValue.Of((double)left.Integer - right.Integer)
                : DynamicValue.Of(difference);
        }

        return Combine(left, right, '-');
    }

    /// <summary>The product; of a duration and a number, a duration.</summary>
    public static DynamicValue Multiply(DynamicValue left, DynamicValue right)
    {
        if (left.Kind == DynamicKind.Integer && right.Kind == DynamicKind.Integer)
        {
            long high = Math.BigMul(left.Integer, right.Integer, out long low);
            return high == low >> 63
                ? DynamicValue.Of(low)
                : DynamicValue.Of((double)left.Integer * right.Integer);
        }

        return Combine(left, right, '*');
    }

    /// <summary>The quotient; of two integers, an integer, as in C#; of a duration and a number, a duration.</summary>
    /// <exception cref="DivideByZeroException">An integer or a decimal is divided by zero, or by null.</exception>
    public static DynamicValue Divide(DynamicValue left, DynamicValue right) =>
        left.Kind == DynamicKind.Integer && right.Kind == DynamicKind.Integer && right.Integer != -1
            ? DynamicValue.Of(left.Integer / right.Integer)
            : Combine(left, CheckDivisor(left, right), '/');

    /// <summary>The remainder.</summary>
    /// <exception cref="DivideByZeroException">An integer or a decimal is divided by zero, or by null.</exception>
    public static DynamicValue Remainder(DynamicValue left, DynamicValue right) =>
        left.Kind == DynamicKind.Integer && right.Kind == DynamicKind.Integer
            ? DynamicValue.Of(right.Integer == -1 ? 0 : left.Integer % right.Integer)
            : Combine(left, CheckDivisor(left, right), '%');

    /// <summary>The number or the duration with the opposite sign.</summary>
    public static DynamicValue Negate(DynamicValue value) => value.Kind == DynamicKind.Duration
        ? DynamicValue.Of(-value.Duration)
        : Subtract(DynamicValue.Of(0L), value);

    /// <summary>The bits, or the boolean, that both values have.</summary>
    public static DynamicValue BitAnd(DynamicValue left, DynamicValue right) =>
        left.Kind == DynamicKind.Integer && right.Kind == DynamicKind.Integer
            ? DynamicValue.Of(left.Integer & right.Integer)
            : DynamicValue.Of(left.IsTrue & right.IsTrue);

    /// <summary>The bits, or the boolean, that one of the values has.</summary>
    public static DynamicValue BitOr(DynamicValue left, DynamicValue right) =>
        left.Kind == DynamicKind.Integer && right.Kind == DynamicKind.Integer
            ? DynamicValue.Of(left.Integer | right.Integer)
            : DynamicValue.Of(left.IsTrue | right.IsTrue);

    /// <summary>The number of a text; null of null.</summary>
    /// <exception cref="FormatException">It is no number.</exception>
    public static DynamicValue Parse(DynamicValue value) =>
        value.IsNull || value.IsNumber ? value
        : TryParse(value.ToText()!, out DynamicValue number) ? number
        : throw new FormatException($"'{value.ToText()}' is not a number.");

    internal static long ToInteger(DynamicValue value) => value.Kind switch
    {
        DynamicKind.Integer => value.Integer,
        DynamicKind.Real => checked((long)value.Real),
        DynamicKind.Decimal => decimal.ToInt64(value.Decimal),
        DynamicKind.Boolean => value.Boolean ? 1 : 0,
        DynamicKind.Missing or DynamicKind.Null => 0,
        _ => ToInteger(Parse(value)),
    };

    internal static double ToReal(DynamicValue value) => value.Kind switch
    {
        DynamicKind.Real => value.Real,
        DynamicKind.Integer => value.Integer,
        DynamicKind.Decimal => (double)value.Decimal,
        DynamicKind.Missing or DynamicKind.Null => 0,
        DynamicKind.Boolean => value.Boolean ? 1 : 0,
        _ => ToReal(Parse(value)),
    };

    internal static decimal ToExact(DynamicValue value) => value.Kind switch
    {
        DynamicKind.Decimal => value.Decimal,
        DynamicKind.Integer => value.Integer,
        DynamicKind.Real when value.HasMoreDigits && value.Stored.TryGetDecimal(out decimal exact) => exact,
        DynamicKind.Real => (decimal)value.Real,
        DynamicKind.Missing or DynamicKind.Null => 0,
        DynamicKind.Boolean => value.Boolean ? 1 : 0,
        _ => decimal.Parse(value.ToText()!, NumberStyles.Float, CultureInfo.InvariantCulture),
    };

    internal static bool TryParse(string text, out DynamicValue number)
    {
        if (long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out long integer))
        {
            number = DynamicValue.Of(integer);
            return true;
        }

        bool isReal = double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double real);
        number = isReal ? DynamicValue.Of(real) : default;
        return isReal;
    }

    /// <summary>Compares numbers: integers exactly, others as doubles or decimals.</summary>
    internal static int Compare(DynamicValue left, DynamicValue right) =>
        left.Kind == DynamicKind.Integer && right.Kind == DynamicKind.Integer
            ? left.Integer.CompareTo(right.Integer)
            : left.Kind == DynamicKind.Real || right.Kind == DynamicKind.Real
            ? ToReal(left).CompareTo(ToReal(right))
            : ToExact(left).CompareTo(ToExact(right));

    /// <summary>Checks that a divisor is neither missing nor zero; a double has a result for both.</summary>
    private static DynamicValue CheckDivisor(DynamicValue left, DynamicValue right) =>
        right.IsNull && left.Kind is DynamicKind.Integer or DynamicKind.Decimal
            ? throw new DivideByZeroException("Attempted to divide by zero: the divisor is null or missing.")
            : right;

    private static DynamicValue Combine(DynamicValue left, DynamicValue right, char operation)
    {
        if (left.IsNull || right.IsNull)
        {
            return DynamicValue.Null;
        }

        if (DynamicDates.TryCombine(left, right, operation, out DynamicValue time))
        {
            return time;
        }

        left = Parse(left);
        right = Parse(right);
        if (left.Kind == DynamicKind.Decimal || right.Kind == DynamicKind.Decimal)
        {
            decimal a = ToExact(left);
            decimal b = ToExact(right);
            return DynamicValue.Of(operation switch
            {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                '/' => a / b,
                _ => a % b,
            });
        }

        if (left.Kind == DynamicKind.Integer && right.Kind == DynamicKind.Integer && operation != '/')
        {
            // The values were texts with numbers.
            return operation switch
            {
                '+' => Add(left, right),
                '-' => Subtract(left, right),
                '*' => Multiply(left, right),
                _ => Remainder(left, right),
            };
        }

        double x = ToReal(left);
        double y = ToReal(right);
        return DynamicValue.Of(operation switch { '+' => x + y, '-' => x - y, '*' => x * y, '/' => x / y, _ => x % y });
    }
}
