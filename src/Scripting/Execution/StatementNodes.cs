using Raven.Scripting.Runtime;


namespace Raven.Scripting.Execution;

internal sealed class EmptyNode : StatementNode
{
    internal static readonly EmptyNode Instance = new();

    internal override Completion Execute(Frame frame) => Completion.Normal;
}

internal sealed class ExpressionStatementNode(Node expression) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        expression.Evaluate(frame);
        return Completion.Normal;
    }
}

/// <summary>let, const and class: a place gets its first value.</summary>
internal sealed class DeclareNode(TargetNode target, Node? value) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        target.Assign(frame, value is null ? JsValue.Undefined : value.Evaluate(frame));
        return Completion.Normal;
    }
}

internal sealed class DeclareLocalNode(int slot, Node value) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        JsValue result = value.Evaluate(frame);
        frame.Local(slot) = result;
        return Completion.Normal;
    }
}

internal sealed class StatementListNode(StatementNode[] body) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        foreach (StatementNode statement in body)
        {
            Completion completion = statement.Execute(frame);
            if (completion != Completion.Normal)
            {
                return completion;
            }
        }

        return Completion.Normal;
    }
}

/// <summary>A block with bindings that need work at its entry: a heap scope, marks, or its functions.</summary>
internal sealed class ScopedBlockNode(int capturedCount, Node[] prologue, StatementNode body) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        HeapScope? outer = frame.Scope;
        Enter(frame, capturedCount, prologue);
        Completion completion = body.Execute(frame);
        frame.Scope = outer;
        return completion;
    }

    internal static void Enter(Frame frame, int capturedCount, Node[] prologue)
    {
        if (capturedCount > 0)
        {
            frame.PushScope(capturedCount);
            frame.Scope!.Slots.AsSpan().Fill(JsValue.Empty);
        }

        foreach (Node node in prologue)
        {
            node.Evaluate(frame);
        }
    }
}

internal sealed class ReturnNode(Node? value) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        frame.Result = value is null ? JsValue.Undefined : value.Evaluate(frame);
        return Completion.Return;
    }
}

internal sealed class IfNode(Node test, StatementNode whenTrue, StatementNode? whenFalse) : StatementNode
{
    internal override Completion Execute(Frame frame) =>
        test.Test(frame) ? whenTrue.Execute(frame)
        : whenFalse is null ? Completion.Normal : whenFalse.Execute(frame);
}

internal sealed class JumpNode(Completion completion, LabelTarget? target) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        frame.Target = target;
        return completion;
    }
}

internal sealed class ThrowNode(Node value, int position) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        JsValue thrown = value.Evaluate(frame);
        frame.Run.ChargeSteps(100);
        throw new ThrownException(thrown, position);
    }
}

internal sealed class LabeledNode(LabelTarget label, StatementNode body) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        Completion completion = body.Execute(frame);
        return completion == Completion.Break && frame.Target == label ? Completion.Normal : completion;
    }
}

internal sealed class SwitchNode(Node value, Node?[] tests, StatementNode[] bodies, int capturedCount, Node[] prologue)
    : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        JsValue subject = value.Evaluate(frame);
        HeapScope? outer = frame.Scope;
        ScopedBlockNode.Enter(frame, capturedCount, prologue);
        int start = Find(frame, subject, tests);
        Completion completion = Completion.Normal;
        for (int i = start; i < bodies.Length && completion == Completion.Normal; i++)
        {
            completion = bodies[i].Execute(frame);
        }

        frame.Scope = outer;
        return completion == Completion.Break && frame.Target is null ? Completion.Normal : completion;
    }

    /// <summary>The first case that equals, otherwise the default, otherwise none.</summary>
    internal static int Find(Frame frame, JsValue subject, Node?[] tests)
    {
        for (int i = 0; i < tests.Length; i++)
        {
            if (tests[i] is { } test && Operations.StrictEquals(frame.Run, subject, test.Evaluate(frame)))
            {
                return i;
            }
        }

        int index = Array.IndexOf(tests, null);
        return index < 0 ? tests.Length : index;
    }
}

internal sealed class TryNode(StatementNode body, CatchNode? handler, StatementNode? final) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        (int, int) depth = frame.Run.SaveDepth();
        HeapScope? scope = frame.Scope;
        Completion completion = default;
        ThrownException? thrown = null;
        try
        {
            completion = body.Execute(frame);
        }
        catch (ThrownException exception)
        {
            thrown = exception;
        }

        if (thrown is not null && handler is not null)
        {
            Restore(frame, depth, scope);
            ThrownException caught = thrown;
            thrown = null;
            if (final is null)
            {
                return handler.Execute(frame, caught);
            }

            try
            {
                completion = handler.Execute(frame, caught);
            }
            catch (ThrownException exception)
            {
                thrown = exception;
            }
        }

        return final is null ? Rethrow(thrown, completion) : Finish(frame, depth, scope, thrown, completion);
    }

    private Completion Finish(
        Frame frame, (int, int) depth, HeapScope? scope, ThrownException? thrown, Completion completion)
    {
        Restore(frame, depth, scope);
        JsValue result = frame.Result;
        LabelTarget? target = frame.Target;
        Completion last = final!.Execute(frame);
        if (last != Completion.Normal)
        {
            return last;
        }

        frame.Result = result;
        frame.Target = target;
        return Rethrow(thrown, completion);
    }

    private static Completion Rethrow(ThrownException? thrown, Completion completion) =>
        thrown is null ? completion : throw new ThrownException(thrown.Value, thrown.Position);

    private static void Restore(Frame frame, (int, int) depth, HeapScope? scope)
    {
        frame.Run.RestoreDepth(depth);
        frame.Scope = scope;
    }
}

/// <summary>The handler of a try: its parameter and its block.</summary>
internal sealed class CatchNode(PatternNode? parameter, int capturedCount, Node[] prologue, StatementNode body)
{
    internal Completion Execute(Frame frame, ThrownException caught)
    {
        HeapScope? outer = frame.Scope;
        Bind(frame, caught.Value);
        Completion completion = body.Execute(frame);
        frame.Scope = outer;
        return completion;
    }

    /// <summary>Enters the handler's scope.</summary>
    internal void Bind(Frame frame, JsValue value)
    {
        ScopedBlockNode.Enter(frame, capturedCount, prologue);
        parameter?.Bind(frame, value);
    }

    internal StatementNode Body => body;
}
