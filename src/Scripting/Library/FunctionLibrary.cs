using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>Function (ECMA-262, 20.2), without a constructor that compiles text.</summary>
internal static class FunctionLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.FunctionPrototype;
        builder.Constructor(
            "Function", 1, prototype,
            (run, _, _) => throw run.TypeError("Function cannot compile text: it is not supported"),
            (run, _, _) => throw run.TypeError("Function cannot compile text: it is not supported"));
        prototype.Define(builder.Run, "name", new JsValue(JsString.Empty), PropertyFlags.Configurable);
        prototype.Define(builder.Run, "length", new JsValue(0), PropertyFlags.Configurable);
        builder.Method(prototype, "call", 1, (run, self, a) =>
            Nested(run, Objects.Callable(run, self), a.At(0), a.Length > 1 ? a[1..] : []));
        builder.Method(prototype, "apply", 2, (run, self, a) =>
            Nested(run, Objects.Callable(run, self), a.At(0), ListOf(run, a.At(1))));
        builder.Method(prototype, "bind", 1, Bind);
        builder.Method(prototype, "toString", 0, (run, self, _) => self.AsFunction switch
        {
            ScriptFunction function => run.NewString(function.Code.Source[function.Code.Start..function.Code.End]),
            null => throw run.TypeError("Function.prototype.toString requires that 'this' be a Function"),
            JsFunction function => run.NewString(
                $"function {Operations.ToText(run, function.Get(run, "name"))}() {{ [native code] }}"),
        });
        prototype.Define(
            builder.Run, JsSymbol.HasInstance,
            new JsValue(builder.Function("[Symbol.hasInstance]", 1, (run, self, a) =>
                JsValue.Of(self.AsFunction is { } function && Operations.OrdinaryInstanceOf(run, a.At(0), function)))),
            PropertyFlags.None);
    }

    private static JsValue Nested(Run run, JsFunction function, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        run.EnterCall();
        JsValue result = function.Call(run, self, arguments);
        run.LeaveCall();
        return result;
    }

    private static JsValue[] ListOf(Run run, JsValue value)
    {
        if (value.IsNullish)
        {
            return [];
        }

        JsObject source = value.AsObject ?? throw run.TypeError("CreateListFromArrayLike called on non-object");
        long length = Objects.LengthOf(run, source);
        run.CheckArrayLength(length);
        run.ChargeBytes(24 + (16 * length));
        JsValue[] list = new JsValue[length];
        for (int i = 0; i < list.Length; i++)
        {
            run.Step();
            list[i] = source.GetIndex(run, (uint)i);
        }

        return list;
    }

    private static JsValue Bind(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsFunction target = Objects.Callable(run, self);
        JsValue[] bound = arguments.Length > 1 ? arguments[1..].ToArray() : [];
        run.ChargeBytes(250 + (16 * bound.Length));
        BoundFunction function = new(target, arguments.At(0), bound);
        double length = Operations.ToInteger(run, target.Get(run, "length"));
        JsValue name = target.Get(run, "name");
        function.Define(
            run, "length", new JsValue(Math.Max(0, length - bound.Length)), PropertyFlags.Configurable);
        string text = $"bound {(name.IsString ? name.String.Flat : "")}";
        run.CheckStringLength(text.Length);
        function.Define(run, "name", run.NewString(text), PropertyFlags.Configurable);
        return new JsValue(function);
    }
}
