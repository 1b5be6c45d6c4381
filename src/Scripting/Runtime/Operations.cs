using System.Runtime.CompilerServices;
using Raven.Scripting.Text;

namespace Raven.Scripting.Runtime;

internal enum PrimitiveHint : byte
{
    Default, Number, String,
}

/// <summary>Conversions and comparisons (ECMA-262, 7.1 and 7.2).</summary>
internal static class Operations
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool ToBoolean(JsValue value)
    {
        if (ReferenceEquals(value.Cell, ValueTag.True))
        {
            return true;
        }

        return !ReferenceEquals(value.Cell, ValueTag.False) && ToBooleanSlow(value);
    }

    private static bool ToBooleanSlow(JsValue value) => value.Kind switch
    {
        ValueKind.Number => value.Number != 0 && !double.IsNaN(value.Number),
        ValueKind.String => !value.String.IsEmpty,
        ValueKind.Undefined or ValueKind.Null => false,
        ValueKind.BigInt => !BigInts.Of(value).IsZero,
        _ => true,
    };

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static double ToNumber(Run run, JsValue value) => value.IsNumber ? value.Number : ToNumberSlow(run, value);

    private static double ToNumberSlow(Run run, JsValue value) => value.Kind switch
    {
        ValueKind.Undefined => double.NaN,
        ValueKind.Null => 0,
        ValueKind.Boolean => value.IsTrue ? 1 : 0,
        ValueKind.String => TextToNumber(run, value.String),
        ValueKind.Symbol => throw run.TypeError("Cannot convert a Symbol value to a number"),
        ValueKind.BigInt => throw run.TypeError("Cannot convert a BigInt value to a number"),
        _ => ToNumber(run, ToPrimitive(run, value, PrimitiveHint.Number)),
    };

    /// <summary>A number, or a BigInt if the value is one or its object gives one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static JsValue ToNumeric(Run run, JsValue value) =>
        value.IsNumber ? new JsValue(value.Number) : ToNumericSlow(run, value);

    private static JsValue ToNumericSlow(Run run, JsValue value)
    {
        JsValue primitive = ToPrimitive(run, value, PrimitiveHint.Number);
        return primitive.IsBigInt ? primitive : new JsValue(ToNumber(run, primitive));
    }

    private static double TextToNumber(Run run, JsString text)
    {
        run.ChargeText(text.Length);
        return NumberText.ToNumber(text.Flat);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int ToInt32(Run run, JsValue value)
    {
        double number = ToNumber(run, value);
        int result = (int)number;
        return result == number ? result : ToInt32(number);
    }

    internal static int ToInt32(double number)
    {
        if (!double.IsFinite(number))
        {
            return 0;
        }

        if (Math.Abs(number) < 9.2e18)
        {
            return (int)(long)number;
        }

        double rest = Math.Truncate(number) % 4294967296.0;
        return (int)(long)rest;
    }

    internal static uint ToUInt32(Run run, JsValue value) => (uint)ToInt32(run, value);

    /// <summary>Truncated; NaN is 0, infinities stay.</summary>
    internal static double ToInteger(Run run, JsValue value)
    {
        double number = ToNumber(run, value);
        return double.IsNaN(number) ? 0 : Math.Truncate(number) + 0.0;
    }

    /// <summary>
    /// A position counted from the end if it is negative, kept within 0 and <paramref name="length"/>.
    /// </summary>
    internal static int ToRelative(Run run, JsValue value, int length, int missing)
    {
        if (value.IsUndefined)
        {
            return missing;
        }

        double relative = ToInteger(run, value);
        return (int)(relative < 0 ? Math.Max(0, length + relative) : Math.Min(relative, length));
    }

    internal static JsString ToJsString(Run run, JsValue value) => value.Kind switch
    {
        ValueKind.String => value.String,
        ValueKind.Number => NumberToJsString(run, value.Number),
        ValueKind.Undefined => Words.Undefined,
        ValueKind.Null => Words.Null,
        ValueKind.Boolean => value.IsTrue ? Words.True : Words.False,
        ValueKind.Symbol => throw run.TypeError("Cannot convert a Symbol value to a string"),
        ValueKind.BigInt => run.NewString(BigInts.ToText(run, value)).String,
        _ => ToJsString(run, ToPrimitive(run, value, PrimitiveHint.String)),
    };

    internal static string ToText(Run run, JsValue value) => ToJsString(run, value).Flat;

    private static JsString NumberToJsString(Run run, double number)
    {
        if (number is >= 0 and < 10 && number == (int)number)
        {
            return JsString.Of((char)('0' + (int)number));
        }

        run.ChargeBytes(80);
        return new JsString(NumberText.Format(number));
    }

    internal static JsValue ToPrimitive(Run run, JsValue value, PrimitiveHint hint = PrimitiveHint.Default)
    {
        if (!value.IsObject)
        {
            return value;
        }

        JsObject target = value.Object;
        JsValue exotic = target.Get(run, JsSymbol.ToPrimitive);
        if (!exotic.IsNullish)
        {
            JsFunction converter = exotic.AsFunction ?? throw run.TypeError("Symbol.toPrimitive is not a function");
            JsValue word = JsValue.Of(hint switch
            {
                PrimitiveHint.Number => "number",
                PrimitiveHint.String => "string",
                _ => "default",
            });
            JsValue result = run.Call(converter, value, [word]);
            return result.IsObject ? throw run.TypeError("Cannot convert object to primitive value") : result;
        }

        (string first, string second) = hint == PrimitiveHint.String
            ? ("toString", "valueOf") : ("valueOf", "toString");
        return TryConvert(run, target, first, out JsValue primitive) || TryConvert(run, target, second, out primitive)
            ? primitive : throw run.TypeError("Cannot convert object to primitive value");
    }

    private static bool TryConvert(Run run, JsObject target, string method, out JsValue primitive)
    {
        primitive = default;
        if (target.Get(run, method).AsFunction is not { } function)
        {
            return false;
        }

        primitive = run.Call(function, new JsValue(target), []);
        return !primitive.IsObject;
    }

    internal static JsObject ToObject(Run run, JsValue value) => value.Kind switch
    {
        ValueKind.Object => value.Object,
        ValueKind.Undefined or ValueKind.Null =>
            throw run.TypeError("Cannot convert undefined or null to object"),
        _ => new JsPrimitiveObject(run, run.Realm.PrototypeOf(value), value),
    };

    internal static bool StrictEquals(JsValue left, JsValue right)
    {
        if (left.IsNumber || right.IsNumber)
        {
            return left.IsNumber && right.IsNumber && left.Number == right.Number;
        }

        return ReferenceEquals(left.Cell, right.Cell)
            || (left.IsString && right.IsString && TextEquals(left.String, right.String))
            || (left.IsBigInt && right.IsBigInt && BigInts.Of(left) == BigInts.Of(right));
    }

    /// <summary>The same; long texts are charged to the run.</summary>
    internal static bool StrictEquals(Run run, JsValue left, JsValue right)
    {
        ChargeComparison(run, left, right);
        return StrictEquals(left, right);
    }

    internal static void ChargeComparison(Run run, JsValue left, JsValue right)
    {
        if (left.IsString && right.IsString)
        {
            run.ChargeText(Math.Min(left.String.Length, right.String.Length));
        }
    }

    internal static bool TextEquals(JsString left, JsString right) =>
        left.Length == right.Length && string.Equals(left.Flat, right.Flat, StringComparison.Ordinal);

    internal static bool SameValue(JsValue left, JsValue right) =>
        left.IsNumber && right.IsNumber
            ? left.Number.Equals(right.Number) && double.IsNegative(left.Number) == double.IsNegative(right.Number)
                || (double.IsNaN(left.Number) && double.IsNaN(right.Number))
            : StrictEquals(left, right);

    /// <summary>As <see cref="SameValue"/>, but 0 and -0 are one: the keys of maps and sets, and includes.</summary>
    internal static bool SameValueZero(JsValue left, JsValue right) =>
        StrictEquals(left, right)
        || (left.IsNumber && right.IsNumber && double.IsNaN(left.Number) && double.IsNaN(right.Number));

    internal static bool LooseEquals(Run run, JsValue left, JsValue right)
    {
        while (true)
        {
            ValueKind a = left.Kind;
            ValueKind b = right.Kind;
            if (a == b)
            {
                return StrictEquals(run, left, right);
            }

            if (left.IsNullish || right.IsNullish)
            {
                return left.IsNullish && right.IsNullish;
            }

            if (a == ValueKind.Boolean || (a == ValueKind.String && b is ValueKind.Number))
            {
                left = new JsValue(ToNumber(run, left));
            }
            else if (b == ValueKind.Boolean || (b == ValueKind.String && a is ValueKind.Number))
            {
                right = new JsValue(ToNumber(run, right));
            }
            else if (a == ValueKind.Object)
            {
                left = ToPrimitive(run, left);
            }
            else if (b == ValueKind.Object)
            {
                right = ToPrimitive(run, right);
            }
            else if (a == ValueKind.BigInt || b == ValueKind.BigInt)
            {
                return a == ValueKind.BigInt ? BigInts.LooseEquals(run, BigInts.Of(left), right)
                    : BigInts.LooseEquals(run, BigInts.Of(right), left);
            }
            else
            {
                return false;
            }
        }
    }

    /// <summary>left &lt; right; null if a NaN makes it undefined.</summary>
    internal static bool? Less(Run run, JsValue left, JsValue right, bool leftFirst)
    {
        JsValue a;
        JsValue b;
        if (leftFirst)
        {
            a = ToPrimitive(run, left, PrimitiveHint.Number);
            b = ToPrimitive(run, right, PrimitiveHint.Number);
        }
        else
        {
            b = ToPrimitive(run, right, PrimitiveHint.Number);
            a = ToPrimitive(run, left, PrimitiveHint.Number);
        }

        if (a.IsString && b.IsString)
        {
            ChargeComparison(run, a, b);
            return string.CompareOrdinal(a.String.Flat, b.String.Flat) < 0;
        }

        if (a.IsBigInt || b.IsBigInt)
        {
            return BigInts.Less(run, a, b);
        }

        double x = ToNumber(run, a);
        double y = ToNumber(run, b);
        return double.IsNaN(x) || double.IsNaN(y) ? null : x < y;
    }

    internal static JsValue Add(Run run, JsValue left, JsValue right)
    {
        if (left.IsString && right.IsString)
        {
            return new JsValue(JsString.Concat(run, left.String, right.String));
        }

        JsValue a = ToPrimitive(run, left);
        JsValue b = ToPrimitive(run, right);
        if (a.IsString || b.IsString)
        {
            return new JsValue(JsString.Concat(run, ToJsString(run, a), ToJsString(run, b)));
        }

        a = ToNumeric(run, a);
        b = ToNumeric(run, b);
        return a.IsBigInt || b.IsBigInt ? BigInts.Apply(run, Syntax.TokenKind.Plus, a, b)
            : new JsValue(a.Number + b.Number);
    }

    internal static double Remainder(double left, double right)
    {
        if (left > 0 && right > 0 && left <= int.MaxValue && right <= int.MaxValue
            && left == (int)left && right == (int)right)
        {
            return (int)left % (int)right;
        }

        return left % right;
    }

    internal static double Power(double left, double right) =>
        double.IsNaN(right) || (double.IsInfinity(right) && Math.Abs(left) == 1) ? double.NaN : Math.Pow(left, right);

    internal static string TypeOf(JsValue value) => value.Kind switch
    {
        ValueKind.Undefined => "undefined",
        ValueKind.Boolean => "boolean",
        ValueKind.Number => "number",
        ValueKind.String => "string",
        ValueKind.Symbol => "symbol",
        ValueKind.BigInt => "bigint",
        ValueKind.Object when value.Object.Class == ObjectClass.Function => "function",
        _ => "object",
    };

    internal static bool InstanceOf(Run run, JsValue value, JsValue type)
    {
        if (!type.IsObject)
        {
            throw run.TypeError("Right-hand side of 'instanceof' is not callable");
        }

        JsValue custom = type.Object.Get(run, JsSymbol.HasInstance);
        if (custom.AsFunction is { } function && function != run.Realm.HasInstance)
        {
            return ToBoolean(run.Call(function, type, [value]));
        }

        return type.AsFunction is { } constructor ? OrdinaryInstanceOf(run, value, constructor)
            : throw run.TypeError("Right-hand side of 'instanceof' is not callable");
    }

    internal static bool OrdinaryInstanceOf(Run run, JsValue value, JsFunction constructor)
    {
        if (constructor is BoundFunction bound)
        {
            return InstanceOf(run, value, new JsValue(bound.Target));
        }

        if (!value.IsObject)
        {
            return false;
        }

        JsObject prototype = constructor.Get(run, "prototype").AsObject
            ?? throw run.TypeError("Function has non-object prototype in instanceof check");
        for (JsObject? one = value.Object.Prototype; one is not null; one = one.Prototype)
        {
            if (one == prototype)
            {
                return true;
            }
        }

        return false;
    }

    private static class Words
    {
        internal static readonly JsString Undefined = new("undefined");
        internal static readonly JsString Null = new("null");
        internal static readonly JsString True = new("true");
        internal static readonly JsString False = new("false");
    }
}
