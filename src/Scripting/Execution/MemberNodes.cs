using System.Runtime.CompilerServices;
using Raven.Blittable.Reading;
using Raven.Scripting.Documents;
using Raven.Scripting.Runtime;
using Raven.Scripting.Text;

namespace Raven.Scripting.Execution;

/// <summary>target.name</summary>
internal sealed class MemberNode(Node target, string name, bool strict) : TargetNode
{
    private int _hint;
    private PropertyHint? _storedHint;

    internal Node Target => target;

    internal string Name => name;

    internal override JsValue Evaluate(Frame frame) => Read(frame, target.Evaluate(frame));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal JsValue Read(Frame frame, JsValue value) =>
        value.IsObject && value.Object.Class != ObjectClass.Document
            ? value.Object.GetHinted(frame.Run, name, ref _hint) : ReadOther(frame, value);

    internal override void Assign(Frame frame, JsValue value) => Write(frame, target.Evaluate(frame), value);

    internal void Write(Frame frame, JsValue holder, JsValue value)
    {
        if (holder.IsObject)
        {
            JsObject owner = holder.Object;
            if (owner.TrySetHinted(name, value, _hint))
            {
                return;
            }

            frame.Run.Position = Position;
            if (!owner.Set(frame.Run, name, value, holder))
            {
                Members.Refused(frame, name, strict);
            }
            else if (!owner.IsExotic && owner.FindHint(name) is >= 0 and int at)
            {
                _hint = at;
            }
        }
        else
        {
            frame.Run.Position = Position;
            Members.SetOnPrimitive(frame, holder, name, value, strict);
        }
    }

    private JsValue ReadOther(Frame frame, JsValue value)
    {
        if (value.AsObject is { } target)
        {
            return target is DocumentObject document
                ? document.Get(frame.Run, name, _storedHint ??= new PropertyHint(name)) : target.Get(frame.Run, name);
        }

        frame.Run.Position = Position;
        return frame.Run.GetProperty(value, name);
    }
}

/// <summary>target.length, with a fast path for arrays and strings.</summary>
internal sealed class LengthNode(MemberNode member) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = member.Target.Evaluate(frame);
        if (value.IsObject && value.Object.Class == ObjectClass.Array)
        {
            return new JsValue(Unsafe.As<JsArray>(value.Object).Count);
        }

        return value.IsString ? new JsValue(value.String.Length) : member.Read(frame, value);
    }
}

/// <summary>target[key]</summary>
internal sealed class IndexNode(Node target, Node key, bool strict) : TargetNode
{
    internal Node Target => target;

    internal Node Key => key;

    internal override JsValue Evaluate(Frame frame)
    {
        JsValue holder = target.Evaluate(frame);
        JsValue index = key.Evaluate(frame);
        return Read(frame, holder, index);
    }

    internal JsValue Read(Frame frame, JsValue holder, JsValue index)
    {
        if (index.IsNumber && holder.IsObject && PropertyKeys.TryIndex(index.Number, out uint at))
        {
            return holder.Object.GetIndex(frame.Run, at);
        }

        return ReadSlow(frame, holder, index);
    }

    private JsValue ReadSlow(Frame frame, JsValue holder, JsValue index)
    {
        Run run = frame.Run;
        run.Position = Position;
        if (holder.IsString && index.IsNumber && PropertyKeys.TryIndex(index.Number, out uint at))
        {
            return at < holder.String.Length ? new JsValue(JsString.Of(holder.String.Flat[(int)at]))
                : JsValue.Undefined;
        }

        if (holder.IsNullish)
        {
            if (run.ReadsThroughMissing)
            {
                return JsValue.Undefined;
            }

            string word = holder.IsNull ? "null" : "undefined";
            throw run.TypeError($"Cannot read properties of {word} (reading '{Members.KeyText(index)}')");
        }

        return run.GetProperty(holder, PropertyKeys.Of(run, index));
    }

    internal override void Assign(Frame frame, JsValue value)
    {
        JsValue holder = target.Evaluate(frame);
        JsValue index = key.Evaluate(frame);
        Write(frame, holder, index, value);
    }

    internal void Write(Frame frame, JsValue holder, JsValue index, JsValue value)
    {
        Run run = frame.Run;
        if (index.IsNumber && holder.IsObject && PropertyKeys.TryIndex(index.Number, out uint at))
        {
            run.Position = Position;
            if (!holder.Object.SetIndex(run, at, value))
            {
                Members.Refused(frame, PropertyKeys.OfIndex(at), strict);
            }

            return;
        }

        run.Position = Position;
        if (holder.IsNullish)
        {
            string word = holder.IsNull ? "null" : "undefined";
            throw run.TypeError($"Cannot set properties of {word} (setting '{Members.KeyText(index)}')");
        }

        object name = PropertyKeys.Of(run, index);
        if (!holder.IsObject)
        {
            Members.SetOnPrimitive(frame, holder, name, value, strict);
        }
        else if (!holder.Object.Set(run, name, value, holder))
        {
            Members.Refused(frame, name, strict);
        }
    }
}

/// <summary>target.name = value, evaluated left to right.</summary>
internal sealed class AssignMemberNode(MemberNode member, Node value) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue holder = member.Target.Evaluate(frame);
        JsValue result = value.Evaluate(frame);
        member.Write(frame, holder, result);
        return result;
    }
}

/// <summary>target[key] = value, evaluated left to right.</summary>
internal sealed class AssignIndexNode(IndexNode member, Node value) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue holder = member.Target.Evaluate(frame);
        JsValue index = member.Key.Evaluate(frame);
        JsValue result = value.Evaluate(frame);
        member.Write(frame, holder, index, result);
        return result;
    }
}

/// <summary>target.name op= value, ++ and --: reads and writes one property, whose object is evaluated once.</summary>
internal sealed class CompoundMemberNode(MemberNode member, CompoundOperator op, Node value, bool postfix) : Node
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

/// <summary>The same for target[key].</summary>
internal sealed class CompoundIndexNode(IndexNode member, CompoundOperator op, Node value, bool postfix) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue holder = member.Target.Evaluate(frame);
        JsValue index = member.Key.Evaluate(frame);
        if (index.IsObject && !holder.IsNullish)
        {
            index = PropertyKeys.ToValue(PropertyKeys.Of(frame.Run, index));
        }

        JsValue old = member.Read(frame, holder, index);
        if (op.IsLogical && !op.Continues(old))
        {
            return old;
        }

        old = postfix ? Operations.ToNumeric(frame.Run, old) : old;
        JsValue right = value.Evaluate(frame);
        JsValue result = op.IsLogical ? right : Arithmetic.Apply(frame.Run, op.Operator, old, right);
        member.Write(frame, holder, index, result);
        return postfix ? old : result;
    }
}

/// <summary>super.name and super[key]: found from the method's home object upwards, applied to this.</summary>
internal sealed class SuperMemberNode(Node? key, string? name, bool strict) : TargetNode
{
    internal override JsValue Evaluate(Frame frame)
    {
        object property = Key(frame);
        JsObject? holder = Members.HomeOf(frame)?.Prototype;
        return holder is null ? JsValue.Undefined : holder.Get(frame.Run, property, frame.Self);
    }

    internal override void Assign(Frame frame, JsValue value)
    {
        object property = Key(frame);
        JsObject holder = Members.HomeOf(frame)?.Prototype ?? throw frame.Run.TypeError("There is no super object");
        if (!holder.Set(frame.Run, property, value, frame.Self))
        {
            Members.Refused(frame, property, strict);
        }
    }

    private object Key(Frame frame)
    {
        frame.Run.Position = Position;
        return name ?? PropertyKeys.Of(frame.Run, key!.Evaluate(frame));
    }
}

internal sealed class DeleteNode(TargetNode member, bool strict) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        Run run = frame.Run;
        (Node target, object? key) = member switch
        {
            MemberNode named => (named.Target, (object?)named.Name),
            IndexNode index => (index.Target, null),
            _ => throw run.ReferenceError("Unsupported reference to 'super'"),
        };
        JsValue holder = target.Evaluate(frame);
        JsValue index1 = key is null ? ((IndexNode)member).Key.Evaluate(frame) : default;
        run.Position = Position;
        JsObject owner = Operations.ToObject(run, holder);
        key ??= PropertyKeys.Of(run, index1);
        bool deleted = owner.Delete(run, key);
        return deleted || !strict ? JsValue.Of(deleted)
            : throw run.TypeError($"Cannot delete property {Describe.Key(key)}");
    }
}

internal static class Members
{
    internal static void Refused(Frame frame, object key, bool strict)
    {
        if (strict)
        {
            throw frame.Run.TypeError($"Cannot assign to read only property {Describe.Key(key)} of object");
        }
    }

    internal static void SetOnPrimitive(Frame frame, JsValue holder, object key, JsValue value, bool strict)
    {
        Run run = frame.Run;
        if (holder.IsNullish)
        {
            string word = holder.IsNull ? "null" : "undefined";
            throw run.TypeError($"Cannot set properties of {word} (setting {Describe.Key(key)})");
        }

        // A setter on the prototype is called; other values have no effect.
        bool done = run.Realm.PrototypeOf(holder).Set(run, key, value, holder);
        if (!done && strict)
        {
            throw run.TypeError($"Cannot create property {Describe.Key(key)} on {Describe.Value(holder)}");
        }
    }

    internal static string KeyText(JsValue key) =>
        key.IsString ? MessageText.Cut(key.String.Flat) : Describe.Value(key);

    /// <summary>The object whose method runs; arrow functions use that of the code around them.</summary>
    internal static JsObject? HomeOf(Frame frame) => FrameOwners.FunctionOf(frame).Home;
}
