using Raven.Scripting.Execution;
using Raven.Scripting.Values;

namespace Raven.Scripting.Library;

/// <summary>
/// The built-in objects of an engine. Built once and never changed afterwards, so that all runs of all threads share
/// them and nothing can leak through them; a script that assigns to them is refused as if they were frozen.
/// </summary>
internal sealed class Realm
{
    private readonly JsObject _global;

    internal Realm(TimeProvider clock)
    {
        Run run = new(this, clock);
        run.Begin(new ScriptLimits { StepsMax = long.MaxValue / 2, MemoryBytesMax = long.MaxValue / 2 }, default);
        ObjectPrototype = new JsObject(null);
        FunctionPrototype = new PlainFunction(ObjectPrototype);
        RealmBuilder builder = new(run, this);
        _global = new JsObject(ObjectPrototype);
        ArrayPrototype = new JsArray(ObjectPrototype, [], 0);
        StringPrototype = builder.NewPrototype();
        NumberPrototype = builder.NewPrototype();
        BooleanPrototype = builder.NewPrototype();
        SymbolPrototype = builder.NewPrototype();
        DatePrototype = builder.NewPrototype();
        RegExpPrototype = builder.NewPrototype();
        MapPrototype = builder.NewPrototype();
        SetPrototype = builder.NewPrototype();
        WeakMapPrototype = builder.NewPrototype();
        WeakSetPrototype = builder.NewPrototype();
        IteratorPrototype = builder.NewPrototype();
        NativeIteratorPrototype = new JsObject(IteratorPrototype);
        ArrayIteratorPrototype = NewIterator(builder, "Array");
        StringIteratorPrototype = NewIterator(builder, "String");
        MapIteratorPrototype = NewIterator(builder, "Map");
        SetIteratorPrototype = NewIterator(builder, "Set");
        RegExpIteratorPrototype = NewIterator(builder, "RegExp String");
        GeneratorPrototype = new JsObject(IteratorPrototype);
        GeneratorFunctionPrototype = new JsObject(FunctionPrototype);
        builder.Global = _global;
        ErrorPrototype = ErrorLibrary.Build(builder, "Error", null);
        TypeErrorPrototype = ErrorLibrary.Build(builder, "TypeError", ErrorPrototype);
        RangeErrorPrototype = ErrorLibrary.Build(builder, "RangeError", ErrorPrototype);
        ReferenceErrorPrototype = ErrorLibrary.Build(builder, "ReferenceError", ErrorPrototype);
        SyntaxErrorPrototype = ErrorLibrary.Build(builder, "SyntaxError", ErrorPrototype);
        ErrorLibrary.Build(builder, "EvalError", ErrorPrototype);
        ErrorLibrary.Build(builder, "URIError", ErrorPrototype);
        ObjectLibrary.Build(builder);
        FunctionLibrary.Build(builder);
        ArrayLibrary.Build(builder);
        ArrayCallbacks.Build(builder);
        StringLibrary.Build(builder);
        StringPatterns.Build(builder);
        NumberLibrary.Build(builder);
        MathLibrary.Build(builder);
        SymbolLibrary.Build(builder);
        JsonLibrary.Build(builder);
        CollectionLibrary.Build(builder);
        RegExpLibrary.Build(builder);
        DateLibrary.Build(builder);
        IteratorLibrary.Build(builder);
        GlobalLibrary.Build(builder);
        Documents.HostLibrary.Build(builder);
        ArrayValues = ArrayPrototype.Get(run, "values");
        HasInstance = FunctionPrototype.Get(run, JsSymbol.HasInstance).AsFunction!;
        RealmFreezer.Freeze(run, _global);
    }

    internal JsObject ObjectPrototype { get; }

    internal JsObject FunctionPrototype { get; }

    internal JsObject ArrayPrototype { get; }

    internal JsObject StringPrototype { get; }

    internal JsObject NumberPrototype { get; }

    internal JsObject BooleanPrototype { get; }

    internal JsObject SymbolPrototype { get; }

    internal JsObject DatePrototype { get; }

    internal JsObject RegExpPrototype { get; }

    internal JsObject MapPrototype { get; }

    internal JsObject SetPrototype { get; }

    internal JsObject WeakMapPrototype { get; }

    internal JsObject WeakSetPrototype { get; }

    /// <summary>What all iterators inherit.</summary>
    internal JsObject IteratorPrototype { get; }

    /// <summary>What the iterators of arrays, maps, sets and strings inherit.</summary>
    internal JsObject NativeIteratorPrototype { get; }

    internal JsObject ArrayIteratorPrototype { get; }

    internal JsObject StringIteratorPrototype { get; }

    internal JsObject MapIteratorPrototype { get; }

    internal JsObject SetIteratorPrototype { get; }

    internal JsObject RegExpIteratorPrototype { get; }

    internal JsObject GeneratorPrototype { get; }

    internal JsObject GeneratorFunctionPrototype { get; }

    internal JsObject ErrorPrototype { get; }

    internal JsObject TypeErrorPrototype { get; }

    internal JsObject RangeErrorPrototype { get; }

    internal JsObject ReferenceErrorPrototype { get; }

    internal JsObject SyntaxErrorPrototype { get; }

    /// <summary>Array.prototype.values.</summary>
    internal JsValue ArrayValues { get; }

    /// <summary>Function.prototype[Symbol.hasInstance].</summary>
    internal JsFunction? HasInstance { get; }

    /// <summary>The object whose properties a primitive has.</summary>
    internal JsObject PrototypeOf(JsValue value) => value.Kind switch
    {
        ValueKind.String => StringPrototype,
        ValueKind.Number => NumberPrototype,
        ValueKind.Boolean => BooleanPrototype,
        _ => SymbolPrototype,
    };

    /// <summary>A global that every run has.</summary>
    internal bool TryGetGlobal(Run run, string name, out JsValue value)
    {
        if (name == "args")
        {
            value = run.Arguments;
            return true;
        }

        if (name == "globalThis")
        {
            value = GlobalThis(run);
            return true;
        }

        bool found = _global.TryGetOwn(run, name, out Property property);
        value = property.Value;
        return found;
    }

    /// <summary>The run's own global object, on top of the shared one.</summary>
    internal JsValue GlobalThis(Run run)
    {
        if (run.Globals is null)
        {
            run.ChargeBytes(88);
            run.Globals = new JsObject(_global);
        }

        return new JsValue(run.Globals);
    }

    private JsObject NewIterator(RealmBuilder builder, string name)
    {
        JsObject prototype = new(NativeIteratorPrototype);
        builder.Tag(prototype, $"{name} Iterator");
        return prototype;
    }

    /// <summary>Function.prototype itself: a function that does nothing.</summary>
    private sealed class PlainFunction(JsObject prototype) : JsFunction(prototype)
    {
        internal override JsValue Call(Run run, JsValue self, ReadOnlySpan<JsValue> arguments) => JsValue.Undefined;
    }
}
