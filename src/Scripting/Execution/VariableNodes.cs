using System.Runtime.CompilerServices;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Execution;

internal sealed class ConstantNode(JsValue value) : Node
{
    internal JsValue Value => value;

    internal override JsValue Evaluate(Frame frame) => value;
}

/// <summary>What an assignment to a variable may do.</summary>
internal enum AssignMode : byte
{
    /// <summary>A declaration: always allowed.</summary>
    Initialize,
    Assign,

    /// <summary>The binding is constant: throw.</summary>
    Refuse,

    /// <summary>The name of a function inside itself in sloppy code: do nothing.</summary>
    Ignore,
}

internal sealed class LocalNode(int slot, string name, bool isChecked, AssignMode mode) : TargetNode
{
    internal int Slot => slot;

    internal bool IsSimple => !isChecked && mode is AssignMode.Assign or AssignMode.Initialize;

    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = frame.Local(slot);
        if (isChecked && value.IsEmpty)
        {
            throw Variables.NotYet(frame, name, Position);
        }

        return value;
    }

    internal override void Assign(Frame frame, JsValue value)
    {
        if (mode > AssignMode.Assign || (isChecked && mode == AssignMode.Assign && frame.Local(slot).IsEmpty))
        {
            Variables.RefuseAssignment(frame, name, mode, Position, isChecked && frame.Local(slot).IsEmpty);
            return;
        }

        frame.Local(slot) = value;
    }
}

internal sealed class CapturedNode(int hops, int slot, string name, bool isChecked, AssignMode mode) : TargetNode
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = frame.ScopeAt(hops).Slots[slot];
        if (isChecked && value.IsEmpty)
        {
            throw Variables.NotYet(frame, name, Position);
        }

        return value;
    }

    internal override void Assign(Frame frame, JsValue value)
    {
        ref JsValue place = ref frame.ScopeAt(hops).Slots[slot];
        if (mode > AssignMode.Assign || (isChecked && mode == AssignMode.Assign && place.IsEmpty))
        {
            Variables.RefuseAssignment(frame, name, mode, Position, isChecked && place.IsEmpty);
            return;
        }

        place = value;
    }
}

/// <summary>A name that the script does not declare: the run's own globals first, then the realm's.</summary>
internal sealed class GlobalNode(string name, bool strict) : TargetNode
{
    internal string Name => name;

    internal override JsValue Evaluate(Frame frame)
    {
        Run run = frame.Run;
        if (TryRead(run, out JsValue value))
        {
            return value;
        }

        run.Position = Position;
        throw run.ReferenceError(UnsupportedGlobals.Message(name));
    }

    internal bool TryRead(Run run, out JsValue value)
    {
        if (run.Globals is { } globals && globals.Has(run, name))
        {
            value = globals.Get(run, name);
            return true;
        }

        return run.Realm.TryGetGlobal(run, name, out value);
    }

    internal override void Assign(Frame frame, JsValue value)
    {
        Run run = frame.Run;
        run.Position = Position;
        if (strict && !TryRead(run, out _))
        {
            throw run.ReferenceError($"{name} is not defined");
        }

        if (!run.Realm.GlobalThis(run).Object.Set(run, name, value, run.Realm.GlobalThis(run)) && strict)
        {
            throw run.TypeError($"Cannot assign to read only property '{name}' of object");
        }
    }
}

internal static class Variables
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static ThrownException NotYet(Frame frame, string name, int position)
    {
        frame.Run.Position = position;
        return frame.Run.ReferenceError($"Cannot access '{name}' before initialization");
    }

    /// <summary>The value of ++ or --.</summary>
    internal static JsValue Add(Frame frame, JsValue old, double delta) =>
        !old.IsBigInt ? new JsValue(old.Number + delta)
        : BigInts.Apply(frame.Run, delta > 0 ? Syntax.TokenKind.PlusPlus : Syntax.TokenKind.MinusMinus, old, old);

    internal static void RefuseAssignment(Frame frame, string name, AssignMode mode, int position, bool notYet)
    {
        if (notYet)
        {
            throw NotYet(frame, name, position);
        }

        if (mode == AssignMode.Refuse)
        {
            frame.Run.Position = position;
            throw frame.Run.TypeError("Assignment to constant variable.");
        }
    }
}

internal sealed class ThisNode(bool isChecked) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        if (isChecked && frame.Self.IsEmpty)
        {
            frame.Run.Position = Position;
            throw frame.Run.ReferenceError(
                "Must call super constructor in derived class before accessing 'this' or returning from it");
        }

        return frame.Self;
    }
}

internal sealed class NewTargetNode : Node
{
    internal override JsValue Evaluate(Frame frame) =>
        frame.NewTarget is null ? JsValue.Undefined : new JsValue(frame.NewTarget);
}

/// <summary>target = value for a variable.</summary>
internal sealed class AssignNode(TargetNode target, Node value) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue result = value.Evaluate(frame);
        target.Assign(frame, result);
        return result;
    }
}

/// <summary>The same for a local that needs no check.</summary>
internal sealed class AssignLocalNode(int slot, Node value) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue result = value.Evaluate(frame);
        frame.Local(slot) = result;
        return result;
    }
}

/// <summary>Assigns through a destructuring pattern.</summary>
internal sealed class AssignPatternNode(PatternNode pattern, Node value) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue result = value.Evaluate(frame);
        pattern.Bind(frame, result);
        return result;
    }
}

/// <summary>
/// target op= value for a variable or a member of super, logical ones included; and ++ and -- of the latter.
/// </summary>
internal sealed class CompoundVariableNode(TargetNode target, CompoundOperator op, Node value, bool postfix) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue old = target.Evaluate(frame);
        if (op.IsLogical)
        {
            if (!op.Continues(old))
            {
                return old;
            }

            JsValue chosen = value.Evaluate(frame);
            target.Assign(frame, chosen);
            return chosen;
        }

        old = postfix ? Operations.ToNumeric(frame.Run, old) : old;
        JsValue right = value.Evaluate(frame);
        frame.Run.Position = Position;
        JsValue result = Arithmetic.Apply(frame.Run, op.Operator, old, right);
        target.Assign(frame, result);
        return postfix ? old : result;
    }
}

/// <summary>++ and -- on a variable.</summary>
internal sealed class UpdateVariableNode(TargetNode target, double delta, bool prefix) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue old = Operations.ToNumeric(frame.Run, target.Evaluate(frame));
        JsValue result = old.IsNumber ? new JsValue(old.Number + delta) : Variables.Add(frame, old, delta);
        target.Assign(frame, result);
        return prefix ? result : old;
    }
}

/// <summary>++ and -- on a local that needs no check.</summary>
internal sealed class UpdateLocalNode(int slot, double delta, bool prefix) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = frame.Local(slot);
        if (!value.IsNumber)
        {
            return UpdateOther(frame, value);
        }

        double old = value.Number;
        frame.Local(slot) = new JsValue(old + delta);
        return new JsValue(prefix ? old + delta : old);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private JsValue UpdateOther(Frame frame, JsValue value)
    {
        JsValue old = Operations.ToNumeric(frame.Run, value);
        JsValue result = Variables.Add(frame, old, delta);
        frame.Local(slot) = result;
        return prefix ? result : old;
    }
}

/// <summary>The operator of a compound assignment.</summary>
internal readonly struct CompoundOperator(Syntax.TokenKind op)
{
    /// <summary>Its binary operator.</summary>
    internal Syntax.TokenKind Operator => op;

    internal bool IsLogical =>
        op is Syntax.TokenKind.AndAnd or Syntax.TokenKind.OrOr or Syntax.TokenKind.QuestionQuestion;

    /// <summary>Whether a logical operator evaluates its right side.</summary>
    internal bool Continues(JsValue left) => op switch
    {
        Syntax.TokenKind.AndAnd => Operations.ToBoolean(left),
        Syntax.TokenKind.OrOr => !Operations.ToBoolean(left),
        _ => left.IsNullish,
    };
}
