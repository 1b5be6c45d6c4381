using Raven.Scripting.Runtime;


namespace Raven.Scripting.Execution;

/// <summary>The part that all loops share: which jumps belong to them.</summary>
internal abstract class LoopNode(LabelTarget[] labels) : StatementNode
{
    /// <summary>
    /// Whether the loop continues after its body; otherwise <paramref name="completion"/> is that of the loop.
    /// </summary>
    protected bool GoesOn(Frame frame, ref Completion completion)
    {
        switch (completion)
        {
            case Completion.Normal:
                return true;
            case Completion.Continue:
                bool mine = frame.Target is null || Array.IndexOf(labels, frame.Target) >= 0;
                completion = mine ? Completion.Normal : completion;
                return mine;
            case Completion.Break when frame.Target is null:
                completion = Completion.Normal;
                return false;
            default:
                return false;
        }
    }
}

internal sealed class WhileNode(LabelTarget[] labels, Node test, StatementNode body, bool bodyFirst) : LoopNode(labels)
{
    internal override Completion Execute(Frame frame)
    {
        if (!bodyFirst && !test.Test(frame))
        {
            return Completion.Normal;
        }

        do
        {
            frame.Run.Step();
            Completion completion = body.Execute(frame);
            if (completion != Completion.Normal && !GoesOn(frame, ref completion))
            {
                return completion;
            }
        }
        while (test.Test(frame));
        return Completion.Normal;
    }
}

/// <summary>for (;;). If closures capture the variables of its head, each turn has its own copy.</summary>
internal sealed class ForNode(
    LabelTarget[] labels, StatementNode? initial, Node? test, Node? update, StatementNode body, int capturedCount)
    : LoopNode(labels)
{
    internal override Completion Execute(Frame frame)
    {
        HeapScope? outer = frame.Scope;
        if (capturedCount > 0)
        {
            frame.PushScope(capturedCount);
            frame.Scope!.Slots.AsSpan().Fill(JsValue.Empty);
        }

        initial?.Execute(frame);
        Completion completion = Completion.Normal;
        while (true)
        {
            if (test is not null && !test.Test(frame))
            {
                break;
            }

            frame.Run.Step();
            completion = body.Execute(frame);
            if (completion != Completion.Normal && !GoesOn(frame, ref completion))
            {
                break;
            }

            if (capturedCount > 0)
            {
                CopyScope(frame);
            }

            update?.Evaluate(frame);
        }

        frame.Scope = outer;
        return completion;
    }

    /// <summary>The next turn's variables start with the last values of this turn's.</summary>
    internal static void CopyScope(Frame frame)
    {
        HeapScope old = frame.Scope!;
        frame.Scope = old.Parent;
        frame.PushScope(old.Slots.Length);
        old.Slots.CopyTo(frame.Scope!.Slots.AsSpan());
    }
}

internal sealed class ForOfNode(
    LabelTarget[] labels, PatternNode target, Node source, StatementNode body, int capturedCount, Node[] prologue,
    int position)
    : LoopNode(labels)
{
    internal override Completion Execute(Frame frame)
    {
        Run run = frame.Run;
        HeapScope? outer = frame.Scope;
        JsValue value = source.Evaluate(frame);
        run.Position = position;
        ValueIterator iterator = ValueIterator.Open(run, value);
        if (iterator.IsInternal)
        {
            return Loop(frame, iterator, outer);
        }

        (int, int) saved = run.SaveDepth();
        Completion completion;
        try
        {
            completion = Loop(frame, iterator, outer);
        }
        catch (ThrownException) when (!iterator.Finished)
        {
            run.RestoreDepth(saved);
            iterator.CloseQuietly(run);
            throw;
        }

        iterator.Close(run);
        return completion;
    }

    private Completion Loop(Frame frame, ValueIterator iterator, HeapScope? outer)
    {
        Run run = frame.Run;
        Completion completion = Completion.Normal;
        while (iterator.MoveNext(run, out JsValue item))
        {
            run.Step();
            ScopedBlockNode.Enter(frame, capturedCount, prologue);
            target.Bind(frame, item);
            completion = body.Execute(frame);
            frame.Scope = outer;
            if (completion != Completion.Normal && !GoesOn(frame, ref completion))
            {
                break;
            }
        }

        return completion;
    }
}

internal sealed class ForInNode(
    LabelTarget[] labels, PatternNode target, Node source, StatementNode body, int capturedCount, Node[] prologue)
    : LoopNode(labels)
{
    internal override Completion Execute(Frame frame)
    {
        Run run = frame.Run;
        HeapScope? outer = frame.Scope;
        KeyEnumerator keys = new(run, source.Evaluate(frame));
        Completion completion = Completion.Normal;
        while (keys.MoveNext(run, out JsValue key))
        {
            run.Step();
            ScopedBlockNode.Enter(frame, capturedCount, prologue);
            target.Bind(frame, key);
            completion = body.Execute(frame);
            frame.Scope = outer;
            if (completion != Completion.Normal && !GoesOn(frame, ref completion))
            {
                break;
            }
        }

        return completion;
    }
}

/// <summary>The enumerable names of an object and its prototypes, each once, except names deleted meanwhile.</summary>
internal sealed class KeyEnumerator : HeapValue
{
    private readonly List<object> _keys = [];
    private readonly JsObject? _first;
    private JsObject? _holder;
    private int _next;

    internal KeyEnumerator(Run run, JsValue source)
        : base(ValueKind.Empty)
    {
        _first = source.IsNullish ? null : Operations.ToObject(run, source);
        _holder = _first;
        _holder?.AddOwnKeys(run, _keys);
        run.ChargeBytes(200 + (_keys.Count * 40));
    }

    internal bool MoveNext(Run run, out JsValue key)
    {
        while (_holder is not null)
        {
            while (_next < _keys.Count)
            {
                run.Step();
                if (_keys[_next++] is string name && _holder.TryGetOwn(run, name, out Property property)
                    && property.Is(PropertyFlags.Enumerable) && !IsHidden(run, name))
                {
                    key = JsValue.Of(name);
                    return true;
                }
            }

            _holder = _holder.Prototype;
            _keys.Clear();
            _next = 0;

            // The realm's prototypes have no enumerable property.
            if (_holder is not null && (_holder.Flags & ObjectFlags.Immutable) == 0)
            {
                _holder.AddOwnKeys(run, _keys);
            }
        }

        key = default;
        return false;
    }

    private bool IsHidden(Run run, string name)
    {
        for (JsObject nearer = _first!; nearer != _holder; nearer = nearer.Prototype!)
        {
            if (nearer.HasOwn(run, name))
            {
                return true;
            }
        }

        return false;
    }
}
