using Raven.Scripting.Text;


namespace Raven.Scripting.Runtime;

/// <summary>Operations on objects that several parts of the library share.</summary>
internal static class Objects
{
    /// <summary>Copies enumerable own properties: spread, Object.assign and rest patterns.</summary>
    internal static void CopyProperties(Run run, JsObject target, JsValue source, List<object>? except)
    {
        if (source.IsNullish)
        {
            return;
        }

        JsObject from = Operations.ToObject(run, source);
        foreach (object key in OwnKeys(run, from))
        {
            run.Step();
            if (except is not null && except.Exists(one => one.Equals(key)))
            {
                continue;
            }

            if (from.TryGetOwn(run, key, out Property property) && property.Is(PropertyFlags.Enumerable))
            {
                target.Define(run, key, from.Get(run, key), PropertyFlags.All);
            }
        }
    }

    internal static List<object> OwnKeys(Run run, JsObject target)
    {
        List<object> keys = [];
        target.AddOwnKeys(run, keys);
        run.ChargeBytes(32 + (keys.Count * 8));
        return keys;
    }

    /// <summary>The names that Object.keys lists.</summary>
    internal static IEnumerable<string> EnumerableNames(Run run, JsObject target)
    {
        foreach (object key in OwnKeys(run, target))
        {
            run.Step();
            if (key is string name && target.TryGetOwn(run, name, out Property property)
                && property.Is(PropertyFlags.Enumerable))
            {
                yield return name;
            }
        }
    }

    /// <summary>The name of a function that is named after its property.</summary>
    internal static JsValue FunctionName(object key, Syntax.PropertyKind kind)
    {
        string text = key is string name ? name
            : ((JsSymbol)key).Description is { } description ? $"[{description}]" : "";
        return JsValue.Of(kind switch
        {
            Syntax.PropertyKind.Getter => $"get {text}",
            Syntax.PropertyKind.Setter => $"set {text}",
            _ => text,
        });
    }

    internal static JsFunction Callable(Run run, JsValue value) =>
        value.AsFunction ?? throw run.TypeError($"{Describe.Value(value)} is not a function");

    /// <summary>The length of an array or of an array-like object.</summary>
    internal static long LengthOf(Run run, JsObject target)
    {
        if (target.Class == ObjectClass.Array)
        {
            return ((JsArray)target).Count;
        }

        double length = Operations.ToInteger(run, target.Get(run, "length"));
        return (long)Math.Clamp(length, 0, 9007199254740991);
    }

    internal static JsValue At(Run run, JsObject target, long index) =>
        index < uint.MaxValue ? target.GetIndex(run, (uint)index)
            : target.Get(run, NumberText.Format(index));

    /// <summary>Sets an element, and throws if that is not allowed, as the built-in functions do.</summary>
    internal static void Put(Run run, JsObject target, object key, JsValue value)
    {
        if (!target.Set(run, key, value, new JsValue(target)))
        {
            throw run.TypeError($"Cannot assign to read only property {Describe.Key(key)} of object");
        }
    }

    internal static object KeyOf(long index) =>
        index < uint.MaxValue ? PropertyKeys.OfIndex((uint)index) : NumberText.Format(index);

    internal static JsValue FromList(Run run, List<JsValue> items) => new(run.NewArray([.. items], items.Count));

    internal static JsObject PrototypeFrom(Run run, JsObject newTarget, JsObject fallback) =>
        newTarget.Get(run, "prototype").AsObject ?? fallback;
}
