using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;

namespace Raven.Scripting.Execution;

/// <summary>
/// The binary operators that compute, if a separate node is not worth it; and ++ and --, whose right side is 1.
/// </summary>
internal static class Arithmetic
{
    internal static JsValue Apply(Run run, TokenKind op, JsValue left, JsValue right)
    {
        if (op == TokenKind.Plus)
        {
            return left.IsNumber && right.IsNumber ? new JsValue(left.Number + right.Number)
                : Operations.Add(run, left, right);
        }

        if (!left.IsNumber || !right.IsNumber)
        {
            left = Operations.ToNumeric(run, left);
            right = Operations.ToNumeric(run, right);
            if (left.IsBigInt || right.IsBigInt)
            {
                return BigInts.Apply(run, op, left, right);
            }
        }

        (double x, double y) = (left.Number, right.Number);
        return new JsValue(op switch
        {
            TokenKind.Minus or TokenKind.MinusMinus => x - y,
            TokenKind.PlusPlus => x + y,
            TokenKind.Star => x * y,
            TokenKind.Slash => x / y,
            TokenKind.Percent => Operations.Remainder(x, y),
            TokenKind.StarStar => Operations.Power(x, y),
            TokenKind.Ampersand => Int(x) & Int(y),
            TokenKind.Bar => Int(x) | Int(y),
            TokenKind.Caret => Int(x) ^ Int(y),
            TokenKind.ShiftLeft => Int(x) << Int(y),
            TokenKind.ShiftRight => Int(x) >> Int(y),
            TokenKind.ShiftRightUnsigned => (uint)Int(x) >> Int(y),
            _ => throw new InvalidOperationException($"{op} does not compute."),
        });
    }

    internal static JsValue Compare(Run run, TokenKind op, JsValue left, JsValue right) => JsValue.Of(op switch
    {
        TokenKind.EqualEqual => Operations.LooseEquals(run, left, right),
        TokenKind.NotEqual => !Operations.LooseEquals(run, left, right),
        TokenKind.InstanceOf => Operations.InstanceOf(run, left, right),
        TokenKind.In => right.AsObject is { } target ? target.Has(run, PropertyKeys.Of(run, left))
            : throw run.TypeError($"Cannot use 'in' operator to search in {Describe.Value(right)}"),
        _ => throw new InvalidOperationException($"{op} does not compare."),
    });

    private static int Int(double number)
    {
        int result = (int)number;
        return result == number ? result : Operations.ToInt32(number);
    }
}
