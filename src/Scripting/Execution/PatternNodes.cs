using Raven.Scripting.Runtime;


namespace Raven.Scripting.Execution;

/// <summary>Destructures a value into variables or properties.</summary>
internal abstract class PatternNode
{
    internal abstract void Bind(Frame frame, JsValue value);
}

/// <summary>A single place.</summary>
internal sealed class TargetPattern(TargetNode target) : PatternNode
{
    internal override void Bind(Frame frame, JsValue value) => target.Assign(frame, value);
}

/// <summary>A place with a default value for undefined.</summary>
internal sealed class DefaultPattern(PatternNode inner, Node defaultValue) : PatternNode
{
    internal override void Bind(Frame frame, JsValue value) =>
        inner.Bind(frame, value.IsUndefined ? defaultValue.Evaluate(frame) : value);
}

internal sealed class ArrayPatternNode(PatternNode?[] elements, PatternNode? rest, int position) : PatternNode
{
    internal override void Bind(Frame frame, JsValue value)
    {
        Run run = frame.Run;
        run.Position = position;
        ValueIterator iterator = ValueIterator.Open(run, value);
        if (iterator.IsInternal)
        {
            BindElements(frame, iterator);
            return;
        }

        (int, int) saved = run.SaveDepth();
        try
        {
            BindElements(frame, iterator);
        }
        catch (ThrownException) when (!iterator.Finished)
        {
            run.RestoreDepth(saved);
            iterator.CloseQuietly(run);
            throw;
        }

        iterator.Close(run);
    }

    private void BindElements(Frame frame, ValueIterator iterator)
    {
        Run run = frame.Run;
        foreach (PatternNode? element in elements)
        {
            JsValue item = JsValue.Undefined;
            if (!iterator.Finished)
            {
                iterator.MoveNext(run, out item);
            }

            element?.Bind(frame, item);
        }

        if (rest is null)
        {
            return;
        }

        JsArray items = run.NewArray();
        while (!iterator.Finished && iterator.MoveNext(run, out JsValue item))
        {
            run.Step();
            items.Add(run, item);
        }

        rest.Bind(frame, new JsValue(items));
    }
}

/// <summary>One named or computed part of an object pattern.</summary>
internal sealed class ObjectPatternPartNode(string? name, Node? computed, PatternNode pattern)
{
    internal PatternNode Pattern => pattern;

    internal object Key(Frame frame) => name ?? PropertyKeys.Of(frame.Run, computed!.Evaluate(frame));
}

internal sealed class ObjectPatternNode(ObjectPatternPartNode[] parts, PatternNode? rest, int position) : PatternNode
{
    internal override void Bind(Frame frame, JsValue value)
    {
        Run run = frame.Run;
        if (value.IsNullish)
        {
            run.Position = position;
            throw run.TypeError($"Cannot destructure '{Describe.Value(value)}' as it is {Describe.Value(value)}.");
        }

        List<object>? taken = rest is null ? null : [];
        foreach (ObjectPatternPartNode part in parts)
        {
            object key = part.Key(frame);
            taken?.Add(key);
            part.Pattern.Bind(frame, run.GetProperty(value, key));
        }

        if (rest is not null)
        {
            JsObject others = run.NewObject();
            Objects.CopyProperties(run, others, value, taken);
            rest.Bind(frame, new JsValue(others));
        }
    }
}

/// <summary>Binds a parameter's pattern or default from its slot.</summary>
internal sealed class BindParameterNode(int slot, PatternNode pattern) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        pattern.Bind(frame, frame.Local(slot));
        return default;
    }
}

/// <summary>Binds the rest parameter.</summary>
internal sealed class BindRestNode(int start, PatternNode pattern) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue[] all = frame.Arguments;
        JsValue[] items = start < all.Length ? all[start..] : [];
        pattern.Bind(frame, new JsValue(frame.Run.NewArray(items, items.Length)));
        return default;
    }
}

/// <summary>Makes the object <c>arguments</c>; it does not follow later changes of the parameters.</summary>
internal sealed class BindArgumentsNode(TargetNode target, bool strict) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        Run run = frame.Run;
        run.ChargeBytes(128);
        JsArray arguments = new(
            run.Realm.ObjectPrototype, frame.Arguments, frame.Arguments.Length, ObjectClass.Arguments);
        arguments.Define(run, JsSymbol.Iterator, run.Realm.ArrayValues, PropertyFlags.Hidden);
        if (!strict)
        {
            arguments.Define(run, "callee", new JsValue(frame.Function), PropertyFlags.Hidden);
        }

        target.Assign(frame, new JsValue(arguments));
        return default;
    }
}

/// <summary>Binds the function's own name.</summary>
internal sealed class BindOwnNameNode(TargetNode target) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        target.Assign(frame, new JsValue(frame.Function));
        return default;
    }
}

/// <summary>Marks bindings as declared but not yet reached.</summary>
internal sealed class ClearBindingsNode(TargetNode[] targets) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        foreach (TargetNode target in targets)
        {
            target.Assign(frame, JsValue.Empty);
        }

        return default;
    }
}

/// <summary>All arguments of the call as an array, for constructors that pass them on.</summary>
internal sealed class AllArgumentsNode : Node
{
    internal override JsValue Evaluate(Frame frame) =>
        new(frame.Run.NewArray(frame.Arguments, frame.Arguments.Length));
}
