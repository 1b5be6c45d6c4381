using Raven.Scripting.Execution;
using Raven.Scripting.Values;

namespace Raven.Scripting.Library;

/// <summary>Error and its kinds (ECMA-262, 20.5).</summary>
internal static class ErrorLibrary
{
    internal static JsObject Build(RealmBuilder builder, string name, JsObject? parent)
    {
        JsObject prototype = new(parent ?? builder.Realm.ObjectPrototype);
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

        return prototype;
    }

    internal static JsObject Create(Run run, JsObject prototype, string message)
    {
        run.ChargeBytes(200 + (message.Length * 2));
        JsObject error = new(prototype, ObjectClass.Error);
        error.Define(run, "stack", JsValue.Of(""), PropertyFlags.Hidden);
        error.Define(run, "message", JsValue.Of(message), PropertyFlags.Hidden);
        return error;
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
