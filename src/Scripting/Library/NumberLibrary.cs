using System.Globalization;
using Raven.Scripting.Runtime;
using Raven.Scripting.Text;

namespace Raven.Scripting.Library;

/// <summary>Number and Boolean (ECMA-262, 20.3 and 21.1).</summary>
internal static class NumberLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.NumberPrototype;
        NativeFunction constructor = builder.Constructor(
            "Number", 1, prototype,
            (run, _, a) => new JsValue(Convert(run, a)),
            (run, a, newTarget) => new JsValue(new JsPrimitiveObject(
                run, Objects.PrototypeFrom(run, newTarget, prototype),
                new JsValue(Convert(run, a)))));
        BuildConstants(builder, constructor);
        builder.Method(prototype, "valueOf", 0, (run, self, _) => new JsValue(This(run, self)));
        builder.Method(prototype, "toString", 1, ToText);
        builder.Method(prototype, "toLocaleString", 0, (run, self, _) =>
            run.NewString(This(run, self).ToString("#,##0.###", CultureInfo.InvariantCulture)));
        builder.Method(prototype, "toFixed", 1, ToFixed);
        builder.Method(prototype, "toPrecision", 1, ToPrecision);
        builder.Method(prototype, "toExponential", 1, ToExponential);
        BuildBoolean(builder);
    }

    /// <summary>The one conversion that takes a BigInt.</summary>
    private static double Convert(Run run, ReadOnlySpan<JsValue> arguments)
    {
        JsValue value = arguments.Length == 0 ? new JsValue(0) : Operations.ToNumeric(run, arguments[0]);
        return value.IsBigInt ? BigIntText.ToDouble(BigInts.Of(value)) : value.Number;
    }

    private static void BuildConstants(RealmBuilder builder, JsObject constructor)
    {
        builder.Constant(constructor, "MAX_SAFE_INTEGER", new JsValue(9007199254740991));
        builder.Constant(constructor, "MIN_SAFE_INTEGER", new JsValue(-9007199254740991));
        builder.Constant(constructor, "MAX_VALUE", new JsValue(double.MaxValue));
        builder.Constant(constructor, "MIN_VALUE", new JsValue(double.Epsilon));
        builder.Constant(constructor, "EPSILON", new JsValue(Math.Pow(2, -52)));
        builder.Constant(constructor, "POSITIVE_INFINITY", new JsValue(double.PositiveInfinity));
        builder.Constant(constructor, "NEGATIVE_INFINITY", new JsValue(double.NegativeInfinity));
        builder.Constant(constructor, "NaN", JsValue.NaN);
        builder.Method(constructor, "isFinite", 1, (_, _, a) =>
            JsValue.Of(a.At(0).IsNumber && double.IsFinite(a.At(0).Number)));
        builder.Method(constructor, "isNaN", 1, (_, _, a) => JsValue.Of(a.At(0).IsNumber
            && double.IsNaN(a.At(0).Number)));
        builder.Method(constructor, "isInteger", 1, (_, _, a) => JsValue.Of(IsInteger(a.At(0))));
        builder.Method(constructor, "isSafeInteger", 1, (_, _, a) =>
            JsValue.Of(IsInteger(a.At(0)) && Math.Abs(a.At(0).Number) <= 9007199254740991));
        NativeFunction parseFloat = builder.Function("parseFloat", 1, (run, _, a) =>
            new JsValue(NumberText.ParsePrefix(TextOfNumber(run, a.At(0)))));
        NativeFunction parseInt = builder.Function("parseInt", 2, (run, _, a) =>
        {
            string text = TextOfNumber(run, a.At(0));
            return new JsValue(NumberText.ParseInt(text, Operations.ToInt32(run, a.At(1))));
        });
        foreach (NativeFunction function in new[] { parseFloat, parseInt })
        {
            string name = function == parseFloat ? "parseFloat" : "parseInt";
            constructor.Define(builder.Run, name, new JsValue(function), PropertyFlags.Hidden);
            builder.DefineGlobal(name, new JsValue(function));
        }
    }

    private static void BuildBoolean(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.BooleanPrototype;
        builder.Constructor(
            "Boolean", 1, prototype,
            (_, _, a) => JsValue.Of(Operations.ToBoolean(a.At(0))),
            (run, a, newTarget) => new JsValue(new JsPrimitiveObject(
                run, Objects.PrototypeFrom(run, newTarget, prototype), JsValue.Of(Operations.ToBoolean(a.At(0))))));
        builder.Method(prototype, "valueOf", 0, (run, self, _) => ThisBoolean(run, self));
        builder.Method(prototype, "toString", 0, (run, self, _) =>
            JsValue.Of(ThisBoolean(run, self).IsTrue ? "true" : "false"));
    }

    private static JsValue ThisBoolean(Run run, JsValue self) =>
        self.IsBoolean ? self
        : self.AsObject is JsPrimitiveObject { Class: ObjectClass.Boolean } wrapper ? wrapper.Value
        : throw run.TypeError("Boolean.prototype.valueOf requires that 'this' be a Boolean");

    private static bool IsInteger(JsValue value) =>
        value.IsNumber && double.IsFinite(value.Number) && Math.Truncate(value.Number) == value.Number;

    private static double This(Run run, JsValue self) =>
        self.IsNumber ? self.Number
        : self.AsObject is JsPrimitiveObject { Class: ObjectClass.Number } wrapper ? wrapper.Value.Number
        : throw run.TypeError("Number.prototype.valueOf requires that 'this' be a Number");

    private static JsValue ToText(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        double value = This(run, self);
        double radix = arguments.At(0).IsUndefined ? 10 : Operations.ToInteger(run, arguments[0]);
        return radix is < 2 or > 36 ? throw run.RangeError("toString() radix must be between 2 and 36")
            : radix == 10 || !double.IsFinite(value) ? run.NewString(NumberText.Format(value))
            : run.NewString(RadixText.Format(value, (int)radix));
    }

    private static int Digits(Run run, JsValue value, int min, string name)
    {
        double digits = Operations.ToInteger(run, value);
        return digits < min || digits > 100
            ? throw run.RangeError($"{name}() argument must be between {min} and 100") : (int)digits;
    }

    private static JsValue ToFixed(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        double value = This(run, self);
        double requested = Operations.ToInteger(run, arguments.At(0));
        if (requested is < 0 or > 100)
        {
            throw run.RangeError("toFixed() digits argument must be between 0 and 100");
        }

        if (!double.IsFinite(value) || Math.Abs(value) >= 1e21)
        {
            return run.NewString(NumberText.Format(value));
        }

        string text = ExactDecimal.Fixed(Math.Abs(value), (int)requested);
        bool negative = value < 0 && text.AsSpan().IndexOfAnyExcept('0', '.') >= 0;
        return run.NewString(negative || (value < 0 && value != 0) ? "-" + text : text);
    }

    private static JsValue ToPrecision(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        double value = This(run, self);
        if (arguments.At(0).IsUndefined)
        {
            return run.NewString(NumberText.Format(value));
        }

        double requested = Operations.ToInteger(run, arguments[0]);
        if (!double.IsFinite(value))
        {
            return run.NewString(NumberText.Format(value));
        }

        int precision = Digits(run, new JsValue(requested), 1, "toPrecision");
        (string digits, int exponent) = ExactDecimal.Significant(Math.Abs(value), precision);
        string sign = value < 0 ? "-" : "";
        if (exponent < -6 || exponent >= precision)
        {
            return run.NewString(sign + Scientific(digits, exponent));
        }

        string text = exponent < 0 ? "0." + new string('0', -exponent - 1) + digits
            : exponent == precision - 1 ? digits : digits[..(exponent + 1)] + "." + digits[(exponent + 1)..];
        return run.NewString(sign + text);
    }

    private static JsValue ToExponential(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        double value = This(run, self);
        double requested = Operations.ToInteger(run, arguments.At(0));
        if (!double.IsFinite(value))
        {
            return run.NewString(NumberText.Format(value));
        }

        int fraction = Digits(run, new JsValue(requested), 0, "toExponential");
        string digits;
        int exponent;
        if (arguments.At(0).IsUndefined)
        {
            Span<char> shortest = stackalloc char[32];
            exponent = NumberText.ShortestDigits(Math.Abs(value), shortest, out int count) - 1;
            digits = shortest[..count].ToString();
            exponent = value == 0 ? 0 : exponent;
        }
        else
        {
            (digits, exponent) = ExactDecimal.Significant(Math.Abs(value), fraction + 1);
        }

        return run.NewString((value < 0 ? "-" : "") + Scientific(digits, exponent));
    }

    private static string TextOfNumber(Run run, JsValue value)
    {
        JsString text = Operations.ToJsString(run, value);
        run.ChargeText(text.Length);
        return text.Flat;
    }

    private static string Scientific(string digits, int exponent) =>
        digits[..1] + (digits.Length > 1 ? "." + digits[1..] : "") + "e" + (exponent < 0 ? "-" : "+")
        + Math.Abs(exponent).ToString(CultureInfo.InvariantCulture);
}
