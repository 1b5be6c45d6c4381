using System.Runtime.CompilerServices;
using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;

namespace Raven.Scripting.Execution;

internal sealed class AddNode(Node left, Node right) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue a = left.Evaluate(frame);
        JsValue b = right.Evaluate(frame);
        return a.IsNumber && b.IsNumber ? new JsValue(a.Number + b.Number) : Slow(frame, a, b);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private JsValue Slow(Frame frame, JsValue a, JsValue b)
    {
        frame.Run.Position = Position;
        return Operations.Add(frame.Run, a, b);
    }
}

internal sealed class SubtractNode(Node left, Node right) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue a = left.Evaluate(frame);
        JsValue b = right.Evaluate(frame);
        return a.IsNumber && b.IsNumber ? new JsValue(a.Number - b.Number)
            : Arithmetic.Apply(frame.Run, TokenKind.Minus, a, b);
    }
}

internal sealed class MultiplyNode(Node left, Node right) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue a = left.Evaluate(frame);
        JsValue b = right.Evaluate(frame);
        return a.IsNumber && b.IsNumber ? new JsValue(a.Number * b.Number)
            : Arithmetic.Apply(frame.Run, TokenKind.Star, a, b);
    }
}

/// <summary>The other arithmetic operators.</summary>
internal sealed class ArithmeticNode(TokenKind op, Node left, Node right) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue a = left.Evaluate(frame);
        JsValue b = right.Evaluate(frame);
        return Arithmetic.Apply(frame.Run, op, a, b);
    }
}

/// <summary>Comparisons that may run the script's code.</summary>
internal sealed class CompareNode(TokenKind op, Node left, Node right) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue a = left.Evaluate(frame);
        JsValue b = right.Evaluate(frame);
        frame.Run.Position = Position;
        return Arithmetic.Compare(frame.Run, op, a, b);
    }
}

internal sealed class StrictEqualsNode(Node left, Node right, bool negated) : Node
{
    internal override JsValue Evaluate(Frame frame) => JsValue.Of(Test(frame));

    internal override bool Test(Frame frame)
    {
        JsValue a = left.Evaluate(frame);
        JsValue b = right.Evaluate(frame);
        return Operations.StrictEquals(frame.Run, a, b) != negated;
    }
}

/// <summary>&lt;, &gt;, &lt;= and &gt;=.</summary>
internal sealed class OrderNode(TokenKind op, Node left, Node right) : Node
{
    internal override JsValue Evaluate(Frame frame) => JsValue.Of(Test(frame));

    internal override bool Test(Frame frame)
    {
        JsValue a = left.Evaluate(frame);
        JsValue b = right.Evaluate(frame);
        if (a.IsNumber && b.IsNumber)
        {
            return op switch
            {
                TokenKind.Less => a.Number < b.Number,
                TokenKind.Greater => a.Number > b.Number,
                TokenKind.LessEqual => a.Number <= b.Number,
                _ => a.Number >= b.Number,
            };
        }

        return Slow(frame.Run, a, b);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Slow(Run run, JsValue a, JsValue b)
    {
        run.Position = Position;
        return op switch
        {
            TokenKind.Less => Operations.Less(run, a, b, leftFirst: true) == true,
            TokenKind.Greater => Operations.Less(run, b, a, leftFirst: false) == true,
            TokenKind.LessEqual => Operations.Less(run, b, a, leftFirst: false) == false,
            _ => Operations.Less(run, a, b, leftFirst: true) == false,
        };
    }
}

internal sealed class NotNode(Node operand) : Node
{
    internal override JsValue Evaluate(Frame frame) => JsValue.Of(!operand.Test(frame));

    internal override bool Test(Frame frame) => !operand.Test(frame);
}

internal sealed class UnaryNode(TokenKind op, Node operand) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = operand.Evaluate(frame);
        Run run = frame.Run;
        if (!value.IsNumber && op is TokenKind.Minus or TokenKind.Tilde)
        {
            value = Operations.ToNumeric(run, value);
            if (value.IsBigInt)
            {
                return BigInts.Apply(run, op, value);
            }
        }

        return op switch
        {
            TokenKind.Minus => new JsValue(-Operations.ToNumber(run, value)),
            TokenKind.Plus => new JsValue(Operations.ToNumber(run, value)),
            TokenKind.Tilde => new JsValue(~Operations.ToInt32(run, value)),
            _ => JsValue.Undefined,
        };
    }
}

internal sealed class TypeOfNode(Node operand) : Node
{
    internal override JsValue Evaluate(Frame frame) =>
        operand is GlobalNode global && !global.TryRead(frame.Run, out _) ? TypeNames.Of(JsValue.Undefined)
        : TypeNames.Of(operand.Evaluate(frame));
}

internal static class TypeNames
{
    private static readonly Dictionary<string, JsValue> Known =
        new[] { "undefined", "boolean", "number", "string", "symbol", "bigint", "function", "object" }
            .ToDictionary(name => name, name => JsValue.Of(name));

    internal static JsValue Of(JsValue value) => Known[Operations.TypeOf(value)];
}

internal sealed class LogicalNode(TokenKind op, Node left, Node right) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = left.Evaluate(frame);
        return new CompoundOperator(op).Continues(value) ? right.Evaluate(frame) : value;
    }

    internal override bool Test(Frame frame) => op switch
    {
        TokenKind.AndAnd => left.Test(frame) && right.Test(frame),
        TokenKind.OrOr => left.Test(frame) || right.Test(frame),
        _ => Operations.ToBoolean(Evaluate(frame)),
    };
}

internal sealed class ConditionalNode(Node test, Node whenTrue, Node whenFalse) : Node
{
    internal override JsValue Evaluate(Frame frame) =>
        test.Test(frame) ? whenTrue.Evaluate(frame) : whenFalse.Evaluate(frame);

    internal override bool Test(Frame frame) => test.Test(frame) ? whenTrue.Test(frame) : whenFalse.Test(frame);
}

internal sealed class SequenceNode(Node[] items) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        for (int i = 0; i < items.Length - 1; i++)
        {
            items[i].Evaluate(frame);
        }

        return items[^1].Evaluate(frame);
    }
}

internal sealed class TemplateNode(JsString[] parts, Node[] holes) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        Run run = frame.Run;
        JsString text = parts[0];
        for (int i = 0; i < holes.Length; i++)
        {
            JsValue value = holes[i].Evaluate(frame);
            run.Position = Position;
            text = JsString.Concat(run, text, Operations.ToJsString(run, value));
            text = JsString.Concat(run, text, parts[i + 1]);
        }

        return new JsValue(text);
    }
}
