using Raven.Scripting.Runtime;

namespace Raven.Scripting.Execution;

/// <summary>A private name that a class declares, and the place of its value.</summary>
internal sealed record PrivateDeclaration(TargetNode Place, string Text, Syntax.PrivateKind Kind, bool Static);

/// <summary>A field of a class: its name and the function that computes its value for one object.</summary>
internal sealed class FieldNode
{
    internal required string? Name { get; init; }

    internal required Node? Computed { get; init; }

    /// <summary>Evaluates to the private name; null for a field with another.</summary>
    internal required Node? Private { get; init; }

    internal required FunctionCode? Initializer { get; init; }

    internal required bool Static { get; init; }

    /// <summary>A static block: it has no name and its value is no field.</summary>
    internal required bool Block { get; init; }

    /// <summary>Whether a function without a name gets the computed key as its name.</summary>
    internal required bool NamesValue { get; init; }

    /// <summary>The private name, or the key of a property; null for a block.</summary>
    internal object? Key(Frame frame) =>
        Block ? null
        : Private is not null ? Private.Evaluate(frame).Cell
        : Name ?? PropertyKeys.Of(frame.Run, Computed!.Evaluate(frame));

    /// <summary>Computes the value and gives it to an object.</summary>
    internal void Define(Frame frame, ScriptFunction owner, JsObject target, object? key)
    {
        JsValue value = Compute(frame, owner, new JsValue(target), key);
        if (key is PrivateName name)
        {
            PrivateMembers.Add(frame.Run, target, name, value);
        }
        else if (key is not null)
        {
            target.Define(frame.Run, key, value, PropertyFlags.All);
        }
    }

    private JsValue Compute(Frame frame, ScriptFunction owner, JsValue target, object? key)
    {
        if (Initializer is null)
        {
            return JsValue.Undefined;
        }

        ScriptFunction function = new(frame.Run, frame.Run.Realm.FunctionPrototype, Initializer, owner.FieldScope)
        {
            Home = Static ? owner : owner.Home,
        };
        JsValue value = function.Call(frame.Run, target, []);
        if (NamesValue && value.AsFunction is ScriptFunction anonymous)
        {
            JsValue text = Objects.FunctionName(key!, Syntax.PropertyKind.Value);
            anonymous.Define(frame.Run, "name", text, PropertyFlags.Configurable);
        }

        return value;
    }
}

internal sealed class ClassNode : Node
{
    internal required FunctionCode Constructor { get; init; }

    internal required Node? Parent { get; init; }

    internal required PropertyDefinition[] Members { get; init; }

    internal required FieldNode[] StaticFields { get; init; }

    /// <summary>The private names that each evaluation makes.</summary>
    internal required PrivateDeclaration[] Privates { get; init; }

    internal required TargetNode? InnerName { get; init; }

    internal required int ScopeCount { get; init; }

    internal override JsValue Evaluate(Frame frame)
    {
        HeapScope? outer = frame.Scope;
        if (ScopeCount > 0)
        {
            frame.PushScope(ScopeCount);
            frame.Scope!.Slots.AsSpan().Fill(JsValue.Empty);
        }

        // A slot may hold what an earlier turn of a loop left: what the class extends sees no name yet.
        InnerName?.Assign(frame, JsValue.Empty);
        foreach (PrivateDeclaration one in Privates)
        {
            one.Place.Assign(frame, JsValue.Empty);
        }

        Run run = frame.Run;
        (JsObject? prototypeParent, JsObject constructorParent) = FindParents(frame);
        run.ChargeBytes(88);
        JsObject prototype = new(prototypeParent);
        ScriptFunction constructor = new(run, constructorParent, Constructor, frame.Scope)
        {
            Home = prototype, FieldScope = frame.Scope,
        };
        constructor.SetClassPrototype(run, prototype);
        PrivateName[] names = MakePrivateNames(frame);
        foreach (PropertyDefinition member in Members)
        {
            member.DefineOn(frame, member.Static ? constructor : prototype, PropertyFlags.Hidden);
        }

        constructor.FieldKeys = [.. Constructor.Fields.Select(field => field.Key(frame)), .. Shared(names, false)];
        object?[] staticKeys = [.. StaticFields.Select(field => field.Key(frame))];
        InnerName?.Assign(frame, new JsValue(constructor));
        foreach (PrivateName name in Shared(names, true))
        {
            PrivateMembers.Add(run, constructor, name, name.Shared);
        }

        for (int i = 0; i < staticKeys.Length; i++)
        {
            StaticFields[i].Define(frame, constructor, constructor, staticKeys[i]);
        }

        frame.Scope = outer;
        return new JsValue(constructor);
    }

    private PrivateName[] MakePrivateNames(Frame frame)
    {
        if (Privates.Length == 0)
        {
            return [];
        }

        frame.Run.ChargeBytes(72L * Privates.Length);
        PrivateName[] names = new PrivateName[Privates.Length];
        for (int i = 0; i < names.Length; i++)
        {
            names[i] = new PrivateName(Privates[i].Text, Privates[i].Kind);
            Privates[i].Place.Assign(frame, new JsValue(names[i]));
        }

        return names;
    }

    /// <summary>The names of private methods and accessors, of the class itself or of its objects.</summary>
    private IEnumerable<PrivateName> Shared(PrivateName[] names, bool isStatic) =>
        names.Where((name, i) => name.Role != Syntax.PrivateKind.Field && Privates[i].Static == isStatic);

    private (JsObject? Prototype, JsObject Constructor) FindParents(Frame frame)
    {
        Run run = frame.Run;
        if (Parent is null)
        {
            return (run.Realm.ObjectPrototype, run.Realm.FunctionPrototype);
        }

        JsValue parent = Parent.Evaluate(frame);
        run.Position = Position;
        if (parent.IsNull)
        {
            return (null, run.Realm.FunctionPrototype);
        }

        if (parent.AsFunction is not { IsConstructor: true } function)
        {
            throw run.TypeError($"Class extends value {Describe.Value(parent)} is not a constructor or null");
        }

        JsValue prototype = function.Get(run, "prototype");
        return prototype.IsObject || prototype.IsNull ? (prototype.AsObject, function)
            : throw run.TypeError("Class extends value does not have valid prototype property");
    }
}
