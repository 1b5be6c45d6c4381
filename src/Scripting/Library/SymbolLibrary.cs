using Raven.Scripting.Runtime;


namespace Raven.Scripting.Library;

/// <summary>Symbol (ECMA-262, 20.4). Each run has a registry of its own, as nothing outlives a run.</summary>
internal static class SymbolLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.SymbolPrototype;
        NativeFunction constructor = builder.Constructor(
            "Symbol", 0, prototype,
            (run, _, a) =>
            {
                run.ChargeBytes(32);
                return new JsValue(new JsSymbol(a.At(0).IsUndefined ? null : Operations.ToText(run, a[0])));
            },
            (run, _, _) => throw run.TypeError("Symbol is not a constructor"));
        builder.Method(constructor, "for", 1, (run, _, a) =>
            new JsValue(Registered(run, Operations.ToText(run, a.At(0)))));
        builder.Method(constructor, "keyFor", 1, (run, _, a) =>
            !a.At(0).IsSymbol ? throw run.TypeError($"{Describe.Value(a.At(0))} is not a symbol")
            : ((JsSymbol)a[0].Cell!).Key is { } key ? JsValue.Of(key) : JsValue.Undefined);
        builder.Constant(constructor, "iterator", new JsValue(JsSymbol.Iterator));
        builder.Constant(constructor, "hasInstance", new JsValue(JsSymbol.HasInstance));
        builder.Constant(constructor, "toPrimitive", new JsValue(JsSymbol.ToPrimitive));
        builder.Constant(constructor, "toStringTag", new JsValue(JsSymbol.ToStringTag));
        builder.Method(prototype, "toString", 0, (run, self, _) => run.NewString(This(run, self).ToString()));
        builder.Method(prototype, "valueOf", 0, (run, self, _) => new JsValue(This(run, self)));
        builder.Getter(prototype, "description", (run, self, _) =>
            This(run, self).Description is { } text ? JsValue.Of(text) : JsValue.Undefined);
        builder.Tag(prototype, "Symbol");
    }

    private static JsSymbol Registered(Run run, string key)
    {
        run.ChargeText(key.Length);
        run.Symbols ??= new Dictionary<string, JsSymbol>(StringComparer.Ordinal);
        if (!run.Symbols.TryGetValue(key, out JsSymbol? symbol))
        {
            run.ChargeBytes(120);
            symbol = new JsSymbol(key) { Key = key };
            run.Symbols.Add(key, symbol);
        }

        return symbol;
    }

    private static JsSymbol This(Run run, JsValue self) =>
        self.IsSymbol ? (JsSymbol)self.Cell!
        : self.AsObject is JsPrimitiveObject { Class: ObjectClass.Symbol } wrapper ? (JsSymbol)wrapper.Value.Cell!
        : throw run.TypeError("The receiver is not a symbol");
}
