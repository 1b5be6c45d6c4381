using System.Numerics;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>
/// Math (ECMA-262, 21.3). Transcendental functions are the platform's: the last digit may differ from V8's.
/// </summary>
internal static class MathLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject math = builder.NewPrototype();
        builder.DefineGlobal("Math", new JsValue(math));
        builder.Tag(math, "Math");
        foreach ((string name, double value) in new[]
        {
            ("PI", Math.PI), ("E", Math.E), ("LN2", 0.6931471805599453), ("LN10", 2.302585092994046),
            ("LOG2E", 1.4426950408889634), ("LOG10E", 0.4342944819032518), ("SQRT2", 1.4142135623730951),
            ("SQRT1_2", 0.7071067811865476),
        })
        {
            builder.Constant(math, name, new JsValue(value));
        }

        BuildUnary(builder, math);
        builder.Method(math, "max", 2, (run, _, a) => Extreme(run, a, double.NegativeInfinity, Math.Max));
        builder.Method(math, "min", 2, (run, _, a) => Extreme(run, a, double.PositiveInfinity, Math.Min));
        builder.Method(math, "pow", 2, (run, _, a) =>
            new JsValue(Operations.Power(Operations.ToNumber(run, a.At(0)), Operations.ToNumber(run, a.At(1)))));
        builder.Method(math, "atan2", 2, (run, _, a) =>
            new JsValue(Math.Atan2(Operations.ToNumber(run, a.At(0)), Operations.ToNumber(run, a.At(1)))));
        builder.Method(math, "hypot", 2, Hypotenuse);
        builder.Method(math, "imul", 2, (run, _, a) =>
            new JsValue(Operations.ToInt32(run, a.At(0)) * Operations.ToInt32(run, a.At(1))));
        builder.Method(math, "clz32", 1, (run, _, a) =>
            new JsValue(BitOperations.LeadingZeroCount(Operations.ToUInt32(run, a.At(0)))));
        builder.Method(math, "random", 0, (run, _, _) =>
            new JsValue((run.Chance ?? throw run.TypeError("There is no source of chance in this run")).NextDouble()));
    }

    private static void BuildUnary(RealmBuilder builder, JsObject math)
    {
        foreach ((string name, Func<double, double> function) in new (string, Func<double, double>)[]
        {
            ("abs", Math.Abs), ("ceil", Math.Ceiling), ("floor", Math.Floor), ("trunc", Math.Truncate),
            ("round", Round), ("sign", x => double.IsNaN(x) || x == 0 ? x : Math.Sign(x)), ("sqrt", Math.Sqrt),
            ("cbrt", CubeRoot), ("exp", Math.Exp), ("expm1", x =>
                Math.Abs(x) < 1e-5 ? x + (x * x / 2) : Math.Exp(x) - 1),
            ("log", Math.Log), ("log2", Math.Log2), ("log10", Math.Log10),
            ("log1p", x => Math.Abs(x) < 1e-5 ? x - (x * x / 2) : Math.Log(1 + x)),
            ("sin", Math.Sin), ("cos", Math.Cos), ("tan", Math.Tan), ("asin", Math.Asin), ("acos", Math.Acos),
            ("atan", Math.Atan), ("sinh", Math.Sinh), ("cosh", Math.Cosh), ("tanh", Math.Tanh),
            ("asinh", Math.Asinh), ("acosh", Math.Acosh), ("atanh", Math.Atanh), ("fround", x => (float)x),
        })
        {
            builder.Method(math, name, 1, (run, _, a) => new JsValue(function(Operations.ToNumber(run, a.At(0)))));
        }
    }

    /// <summary>Exact for cubes of whole numbers, for which the platform's function is not.</summary>
    private static double CubeRoot(double value)
    {
        double whole = Math.Round(Math.Cbrt(value));
        return whole != 0 && whole * whole * whole == value ? whole : Math.Cbrt(value);
    }

    private static double Round(double value)
    {
        if (!double.IsFinite(value) || Math.Abs(value) >= 4503599627370496 || value == 0)
        {
            return value;
        }

        double floor = Math.Floor(value);
        double result = value - floor >= 0.5 ? floor + 1 : floor;
        return result == 0 && value < 0 ? -0.0 : result;
    }

    private static JsValue Extreme(
        Run run, ReadOnlySpan<JsValue> arguments, double start, Func<double, double, double> choose)
    {
        double result = start;
        foreach (JsValue argument in arguments)
        {
            result = choose(result, Operations.ToNumber(run, argument));
        }

        return new JsValue(result);
    }

    private static JsValue Hypotenuse(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        double largest = 0;
        bool isNaN = false;
        Span<double> values = arguments.Length <= 16
            ? stackalloc double[arguments.Length] : new double[arguments.Length];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = Math.Abs(Operations.ToNumber(run, arguments[i]));
            isNaN |= double.IsNaN(values[i]);
            largest = values[i] > largest ? values[i] : largest;
        }

        if (double.IsInfinity(largest) || isNaN || largest == 0)
        {
            return new JsValue(double.IsInfinity(largest) ? largest : isNaN ? double.NaN : 0);
        }

        double sum = 0;
        double lost = 0;
        foreach (double value in values)
        {
            double scaled = value / largest;
            double term = (scaled * scaled) - lost;
            double next = sum + term;
            lost = next - sum - term;
            sum = next;
        }

        return new JsValue(Math.Sqrt(sum) * largest);
    }
}
