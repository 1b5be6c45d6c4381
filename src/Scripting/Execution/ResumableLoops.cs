using Raven.Scripting.Runtime;


namespace Raven.Scripting.Execution;

/// <summary>
/// while, do-while and for(;;) with a yield in any part: initial, test, body and update are statements in turn, and the
/// test leaves its result in a slot. Takes 2 slots: the phase, and the scope outside.
/// </summary>
internal sealed class ResumableLoopNode(int state, LabelTarget[] labels) : ResumableNode(state)
{
    internal const int SlotCount = 2;

    private const int Initial = 0;
    private const int Testing = 1;
    private const int Running = 2;
    private const int Updating = 3;

    internal StatementNode? InitialPart { get; init; }

    internal StatementNode? TestPart { get; init; }

    /// <summary>The test, which holds no yield; null is always true.</summary>
    internal Node? Test { get; init; }

    internal StatementNode? UpdatePart { get; init; }

    internal required StatementNode Body { get; init; }

    internal bool BodyFirst { get; init; }

    internal int CapturedCount { get; init; }

    internal override Completion Execute(Frame frame)
    {
        bool resuming = IsResuming(frame);
        if (!resuming)
        {
            Slot(frame, 1) = Pack(frame.Scope);
            ScopedBlockNode.Enter(frame, CapturedCount, []);
        }

        int phase = resuming ? LoadState(frame) : Initial;
        Completion completion;
        do
        {
            SaveState(frame, phase);
            completion = Step(frame, ref phase);
        }
        while (completion == Completion.Normal && phase >= 0);
        if (completion != Completion.Yield)
        {
            frame.Scope = Unpack(Slot(frame, 1));
        }

        return completion;
    }

    /// <summary>Runs one phase; a negative next phase ends the loop.</summary>
    private Completion Step(Frame frame, ref int phase)
    {
        switch (phase)
        {
            case Initial:
                phase = BodyFirst ? Running : Testing;
                return InitialPart?.Execute(frame) ?? Completion.Normal;
            case Testing:
                Completion tested = TestPart?.Execute(frame) ?? Completion.Normal;
                if (tested == Completion.Normal)
                {
                    phase = Test is null || Test.Test(frame) ? Running : -1;
                }

                return tested;
            case Running:
                return RunBody(frame, ref phase);
            default:
                phase = Testing;
                return UpdatePart?.Execute(frame) ?? Completion.Normal;
        }
    }

    private Completion RunBody(Frame frame, ref int phase)
    {
        frame.Run.Step();
        Completion completion = Body.Execute(frame);
        if (completion == Completion.Yield)
        {
            return completion;
        }

        if (!ResumableJumps.GoesOn(frame, labels, ref completion))
        {
            phase = -1;
            return completion;
        }

        if (CapturedCount > 0)
        {
            ForNode.CopyScope(frame);
        }

        phase = Updating;
        return Completion.Normal;
    }
}

/// <summary>for-of and for-in. Takes 2 slots: the iterator, and the scope outside.</summary>
internal sealed class ResumableForEachNode(
    int state, LabelTarget[] labels, PatternNode target, Node source, StatementNode body, bool isOf)
    : ResumableNode(state)
{
    internal required int CapturedCount { get; init; }

    internal required Node[] Prologue { get; init; }

    internal override Completion Execute(Frame frame)
    {
        Run run = frame.Run;
        bool resuming = IsResuming(frame);
        if (!resuming)
        {
            JsValue value = source.Evaluate(frame);
            HeapValue opened = isOf ? ValueIterator.Open(run, value) : new KeyEnumerator(run, value);
            Slot(frame, 0) = new JsValue(opened);
            Slot(frame, 1) = Pack(frame.Scope);
        }

        HeapValue keeper = Slot(frame, 0).Cell!;
        (int, int) saved = run.SaveDepth();
        Completion completion;
        try
        {
            completion = Loop(frame, keeper, resuming);
        }
        catch (ThrownException) when (keeper is ValueIterator { Finished: false })
        {
            run.RestoreDepth(saved);
            ((ValueIterator)keeper).CloseQuietly(run);
            throw;
        }

        if (completion != Completion.Yield && keeper is ValueIterator iterator)
        {
            JsValue result = frame.Result;
            iterator.Close(run);
            frame.Result = result;
        }

        return completion;
    }

    private Completion Loop(Frame frame, HeapValue keeper, bool resuming)
    {
        while (resuming || TryEnter(frame, keeper))
        {
            resuming = false;
            Completion completion = body.Execute(frame);
            if (completion == Completion.Yield)
            {
                return completion;
            }

            frame.Scope = Unpack(Slot(frame, 1));
            if (!ResumableJumps.GoesOn(frame, labels, ref completion))
            {
                return completion;
            }
        }

        return Completion.Normal;
    }

    private bool TryEnter(Frame frame, HeapValue keeper)
    {
        Run run = frame.Run;
        bool more = keeper is ValueIterator iterator ? iterator.MoveNext(run, out JsValue item)
            : ((KeyEnumerator)keeper).MoveNext(run, out item);
        if (more)
        {
            run.Step();
            ScopedBlockNode.Enter(frame, CapturedCount, Prologue);
            target.Bind(frame, item);
        }

        return more;
    }
}

internal static class ResumableJumps
{
    internal static bool GoesOn(Frame frame, LabelTarget[] labels, ref Completion completion)
    {
        bool mine = frame.Target is null || Array.IndexOf(labels, frame.Target) >= 0;
        switch (completion)
        {
            case Completion.Normal:
                return true;
            case Completion.Continue when mine:
                completion = Completion.Normal;
                return true;
            case Completion.Break when frame.Target is null:
                completion = Completion.Normal;
                return false;
            default:
                return false;
        }
    }
}

/// <summary>The completion of the protected part of a try, kept while its finally yields.</summary>
internal sealed class PendingCompletion(Completion completion, JsValue result, LabelTarget? target,
    ThrownException? thrown)
    : HeapValue(ValueKind.Empty)
{
    internal Completion Complete(Frame frame)
    {
        if (thrown is not null)
        {
            throw new ThrownException(thrown.Value, thrown.Position);
        }

        frame.Result = result;
        frame.Target = target;
        return completion;
    }
}

/// <summary>Takes 3 slots: the phase, the scope outside, and the completion that waits for finally.</summary>
internal sealed class ResumableTryNode(int state, StatementNode body, CatchNode? handler, StatementNode? final)
    : ResumableNode(state)
{
    internal const int SlotCount = 3;

    private const int Protected = 0;
    private const int Handling = 1;
    private const int Finally = 2;

    internal override Completion Execute(Frame frame)
    {
        bool resuming = IsResuming(frame);
        if (!resuming)
        {
            SaveState(frame, Protected);
            Slot(frame, 1) = Pack(frame.Scope);
        }

        (int, int) depth = frame.Run.SaveDepth();
        Completion completion = Completion.Normal;
        ThrownException? thrown = null;
        if (LoadState(frame) == Protected)
        {
            completion = Guard(frame, body, depth, ref thrown);
            if (thrown is not null && handler is not null)
            {
                SaveState(frame, Handling);
                ThrownException caught = thrown;
                thrown = null;
                completion = Guard(frame, new Entry(handler, caught), depth, ref thrown);
            }
        }
        else if (LoadState(frame) == Handling)
        {
            completion = Guard(frame, handler!.Body, depth, ref thrown);
        }

        if (completion == Completion.Yield && LoadState(frame) != Finally)
        {
            return completion;
        }

        return Finish(frame, completion, thrown);
    }

    private Completion Finish(Frame frame, Completion completion, ThrownException? thrown)
    {
        if (LoadState(frame) != Finally)
        {
            frame.Scope = Unpack(Slot(frame, 1));
            PendingCompletion pending = new(completion, frame.Result, frame.Target, thrown);
            if (final is null)
            {
                return pending.Complete(frame);
            }

            SaveState(frame, Finally);
            Slot(frame, 2) = new JsValue(pending);
        }

        Completion last = final!.Execute(frame);
        return last != Completion.Normal ? last : ((PendingCompletion)Slot(frame, 2).Cell!).Complete(frame);
    }

    private Completion Guard(Frame frame, StatementNode part, (int, int) depth, ref ThrownException? thrown)
    {
        try
        {
            return part.Execute(frame);
        }
        catch (ThrownException exception)
        {
            thrown = exception;
        }

        frame.Run.RestoreDepth(depth);
        frame.Scope = Unpack(Slot(frame, 1));
        return Completion.Normal;
    }

    /// <summary>The handler from its start: its parameter first.</summary>
    private sealed class Entry(CatchNode handler, ThrownException caught) : StatementNode
    {
        internal override Completion Execute(Frame frame)
        {
            handler.Bind(frame, caught.Value);
            return handler.Body.Execute(frame);
        }
    }
}
