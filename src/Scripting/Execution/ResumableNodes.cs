using Raven.Scripting.Runtime;


namespace Raven.Scripting.Execution;

/// <summary>
/// A statement that contains a yield: its state is in the frame's slots from <paramref name="state"/> on.
/// </summary>
internal abstract class ResumableNode(int state) : StatementNode
{
    protected static bool IsResuming(Frame frame) => FrameOwners.GeneratorOf(frame).Resuming;

    protected int LoadState(Frame frame) => (int)frame.Local(state).Number;

    protected void SaveState(Frame frame, int value) => frame.Local(state) = new JsValue(value);

    /// <summary>Another slot of the statement.</summary>
    protected ref JsValue Slot(Frame frame, int index) => ref frame.Local(state + index);

    protected static JsValue Pack(HeapScope? scope) => scope is null ? JsValue.Undefined : new JsValue(scope);

    protected static HeapScope? Unpack(JsValue value) => value.Cell as HeapScope;
}

/// <summary>Takes 1 slot, and one more for the value that is sent.</summary>
internal sealed class YieldNode(int state, int result, Node? operand) : ResumableNode(state)
{
    internal override Completion Execute(Frame frame)
    {
        JsGenerator generator = FrameOwners.GeneratorOf(frame);
        if (!generator.Resuming)
        {
            frame.Result = operand is null ? JsValue.Undefined : operand.Evaluate(frame);
            return Completion.Yield;
        }

        generator.Arrive();
        switch (generator.Mode)
        {
            case ResumeMode.Throw:
                throw new ThrownException(generator.Sent, frame.Run.Position);
            case ResumeMode.Return:
                frame.Result = generator.Sent;
                return Completion.Return;
            default:
                frame.Local(result) = generator.Sent;
                return Completion.Normal;
        }
    }
}

/// <summary>yield*: passes everything through to another iterator. Takes 1 slot.</summary>
internal sealed class YieldDelegateNode(int state, int result, Node operand) : ResumableNode(state)
{
    internal override Completion Execute(Frame frame)
    {
        JsGenerator generator = FrameOwners.GeneratorOf(frame);
        Run run = frame.Run;
        JsObject iterator;
        JsValue step;
        if (!generator.Resuming)
        {
            iterator = Open(run, operand.Evaluate(frame));
            Slot(frame, 0) = new JsValue(iterator);
            step = run.Invoke(new JsValue(iterator), "next", [JsValue.Undefined]);
        }
        else
        {
            generator.Arrive();
            iterator = Slot(frame, 0).Object;
            if (!TryForward(frame, generator, iterator, out step))
            {
                frame.Result = generator.Sent;
                return Completion.Return;
            }
        }

        JsObject outcome = step.AsObject ?? throw run.TypeError("Iterator result is not an object");
        if (!Operations.ToBoolean(outcome.Get(run, "done")))
        {
            frame.Result = outcome.Get(run, "value");
            return Completion.Yield;
        }

        if (generator.Mode == ResumeMode.Return)
        {
            frame.Result = outcome.Get(run, "value");
            return Completion.Return;
        }

        frame.Local(result) = outcome.Get(run, "value");
        return Completion.Normal;
    }

    private static JsObject Open(Run run, JsValue source)
    {
        JsFunction method = (source.IsNullish ? null : run.GetProperty(source, JsSymbol.Iterator).AsFunction)
            ?? throw run.TypeError($"{Describe.Value(source)} is not iterable");
        return method.Call(run, source, []).AsObject
            ?? throw run.TypeError("Result of the Symbol.iterator method is not an object");
    }

    /// <summary>False if the generator has to return and the inner iterator has no return method.</summary>
    private static bool TryForward(Frame frame, JsGenerator generator, JsObject iterator, out JsValue step)
    {
        Run run = frame.Run;
        string name = generator.Mode switch
        {
            ResumeMode.Next => "next",
            ResumeMode.Throw => "throw",
            _ => "return",
        };
        JsValue method = iterator.Get(run, name);
        step = default;
        if (method.IsNullish && generator.Mode == ResumeMode.Return)
        {
            return false;
        }

        if (method.IsNullish && generator.Mode == ResumeMode.Throw)
        {
            JsValue close = iterator.Get(run, "return");
            if (close.AsFunction is { } closing)
            {
                closing.Call(run, new JsValue(iterator), []);
            }

            throw run.TypeError("The iterator does not provide a 'throw' method");
        }

        JsFunction function = method.AsFunction ?? throw run.TypeError($"iterator.{name} is not a function");
        step = function.Call(run, new JsValue(iterator), [generator.Sent]);
        return true;
    }
}

/// <summary>A list of statements. Takes 1 slot: which one runs.</summary>
internal sealed class ResumableListNode(int state, StatementNode[] body) : ResumableNode(state)
{
    internal override Completion Execute(Frame frame)
    {
        int i = IsResuming(frame) ? LoadState(frame) : 0;
        for (; i < body.Length; i++)
        {
            SaveState(frame, i);
            Completion completion = body[i].Execute(frame);
            if (completion != Completion.Normal)
            {
                return completion;
            }
        }

        return Completion.Normal;
    }
}

/// <summary>A block with bindings of its own. Takes 1 slot: the scope outside.</summary>
internal sealed class ResumableBlockNode(int state, int capturedCount, Node[] prologue, StatementNode body)
    : ResumableNode(state)
{
    internal override Completion Execute(Frame frame)
    {
        if (!IsResuming(frame))
        {
            Slot(frame, 0) = Pack(frame.Scope);
            ScopedBlockNode.Enter(frame, capturedCount, prologue);
        }

        Completion completion = body.Execute(frame);
        if (completion != Completion.Yield)
        {
            frame.Scope = Unpack(Slot(frame, 0));
        }

        return completion;
    }
}

/// <summary>Takes 1 slot: the branch.</summary>
internal sealed class ResumableIfNode(int state, Node test, StatementNode whenTrue, StatementNode? whenFalse)
    : ResumableNode(state)
{
    internal override Completion Execute(Frame frame)
    {
        if (!IsResuming(frame))
        {
            SaveState(frame, test.Test(frame) ? 1 : 0);
        }

        return LoadState(frame) == 1 ? whenTrue.Execute(frame)
            : whenFalse is null ? Completion.Normal : whenFalse.Execute(frame);
    }
}

/// <summary>Takes 2 slots: the case, and the scope outside.</summary>
internal sealed class ResumableSwitchNode(
    int state, Node value, Node?[] tests, StatementNode[] bodies, int capturedCount, Node[] prologue)
    : ResumableNode(state)
{
    internal override Completion Execute(Frame frame)
    {
        if (!IsResuming(frame))
        {
            JsValue subject = value.Evaluate(frame);
            Slot(frame, 1) = Pack(frame.Scope);
            ScopedBlockNode.Enter(frame, capturedCount, prologue);
            SaveState(frame, SwitchNode.Find(frame, subject, tests));
        }

        Completion completion = Completion.Normal;
        for (int i = LoadState(frame); i < bodies.Length && completion == Completion.Normal; i++)
        {
            SaveState(frame, i);
            completion = bodies[i].Execute(frame);
        }

        if (completion == Completion.Yield)
        {
            return completion;
        }

        frame.Scope = Unpack(Slot(frame, 1));
        return completion == Completion.Break && frame.Target is null ? Completion.Normal : completion;
    }
}

/// <summary>Whether a logical operator evaluates its right side.</summary>
internal sealed class LogicalTestNode(Syntax.TokenKind op, Node left) : Node
{
    internal override JsValue Evaluate(Frame frame) => JsValue.Of(Test(frame));

    internal override bool Test(Frame frame) => new CompoundOperator(op).Continues(left.Evaluate(frame));
}
