namespace Raven.Scripting.Runtime;

/// <summary>
/// The built-in objects of an engine, to which the libraries give their functions. Built once and never changed
/// afterwards, so that all runs of all threads share them and nothing can leak through them; an assignment by a script
/// fails as if they were frozen.
/// </summary>
internal sealed class Realm
{
    internal Realm()
    {
        ObjectPrototype = new JsObject(null);
        FunctionPrototype = new PlainFunction(ObjectPrototype);
        Global = new JsObject(ObjectPrototype);
        ArrayPrototype = new JsArray(ObjectPrototype, [], 0);
        StringPrototype = new JsObject(ObjectPrototype);
        NumberPrototype = new JsObject(ObjectPrototype);
        BooleanPrototype = new JsObject(ObjectPrototype);
        SymbolPrototype = new JsObject(ObjectPrototype);
        BigIntPrototype = new JsObject(ObjectPrototype);
        DatePrototype = new JsObject(ObjectPrototype);
        RegExpPrototype = new JsObject(ObjectPrototype);
        MapPrototype = new JsObject(ObjectPrototype);
        SetPrototype = new JsObject(ObjectPrototype);
        WeakMapPrototype = new JsObject(ObjectPrototype);
        WeakSetPrototype = new JsObject(ObjectPrototype);
        IteratorPrototype = new JsObject(ObjectPrototype);
        NativeIteratorPrototype = new JsObject(IteratorPrototype);
        ArrayIteratorPrototype = new JsObject(NativeIteratorPrototype);
        StringIteratorPrototype = new JsObject(NativeIteratorPrototype);
        MapIteratorPrototype = new JsObject(NativeIteratorPrototype);
        SetIteratorPrototype = new JsObject(NativeIteratorPrototype);
        RegExpIteratorPrototype = new JsObject(NativeIteratorPrototype);
        GeneratorPrototype = new JsObject(IteratorPrototype);
        GeneratorFunctionPrototype = new JsObject(FunctionPrototype);
        ErrorPrototype = new JsObject(ObjectPrototype);
        TypeErrorPrototype = new JsObject(ErrorPrototype);
        RangeErrorPrototype = new JsObject(ErrorPrototype);
        ReferenceErrorPrototype = new JsObject(ErrorPrototype);
        SyntaxErrorPrototype = new JsObject(ErrorPrototype);
    }

    /// <summary>Holds the globals that every run has.</summary>
    internal JsObject Global { get; }

    internal JsObject ObjectPrototype { get; }

    internal JsObject FunctionPrototype { get; }

    internal JsObject ArrayPrototype { get; }

    internal JsObject StringPrototype { get; }

    internal JsObject NumberPrototype { get; }

    internal JsObject BooleanPrototype { get; }

    internal JsObject SymbolPrototype { get; }

    internal JsObject BigIntPrototype { get; }

    internal JsObject DatePrototype { get; }

    internal JsObject RegExpPrototype { get; }

    internal JsObject MapPrototype { get; }

    internal JsObject SetPrototype { get; }

    internal JsObject WeakMapPrototype { get; }

    internal JsObject WeakSetPrototype { get; }

    /// <summary>The prototype of all iterators.</summary>
    internal JsObject IteratorPrototype { get; }

    /// <summary>The prototype of the iterators of arrays, maps, sets and strings.</summary>
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
    internal JsValue ArrayValues { get; private set; }

    /// <summary>Function.prototype[Symbol.hasInstance].</summary>
    internal JsFunction? HasInstance { get; private set; }

    /// <summary>Completes the realm: finds the built-in functions that the run itself uses.</summary>
    internal void Complete(Run run)
    {
        ArrayValues = ArrayPrototype.Get(run, "values");
        HasInstance = FunctionPrototype.Get(run, JsSymbol.HasInstance).AsFunction!;
    }

    /// <summary>The object whose properties a primitive has.</summary>
    internal JsObject PrototypeOf(JsValue value) => value.Kind switch
    {
        ValueKind.String => StringPrototype,
        ValueKind.Number => NumberPrototype,
        ValueKind.Boolean => BooleanPrototype,
        ValueKind.BigInt => BigIntPrototype,
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

        bool found = Global.TryGetOwn(run, name, out Property property);
        value = property.Value;
        return found;
    }

    /// <summary>The run's own global object, on top of the shared one.</summary>
    internal JsValue GlobalThis(Run run)
    {
        if (run.Globals is null)
        {
            run.ChargeBytes(88);
            run.Globals = new JsObject(Global);
        }

        return new JsValue(run.Globals);
    }

    /// <summary>Function.prototype itself: a function that does nothing.</summary>
    private sealed class PlainFunction(JsObject prototype) : JsFunction(prototype)
    {
        internal override JsValue Call(Run run, JsValue self, ReadOnlySpan<JsValue> arguments) => JsValue.Undefined;
    }
}
