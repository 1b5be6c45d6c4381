using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;


namespace Raven.Scripting.Execution;

internal sealed class ArrayNode(Node?[] elements) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        Run run = frame.Run;
        JsArray array = run.NewArray(elements.Length);
        foreach (Node? element in elements)
        {
            if (element is SpreadNode spread)
            {
                spread.AddTo(frame, array);
            }
            else
            {
                array.Add(run, element is null ? JsValue.Empty : element.Evaluate(frame));
            }
        }

        return new JsValue(array);
    }
}

/// <summary>
/// An object literal whose properties are plain and have fixed, distinct names: one shared list of keys.
/// </summary>
internal sealed class PlainObjectNode(object[] keys, Node[] values, bool hasIndexKeys) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        Run run = frame.Run;
        run.ChargeBytes(112 + ((keys.Length > 8 ? 56 : 16) * keys.Length));
        JsValue[] items = keys.Length == 0 ? [] : new JsValue[keys.Length];
        for (int i = 0; i < values.Length; i++)
        {
            items[i] = values[i].Evaluate(frame);
        }

        return new JsValue(new JsObject(run.Realm.ObjectPrototype, keys, items, hasIndexKeys));
    }
}

/// <summary>One property of an object literal or member of a class.</summary>
internal sealed class PropertyDefinition
{
    internal required Syntax.PropertyKind Kind { get; init; }

    internal required string? Name { get; init; }

    internal required Node? Computed { get; init; }

    /// <summary>Evaluates to the private name of a method or accessor; null for any other.</summary>
    internal Node? Private { get; init; }

    internal required Node Value { get; init; }

    internal bool Static { get; init; }

    /// <summary>{ __proto__: value } sets the prototype.</summary>
    internal bool IsPrototype { get; init; }

    /// <summary>Whether a function without a name gets the computed key as its name.</summary>
    internal bool NamesValue { get; init; }

    internal void DefineOn(Frame frame, JsObject target, PropertyFlags flags)
    {
        Run run = frame.Run;
        if (Private is not null)
        {
            DefinePrivate(frame, target, (PrivateName)Private.Evaluate(frame).Cell!);
            return;
        }

        object key = Name ?? PropertyKeys.Of(run, Computed!.Evaluate(frame));
        if (Value is FunctionNode method && Kind != Syntax.PropertyKind.Value)
        {
            ScriptFunction function = method.Create(frame);
            function.Home = target;
            if (Name is null || Kind != Syntax.PropertyKind.Method)
            {
                function.Define(run, "name", Objects.FunctionName(key, Kind), PropertyFlags.Configurable);
            }

            DefineMethod(run, target, key, function, flags);
            return;
        }

        JsValue value = Value.Evaluate(frame);
        if (NamesValue && value.AsFunction is ScriptFunction anonymous)
        {
            anonymous.Define(run, "name", Objects.FunctionName(key, Kind), PropertyFlags.Configurable);
        }

        target.Define(run, key, value, flags);
    }

    private void DefineMethod(Run run, JsObject target, object key, ScriptFunction function, PropertyFlags flags)
    {
        if (Kind == Syntax.PropertyKind.Method)
        {
            target.Define(run, key, new JsValue(function), flags);
            return;
        }

        JsValue old = target.TryGetOwn(run, key, out Property property) ? property.Value : default;
        target.Define(run, key, MakeAccessor(run, old, function), flags & ~PropertyFlags.Writable);
    }

    /// <summary>A method of the name itself: the objects of the class get it before their fields.</summary>
    private void DefinePrivate(Frame frame, JsObject target, PrivateName name)
    {
        Run run = frame.Run;
        ScriptFunction function = ((FunctionNode)Value).Create(frame);
        function.Home = target;
        if (Kind == Syntax.PropertyKind.Method)
        {
            name.Shared = new JsValue(function);
            return;
        }

        function.Define(run, "name", Objects.FunctionName(name.Text, Kind), PropertyFlags.Configurable);
        name.Shared = MakeAccessor(run, name.Shared, function);
    }

    private JsValue MakeAccessor(Run run, JsValue existing, ScriptFunction half)
    {
        run.ChargeBytes(40);
        Accessor? old = existing.Cell as Accessor;
        return new JsValue(Kind == Syntax.PropertyKind.Getter
            ? new Accessor(half, old?.Setter) : new Accessor(old?.Getter, half));
    }
}

/// <summary>Any other object literal.</summary>
internal sealed class ObjectNode(PropertyDefinition[] properties) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        Run run = frame.Run;
        JsObject target = run.NewObject();
        foreach (PropertyDefinition property in properties)
        {
            if (property.Kind == Syntax.PropertyKind.Spread)
            {
                run.Position = Position;
                Objects.CopyProperties(run, target, property.Value.Evaluate(frame), null);
            }
            else if (property.IsPrototype)
            {
                JsValue prototype = property.Value.Evaluate(frame);
                if (prototype.IsObject || prototype.IsNull)
                {
                    target.Prototype = prototype.AsObject;
                }
            }
            else
            {
                property.DefineOn(frame, target, PropertyFlags.All);
            }
        }

        return new JsValue(target);
    }
}

internal sealed class FunctionNode(FunctionCode code) : Node
{
    internal FunctionCode Code => code;

    internal override JsValue Evaluate(Frame frame) => new(Create(frame));

    internal ScriptFunction Create(Frame frame)
    {
        Run run = frame.Run;
        JsObject prototype = code.IsGenerator ? run.Realm.GeneratorFunctionPrototype : run.Realm.FunctionPrototype;
        ScriptFunction function = new(run, prototype, code, frame.Scope);
        if (code.IsArrow)
        {
            function.OuterSelf = frame.Self;
            function.OuterNewTarget = frame.NewTarget;
            function.Home = FrameOwners.FunctionOf(frame).Home;
        }

        return function;
    }
}

internal sealed class RegExpNode(string pattern, string flags) : Node
{
    private readonly CompiledPattern _compiled = CompiledPattern.Compile(pattern, flags);

    internal override JsValue Evaluate(Frame frame)
    {
        frame.Run.ChargeBytes(160);
        return new JsValue(new JsRegExp(frame.Run, frame.Run.Realm.RegExpPrototype, _compiled));
    }
}

/// <summary>tag`...`: the strings are one frozen array for each run.</summary>
internal sealed class TaggedTemplateNode(Node tag, string?[] cooked, string[] raw, Node[] holes, string text) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        Run run = frame.Run;
        (JsValue value, JsValue self) = FindTag(frame);
        JsFunction function = value.AsFunction ?? throw Calls.NotAFunction(frame, text, Position);
        run.ChargeBytes(24 + (16 * (holes.Length + 1)));
        JsValue[] arguments = new JsValue[holes.Length + 1];
        arguments[0] = new JsValue(Strings(run));
        for (int i = 0; i < holes.Length; i++)
        {
            arguments[i + 1] = holes[i].Evaluate(frame);
        }

        run.Position = Position;
        return function.Call(run, self, arguments);
    }

    private (JsValue Function, JsValue Self) FindTag(Frame frame)
    {
        if (tag is MemberNode member)
        {
            JsValue self = member.Target.Evaluate(frame);
            return (member.Read(frame, self), self);
        }

        if (tag is IndexNode index)
        {
            JsValue self = index.Target.Evaluate(frame);
            return (index.Read(frame, self, index.Key.Evaluate(frame)), self);
        }

        if (tag is PrivateMemberNode hidden)
        {
            JsValue self = hidden.Target.Evaluate(frame);
            return (hidden.Read(frame, self), self);
        }

        return (tag.Evaluate(frame), JsValue.Undefined);
    }

    private JsArray Strings(Run run)
    {
        if (run.Templates is { } known && known.TryGetValue(this, out JsArray? strings))
        {
            return strings;
        }

        JsValue[] texts = [.. cooked.Select(part => part is null ? JsValue.Undefined : JsValue.Of(part))];
        strings = run.NewArray(texts, texts.Length);
        JsArray rawStrings = run.NewArray([.. raw.Select(JsValue.Of)], raw.Length);
        rawStrings.Restrict(run, frozen: true);
        strings.Define(run, "raw", new JsValue(rawStrings), PropertyFlags.None);
        strings.Restrict(run, frozen: true);
        (run.Templates ??= []).Add(this, strings);
        return strings;
    }
}
