using System.Numerics;
using Raven.Scripting.Syntax;
using Raven.Scripting.Text;

namespace Raven.Scripting.Runtime;

/// <summary>A whole number of any size up to <see cref="BigIntText.BitsMax"/>.</summary>
internal sealed class JsBigInt(BigInteger value) : HeapValue(ValueKind.BigInt)
{
    internal BigInteger Value => value;
}

/// <summary>
/// Calculation with BigInts (ECMA-262, 6.1.6.2). Sizes are bounded before anything is computed, and what takes more
/// than linear time is charged for it.
/// </summary>
internal static class BigInts
{
    private const int BitsOfWord = 32;

    /// <summary>Words that are read or written in the time of one step.</summary>
    private const int WordsPerStep = 64;

    /// <summary>Products of words in the time of one step.</summary>
    private const int ProductsPerStep = 4;

    /// <summary>To divide into digits takes so many times what a product takes.</summary>
    private const int DigitsCost = 4;

    internal static JsValue Make(Run run, BigInteger value)
    {
        long bits = value.GetBitLength();
        if (bits > BigIntText.BitsMax)
        {
            throw TooLarge(run);
        }

        run.ChargeBytes(80 + (bits / 8));
        return new JsValue(new JsBigInt(value));
    }

    /// <summary>The value of an operand of which the caller knows that it is a BigInt.</summary>
    internal static BigInteger Of(JsValue value) => ((JsBigInt)value.Cell!).Value;

    /// <summary>A binary operator, ++ or --, of which at least one operand is a BigInt; both are numeric.</summary>
    internal static JsValue Apply(Run run, TokenKind op, JsValue left, JsValue right)
    {
        if (left.Cell is not JsBigInt first)
        {
            throw Mixed(run);
        }

        BigInteger x = first.Value;
        if (op is TokenKind.PlusPlus or TokenKind.MinusMinus)
        {
            ChargeLinear(run, x);
            return Make(run, op == TokenKind.PlusPlus ? x + 1 : x - 1);
        }

        BigInteger y = right.Cell is JsBigInt second ? second.Value : throw Mixed(run);
        ChargeLinear(run, x);
        ChargeLinear(run, y);
        return Make(run, op switch
        {
            TokenKind.Plus => x + y,
            TokenKind.Minus => x - y,
            TokenKind.Star => Multiply(run, x, y),
            TokenKind.Slash => BigInteger.Divide(x, Divisor(run, x, y)),
            TokenKind.Percent => BigInteger.Remainder(x, Divisor(run, x, y)),
            TokenKind.StarStar => Power(run, x, y),
            TokenKind.Ampersand => x & y,
            TokenKind.Bar => x | y,
            TokenKind.Caret => x ^ y,
            TokenKind.ShiftLeft => Shift(run, x, y),
            TokenKind.ShiftRight => Shift(run, x, -y),
            _ => throw run.TypeError("BigInts have no unsigned right shift, use >> instead"),
        });
    }

    /// <summary>The operators - and ~.</summary>
    internal static JsValue Apply(Run run, TokenKind op, JsValue operand)
    {
        ChargeLinear(run, Of(operand));
        return Make(run, op == TokenKind.Minus ? -Of(operand) : -Of(operand) - 1);
    }

    /// <summary>The digits, charged to the run.</summary>
    internal static string ToText(Run run, JsValue value, int radix = 10)
    {
        long bits = Of(value).GetBitLength();
        ChargeProduct(run, DigitsCost * bits, bits);
        run.ChargeBytes(64 + (2 * bits));
        string text = BigIntText.Format(Of(value), radix);
        run.CheckStringLength(text.Length);
        return text;
    }

    /// <summary>Reads a text. False if it is none of a whole number.</summary>
    internal static bool TryRead(Run run, string text, out BigInteger value)
    {
        run.ChargeText(text.Length);
        long bits = 4L * Math.Min(text.Length, BigIntText.BitsMax);
        ChargeProduct(run, bits, bits);
        run.ChargeBytes(bits / 4);
        BigIntText.Outcome outcome = BigIntText.Read(text, out value);
        return outcome == BigIntText.Outcome.TooLarge ? throw TooLarge(run) : outcome == BigIntText.Outcome.Read;
    }

    /// <summary>Whether a BigInt and a value of another type are equal by ==; neither is an object.</summary>
    internal static bool LooseEquals(Run run, BigInteger big, JsValue other) => other.Kind switch
    {
        ValueKind.Number => Compare(big, other.Number) == 0,
        ValueKind.String => TryRead(run, other.String.Flat, out BigInteger read) && read == big,
        ValueKind.Boolean => big == (other.IsTrue ? 1 : 0),
        _ => false,
    };

    /// <summary>left &lt; right, one of which is a BigInt; null if the other is no number.</summary>
    internal static bool? Less(Run run, JsValue left, JsValue right)
    {
        if (!left.IsBigInt)
        {
            return OrderTo(run, Of(right), left) is { } reversed ? reversed > 0 : null;
        }

        return OrderTo(run, Of(left), right) is { } order ? order < 0 : null;
    }

    private static int? OrderTo(Run run, BigInteger big, JsValue other) =>
        other.IsBigInt ? big.CompareTo(Of(other))
        : !other.IsString ? Compare(big, Operations.ToNumber(run, other))
        : TryRead(run, other.String.Flat, out BigInteger read) ? big.CompareTo(read) : null;

    private static int? Compare(BigInteger left, double right)
    {
        if (!double.IsFinite(right))
        {
            return double.IsNaN(right) ? null : right > 0 ? -1 : 1;
        }

        double floor = Math.Floor(right);
        int order = left.CompareTo(new BigInteger(floor));
        return order != 0 ? order : floor < right ? -1 : 0;
    }

    private static BigInteger Multiply(Run run, BigInteger x, BigInteger y)
    {
        ChargeProduct(run, x.GetBitLength(), y.GetBitLength());
        return x.GetBitLength() + y.GetBitLength() > BigIntText.BitsMax + 1 && !x.IsZero && !y.IsZero
            ? throw TooLarge(run) : x * y;
    }

    private static BigInteger Divisor(Run run, BigInteger x, BigInteger y)
    {
        ChargeProduct(run, x.GetBitLength(), y.GetBitLength());
        return y.IsZero ? throw run.RangeError("Division by zero") : y;
    }

    private static BigInteger Power(Run run, BigInteger x, BigInteger y)
    {
        if (y.Sign < 0)
        {
            throw run.RangeError("Exponent must be non-negative");
        }

        if (x.IsZero || x.IsOne || x == BigInteger.MinusOne)
        {
            return y.IsZero || (x == BigInteger.MinusOne && y.IsEven) ? BigInteger.One : x;
        }

        // |x| is at least 2 to the power of its bits less one.
        long bits = BigInteger.Abs(x).GetBitLength();
        if (y > BigIntText.BitsMax || (bits - 1) * (long)y > BigIntText.BitsMax)
        {
            throw TooLarge(run);
        }

        ChargeProduct(run, bits * (long)y, bits * (long)y);
        run.ChargeBytes(bits * (long)y / 4);
        return BigInteger.Pow(x, (int)y);
    }

    private static BigInteger Shift(Run run, BigInteger x, BigInteger by)
    {
        if (x.IsZero)
        {
            return x;
        }

        if (by.Sign <= 0)
        {
            return by < -BigIntText.BitsMax ? (x.Sign < 0 ? BigInteger.MinusOne : BigInteger.Zero) : x >> (int)-by;
        }

        return by + x.GetBitLength() > BigIntText.BitsMax + 1 ? throw TooLarge(run) : x << (int)by;
    }

    private static void ChargeLinear(Run run, BigInteger value)
    {
        long words = value.GetBitLength() / BitsOfWord;
        if (words >= WordsPerStep)
        {
            run.ChargeSteps((int)(words / WordsPerStep));
        }
    }

    /// <summary>For a product, a quotient, or digits: somewhat less than the product of the lengths.</summary>
    private static void ChargeProduct(Run run, long leftBits, long rightBits)
    {
        double longer = Math.Max(leftBits, rightBits) / (double)BitsOfWord;
        double shorter = Math.Min(leftBits, rightBits) / (double)BitsOfWord;
        run.ChargeSteps((int)(longer * Math.Sqrt(shorter) / ProductsPerStep));
    }

    private static ThrownException Mixed(Run run) =>
        run.TypeError("Cannot mix BigInt and other types, use explicit conversions");

    private static ThrownException TooLarge(Run run) => run.RangeError("Maximum BigInt size exceeded");
}
