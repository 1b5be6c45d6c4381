using Raven.Scripting.Runtime;


namespace Raven.Scripting.Library;

/// <summary>JSON (ECMA-262, 25.5).</summary>
internal static class JsonLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject json = builder.NewPrototype();
        builder.DefineGlobal("JSON", new JsValue(json));
        builder.Tag(json, "JSON");
        builder.Method(json, "parse", 2, (run, _, a) =>
        {
            JsValue value = new JsonReader(run, Operations.ToText(run, a.At(0))).Read();
            return a.At(1).AsFunction is { } reviver ? Revive(run, reviver, value) : value;
        });
        builder.Method(json, "stringify", 3, (run, _, a) => JsonWriter.Write(run, a.At(0), a.At(1), a.At(2)));
    }

    private static JsValue Revive(Run run, JsFunction reviver, JsValue value)
    {
        JsObject holder = run.NewObject();
        holder.PutOwn(run, "", value);
        return Revive(run, reviver, holder, "");
    }

    private static JsValue Revive(Run run, JsFunction reviver, JsObject holder, string key)
    {
        run.EnterCall();
        JsValue value = holder.Get(run, key);
        if (value.AsObject is { } inner)
        {
            foreach (string name in Objects.EnumerableNames(run, inner).ToList())
            {
                JsValue revived = Revive(run, reviver, inner, name);
                if (revived.IsUndefined)
                {
                    inner.Delete(run, name);
                }
                else
                {
                    inner.Define(run, name, revived, PropertyFlags.All);
                }
            }
        }

        JsValue result = reviver.Call(run, new JsValue(holder), [JsValue.Of(key), value]);
        run.LeaveCall();
        return result;
    }
}
