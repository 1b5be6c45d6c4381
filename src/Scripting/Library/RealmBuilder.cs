using Raven.Scripting.Runtime;


namespace Raven.Scripting.Library;

/// <summary>Defines functions and constants while a realm is built.</summary>
internal sealed class RealmBuilder(Run run, Realm realm)
{
    internal Run Run => run;

    internal Realm Realm => realm;

    internal JsObject NewPrototype() => new(realm.ObjectPrototype);

    /// <summary>An object that was defined as a global before.</summary>
    internal JsObject GlobalObject(string name) => realm.Global.Get(run, name).Object;

    internal NativeFunction Function(string name, int length, NativeCall call, NativeConstruct? construct = null) =>
        new(run, realm.FunctionPrototype, name, length, call, construct);

    internal void Method(JsObject target, string name, int length, NativeCall call) =>
        target.Define(run, name, new JsValue(Function(name, length, call)), PropertyFlags.Hidden);

    internal void Method(JsObject target, JsSymbol symbol, int length, NativeCall call) =>
        target.Define(
            run, symbol, new JsValue(Function($"[{symbol.Description}]", length, call)), PropertyFlags.Hidden);

    internal void Getter(JsObject target, object name, NativeCall call)
    {
        NativeFunction getter = Function($"get {(name is JsSymbol symbol ? $"[{symbol.Description}]" : name)}", 0,
            call);
        target.Define(run, name, new JsValue(new Accessor(getter, null)), PropertyFlags.Configurable);
    }

    internal void Constant(JsObject target, object name, JsValue value) =>
        target.Define(run, name, value, PropertyFlags.None);

    internal void Tag(JsObject target, string name) =>
        target.Define(run, JsSymbol.ToStringTag, JsValue.Of(name), PropertyFlags.Configurable);

    internal void DefineGlobal(string name, JsValue value) =>
        realm.Global.Define(run, name, value, PropertyFlags.Hidden);

    /// <summary>A constructor with its prototype, as a global.</summary>
    internal NativeFunction Constructor(
        string name, int length, JsObject prototype, NativeCall call, NativeConstruct construct)
    {
        NativeFunction function = Function(name, length, call, construct);
        function.Define(run, "prototype", new JsValue(prototype), PropertyFlags.None);
        prototype.Define(run, "constructor", new JsValue(function), PropertyFlags.Hidden);
        DefineGlobal(name, new JsValue(function));
        return function;
    }
}

/// <summary>Marks all reachable objects as immutable.</summary>
internal static class RealmFreezer
{
    internal static void Freeze(Run run, JsObject root)
    {
        Stack<JsObject> pending = new([root]);
        while (pending.TryPop(out JsObject? one))
        {
            if ((one.Flags & ObjectFlags.Immutable) != 0)
            {
                continue;
            }

            one.Flags |= ObjectFlags.Immutable;
            if (one.Prototype is not null)
            {
                pending.Push(one.Prototype);
            }

            List<object> keys = [];
            one.AddOwnKeys(run, keys);
            foreach (object key in keys)
            {
                one.TryGetOwn(run, key, out Property property);
                if (property.Value.IsObject)
                {
                    pending.Push(property.Value.Object);
                }
                else if (property.Value.IsAccessor)
                {
                    Accessor accessor = (Accessor)property.Value.Cell!;
                    foreach (JsObject? half in new[] { accessor.Getter, accessor.Setter })
                    {
                        if (half is not null)
                        {
                            pending.Push(half);
                        }
                    }
                }
            }
        }
    }
}

internal static class ArgumentSpan
{
    /// <summary>The argument, or undefined if the call has fewer.</summary>
    internal static JsValue At(this ReadOnlySpan<JsValue> arguments, int index) =>
        index < arguments.Length ? arguments[index] : JsValue.Undefined;
}
