using Raven.Scripting.Runtime;

namespace Raven.Scripting.Execution;

/// <summary>target.#x</summary>
internal sealed class PrivateMemberNode(Node target, Node name) : TargetNode
{
    private int _hint;

    internal Node Target => target;

    internal override JsValue Evaluate(Frame frame) => Read(frame, target.Evaluate(frame));

    internal override void Assign(Frame frame, JsValue value) => Write(frame, target.Evaluate(frame), value);

    internal JsValue Read(Frame frame, JsValue holder)
    {
        Run run = frame.Run;
        run.Position = Position;
        return holder.IsNullish && run.ReadsThroughMissing ? JsValue.Undefined
            : PrivateMembers.Get(run, holder, (PrivateName)name.Evaluate(frame).Cell!, ref _hint);
    }

    internal void Write(Frame frame, JsValue holder, JsValue value)
    {
        frame.Run.Position = Position;
        PrivateMembers.Set(frame.Run, holder, (PrivateName)name.Evaluate(frame).Cell!, value, ref _hint);
    }
}

/// <summary>target.#x = value, evaluated left to right.</summary>
internal sealed class AssignPrivateNode(PrivateMemberNode member, Node value) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue holder = member.Target.Evaluate(frame);
        JsValue result = value.Evaluate(frame);
        member.Write(frame, holder, result);
        return result;
    }
}

/// <summary>target.#x op= value, ++ and --: the object is evaluated once.</summary>
internal sealed class CompoundPrivateNode(PrivateMemberNode member, CompoundOperator op, Node value, bool postfix)
    : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue holder = member.Target.Evaluate(frame);
        JsValue old = member.Read(frame, holder);
        if (op.IsLogical && !op.Continues(old))
        {
            return old;
        }

        old = postfix ? Operations.ToNumeric(frame.Run, old) : old;
        JsValue right = value.Evaluate(frame);
        JsValue result = op.IsLogical ? right : Arithmetic.Apply(frame.Run, op.Operator, old, right);
        member.Write(frame, holder, result);
        return postfix ? old : result;
    }
}

/// <summary>target.#x(arguments)</summary>
internal sealed class CallPrivateNode(PrivateMemberNode member, ArgumentList arguments, string text) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue self = member.Target.Evaluate(frame);
        JsFunction? function = member.Read(frame, self).AsFunction;
        return function is not null ? arguments.Call(frame, function, self, Position)
            : Calls.OfMissing(frame, self, text, Position);
    }
}

/// <summary>#x in right</summary>
internal sealed class PrivateInNode(Node name, Node right) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue holder = right.Evaluate(frame);
        PrivateName wanted = (PrivateName)name.Evaluate(frame).Cell!;
        Run run = frame.Run;
        run.Position = Position;
        return holder.IsObject ? JsValue.Of(PrivateMembers.Has(run, holder, wanted))
            : throw run.TypeError(
                $"Cannot use 'in' operator to search for '{wanted.Text}' in {Describe.Value(holder)}");
    }
}
