using Raven.Scripting.Runtime;


namespace Raven.Scripting.Library;

/// <summary>Error and its kinds (ECMA-262, 20.5).</summary>
internal static class ErrorLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        Realm realm = builder.Realm;
        Build(builder, "Error", realm.ErrorPrototype, null);
        Build(builder, "TypeError", realm.TypeErrorPrototype, realm.ErrorPrototype);
        Build(builder, "RangeError", realm.RangeErrorPrototype, realm.ErrorPrototype);
        Build(builder, "ReferenceError", realm.ReferenceErrorPrototype, realm.ErrorPrototype);
        Build(builder, "SyntaxError", realm.SyntaxErrorPrototype, realm.ErrorPrototype);
        Build(builder, "EvalError", new JsObject(realm.ErrorPrototype), realm.ErrorPrototype);
        Build(builder, "URIError", new JsObject(realm.ErrorPrototype), realm.ErrorPrototype);
    }

    private static void Build(RealmBuilder builder, string name, JsObject prototype, JsObject? parent)
    {
        prototype.Define(builder.Run, "name", JsValue.Of(name), PropertyFlags.Hidden);
        prototype.Define(builder.Run, "message", new JsValue(JsString.Empty), PropertyFlags.Hidden);
        NativeFunction constructor = builder.Constructor(
            name, 1, prototype,
            (run, _, arguments) => Make(run, prototype, arguments),
            (run, arguments, newTarget) =>
                Make(run, newTarget.Get(run, "prototype").AsObject ?? prototype, arguments));
        if (parent is null)
        {
            builder.Method(prototype, "toString", 0, (run, self, _) => run.NewString(Text(run, self)));
        }
        else
        {
            constructor.Prototype = parent.Get(builder.Run, "constructor").AsObject;
        }
    }

    /// <summary>name: message.</summary>
    internal static string Text(Run run, JsValue self)
    {
        JsObject error = self.AsObject ?? throw run.TypeError("Error.prototype.toString requires an object");
        JsValue name = error.Get(run, "name");
        JsValue message = error.Get(run, "message");
        string nameText = name.IsUndefined ? "Error" : Operations.ToText(run, name);
        string messageText = message.IsUndefined ? "" : Operations.ToText(run, message);
        return nameText.Length == 0 ? messageText : messageText.Length == 0 ? nameText : $"{nameText}: {messageText}";
    }

    private static JsValue Make(Run run, JsObject prototype, ReadOnlySpan<JsValue> arguments)
    {
        run.ChargeBytes(200);
        JsObject error = new(prototype, ObjectClass.Error);
        if (!arguments.At(0).IsUndefined)
        {
            JsValue message = new(Operations.ToJsString(run, arguments[0]));
            error.Define(run, "message", message, PropertyFlags.Hidden);
        }

        error.Define(run, "stack", JsValue.Of(""), PropertyFlags.Hidden);
        if (arguments.At(1).AsObject is { } options && options.Has(run, "cause"))
        {
            error.Define(run, "cause", options.Get(run, "cause"), PropertyFlags.Hidden);
        }

        return new JsValue(error);
    }
}
