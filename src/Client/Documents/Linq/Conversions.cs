using System.Globalization;
using System.Linq.Expressions;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// What conversions in an expression do to a value of a document: the compiler adds those of C#, callers write others.
/// Those that keep the value are left out of a query, some are undone on the constant that the value is compared with,
/// and all others have no translation.
/// </summary>
internal static class Conversions
{
    /// <summary>
    /// The bound of exact doubles: whole numbers between its negative and itself are exact, and no other numbers
    /// round to them.
    /// </summary>
    private const double WholeMax = 1L << 53;

    private const int BitsOfDouble = 32;
    private const int BitsOfSingle = 16;

    internal static bool Is(Expression expression) =>
        expression.NodeType is ExpressionType.Convert or ExpressionType.ConvertChecked;

    /// <summary>The type within a nullable type, or the type itself.</summary>
    internal static Type PlainOf(Type type) => Nullable.GetUnderlyingType(type) ?? type;

    internal static bool IsFraction(Type type) => PlainOf(type) is var plain && !plain.IsEnum
        && Type.GetTypeCode(plain) is TypeCode.Single or TypeCode.Double or TypeCode.Decimal;

    /// <summary>Whether a type is one of whole numbers; a char and an enumeration are none.</summary>
    internal static bool IsWhole(Type type) => PlainOf(type) is var plain && !plain.IsEnum
        && Type.GetTypeCode(plain) is >= TypeCode.SByte and <= TypeCode.UInt64;

    internal static bool IsNumber(Type type) => IsWhole(type) || IsFraction(type);

    /// <summary>Whether a type has whole numbers that no double represents.</summary>
    internal static bool IsWide(Type type) => IsWhole(type) && BitsOf(PlainOf(type)) > BitsOfDouble;

    /// <summary>Whether a value is a whole number that shares its double with others.</summary>
    internal static bool IsBeyondDoubles(object? value) => value switch
    {
        long whole => whole is >= (long)WholeMax or <= -(long)WholeMax,
        ulong whole => whole >= (ulong)WholeMax,
        _ => false,
    };

    /// <summary>Whether a value is unchanged by a conversion.</summary>
    internal static bool Keeps(UnaryExpression cast, bool enumsAreNumbers)
    {
        Type from = PlainOf(cast.Operand.Type);
        Type to = PlainOf(cast.Type);
        if (from == to)
        {
            return true;
        }

        if (!from.IsValueType || !to.IsValueType)
        {
            return cast.Method is null;
        }

        return IsWithin(enumsAreNumbers && from.IsEnum ? Enum.GetUnderlyingType(from) : from, to);
    }

    /// <summary>The expression that is read, without conversions that keep its value.</summary>
    internal static Expression Read(Expression expression, bool enumsAreNumbers)
    {
        while (expression is UnaryExpression unary && (unary.NodeType == ExpressionType.Quote
            || (Is(unary) && Keeps(unary, enumsAreNumbers))))
        {
            expression = unary.Operand;
        }

        return expression;
    }

    /// <summary>
    /// The expression that is read for a comparison, also without the conversions that <see cref="TryUndo"/> undoes on
    /// the other side.
    /// </summary>
    internal static Expression ReadCompared(Expression expression, bool enumsAreNumbers)
    {
        expression = Read(expression, enumsAreNumbers);
        while (expression is UnaryExpression cast && Is(cast)
            && CanUndo(PlainOf(cast.Operand.Type), PlainOf(cast.Type)))
        {
            expression = Read(cast.Operand, enumsAreNumbers);
        }

        return expression;
    }

    /// <summary>The constant that a field of a type is compared with, as documents have it.</summary>
    /// <param name="value">The constant behind the conversions of C#; it becomes one of the field's type.</param>
    /// <param name="field">The type of the field.</param>
    /// <returns>False if a document cannot be compared with it.</returns>
    internal static bool TryUndo(ref object value, Type field)
    {
        field = PlainOf(field);
        if (value is DateTimeOffset || field == typeof(DateTimeOffset))
        {
            return false;
        }

        switch (value)
        {
            case Enum or char:
                return true;
            case double fraction when field == typeof(float):
                value = (float)fraction;
                return (float)fraction == fraction;
            case double fraction when IsWide(field):
                return Math.Abs(fraction) < WholeMax;
            case decimal digits:
                return IsDouble(digits);
            default:
                return (!field.IsEnum && field != typeof(char)) || TryName(ref value, field);
        }
    }

    /// <summary>
    /// Whether the number of an enumeration or a char is converted to one that is at least as wide, or a number to a
    /// double that is less exact.
    /// </summary>
    private static bool CanUndo(Type from, Type to) => from.IsEnum
        ? IsWithin(Enum.GetUnderlyingType(from), to) && IsWhole(to)
        : from == typeof(char)
            ? IsWhole(to) && IsWithin(typeof(ushort), to)
            : to == typeof(double) && (from == typeof(float) || IsWide(from));

    private static bool TryName(ref object value, Type field)
    {
        if (!IsWhole(value.GetType()))
        {
            return false;
        }

        decimal number = Convert.ToDecimal(value, CultureInfo.InvariantCulture);
        if (field == typeof(char))
        {
            value = number is >= char.MinValue and <= char.MaxValue ? (char)number : value;
            return value is char;
        }

        object named = value is ulong unsigned
            ? Enum.ToObject(field, unsigned)
            : Enum.ToObject(field, Convert.ToInt64(value, CultureInfo.InvariantCulture));
        value = named;
        return Convert.ToDecimal(
            Convert.ChangeType(named, Enum.GetUnderlyingType(field), CultureInfo.InvariantCulture),
            CultureInfo.InvariantCulture) == number;
    }

    /// <summary>Whether a double distinguishes a number from all others of as many digits.</summary>
    private static bool IsDouble(decimal digits)
    {
        double near = (double)digits;
        return Math.Abs(near) < (double)decimal.MaxValue && (decimal)near == digits;
    }

    /// <summary>Whether all whole numbers of a type are numbers of another.</summary>
    private static bool IsWithin(Type from, Type to)
    {
        if (!IsWhole(from))
        {
            return false;
        }

        if (IsWhole(to))
        {
            return IsSigned(from) == IsSigned(to)
                ? BitsOf(from) <= BitsOf(to)
                : IsSigned(to) && BitsOf(from) < BitsOf(to);
        }

        return to == typeof(decimal) || (to == typeof(double) && BitsOf(from) <= BitsOfDouble)
            || (to == typeof(float) && BitsOf(from) <= BitsOfSingle);
    }

    /// <summary>The width of a type of whole numbers, whose codes are SByte, Byte, Int16, UInt16 and so on.</summary>
    private static int BitsOf(Type whole) => 8 << ((Type.GetTypeCode(whole) - TypeCode.SByte) / 2);

    private static bool IsSigned(Type whole) => (Type.GetTypeCode(whole) - TypeCode.SByte) % 2 == 0;
}
