using System.Numerics;
using System.Text;
using Raven.Scripting.Documents;
using Raven.Scripting.Runtime;
using Raven.Scripting.Text;

namespace Raven.Scripting.Library;

/// <summary>BigInt (ECMA-262, 21.2).</summary>
internal static class BigIntLibrary
{
    private const double BitsOfIndexMax = 9007199254740991;

    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.BigIntPrototype;
        NativeFunction constructor = builder.Constructor(
            "BigInt", 1, prototype,
            (run, _, a) => Convert(run, Operations.ToPrimitive(run, a.At(0), PrimitiveHint.Number)),
            (run, _, _) => throw run.TypeError("BigInt is not a constructor"));
        builder.Method(constructor, "asIntN", 2, (run, _, a) => Wrap(run, a, isSigned: true));
        builder.Method(constructor, "asUintN", 2, (run, _, a) => Wrap(run, a, isSigned: false));
        builder.Method(prototype, "valueOf", 0, (run, self, _) => This(run, self));
        builder.Method(prototype, "toString", 0, (run, self, a) =>
        {
            JsValue value = This(run, self);
            double radix = a.At(0).IsUndefined ? 10 : Operations.ToInteger(run, a[0]);
            return radix is < 2 or > 36 ? throw run.RangeError("toString() radix must be between 2 and 36")
                : run.NewString(BigInts.ToText(run, value, (int)radix));
        });
        builder.Method(prototype, "toLocaleString", 0, (run, self, _) =>
            run.NewString(Grouped(BigInts.ToText(run, This(run, self)))));
        builder.Tag(prototype, "BigInt");
    }

    /// <summary>A whole number as a BigInt: a stored one by its digits, of which a double may hold fewer.</summary>
    private static JsValue Convert(Run run, JsValue value)
    {
        if (!value.IsNumber)
        {
            return ToBigInt(run, value);
        }

        if (ExactNumber.DigitsOf(value) is { } digits && BigInts.TryRead(run, digits, out BigInteger stored))
        {
            return BigInts.Make(run, stored);
        }

        return double.IsFinite(value.Number) && Math.Truncate(value.Number) == value.Number
            ? BigInts.Make(run, new BigInteger(value.Number))
            : throw run.RangeError(
                $"The number {NumberText.Format(value.Number)} cannot be converted to a BigInt because it is not an "
                + "integer");
    }

    /// <summary>The conversion of the language itself, which takes no numbers.</summary>
    private static JsValue ToBigInt(Run run, JsValue value)
    {
        JsValue primitive = Operations.ToPrimitive(run, value, PrimitiveHint.Number);
        return primitive.Kind switch
        {
            ValueKind.BigInt => primitive,
            ValueKind.Boolean => BigInts.Make(run, primitive.IsTrue ? BigInteger.One : BigInteger.Zero),
            ValueKind.String => BigInts.TryRead(run, primitive.String.Flat, out BigInteger read)
                ? BigInts.Make(run, read)
                : throw run.SyntaxError($"Cannot convert {MessageText.Cut(primitive.String.Flat)} to a BigInt"),
            _ => throw run.TypeError($"Cannot convert {Describe.Value(primitive)} to a BigInt"),
        };
    }

    /// <summary>The lowest bits, without or with a sign.</summary>
    private static JsValue Wrap(Run run, ReadOnlySpan<JsValue> arguments, bool isSigned)
    {
        double bits = Operations.ToInteger(run, arguments.At(0));
        if (bits is < 0 or > BitsOfIndexMax)
        {
            throw run.RangeError("Invalid value: not (convertible to) a safe integer");
        }

        JsValue value = ToBigInt(run, arguments.At(1));
        BigInteger number = BigInts.Of(value);
        if (bits > BigIntText.BitsMax)
        {
            return isSigned || number.Sign >= 0 ? value : throw run.RangeError("Maximum BigInt size exceeded");
        }

        BigInteger modulus = BigInteger.One << (int)bits;
        run.ChargeBytes((long)bits / 4);
        BigInteger rest = number & (modulus - 1);
        bool negative = isSigned && bits > 0 && rest >= modulus >> 1;
        return BigInts.Make(run, negative ? rest - modulus : rest);
    }

    private static string Grouped(string digits)
    {
        int sign = digits[0] == '-' ? 1 : 0;
        StringBuilder text = new(digits, 0, sign, digits.Length * 2);
        for (int i = sign; i < digits.Length; i++)
        {
            if (i > sign && (digits.Length - i) % 3 == 0)
            {
                text.Append(',');
            }

            text.Append(digits[i]);
        }

        return text.ToString();
    }

    private static JsValue This(Run run, JsValue self) =>
        self.IsBigInt ? self
        : self.AsObject is JsPrimitiveObject { Class: ObjectClass.BigInt } wrapper ? wrapper.Value
        : throw run.TypeError("BigInt.prototype.valueOf requires that 'this' be a BigInt");
}
