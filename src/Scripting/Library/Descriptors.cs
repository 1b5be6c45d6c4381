using Raven.Scripting.Runtime;
using Raven.Scripting.Text;

namespace Raven.Scripting.Library;

/// <summary>Property descriptors as objects of the script (ECMA-262, 6.2.6).</summary>
internal static class Descriptors
{
    internal static void Define(Run run, JsObject target, object key, JsValue descriptor)
    {
        JsObject source = descriptor.AsObject
            ?? throw run.TypeError($"Property description must be an object: {Describe.Value(descriptor)}");
        bool exists = target.TryGetOwn(run, key, out Property existing);
        PropertyFlags flags = exists ? existing.Flags : PropertyFlags.None;
        flags = Apply(run, source, "enumerable", PropertyFlags.Enumerable, flags);
        flags = Apply(run, source, "configurable", PropertyFlags.Configurable, flags);
        bool isAccessor = source.Has(run, "get") || source.Has(run, "set");
        bool isData = source.Has(run, "value") || source.Has(run, "writable");
        if (isAccessor && isData)
        {
            throw run.TypeError(
                "Invalid property descriptor. Cannot both specify accessors and a value or writable attribute");
        }

        JsValue value;
        if (isAccessor)
        {
            Accessor? old = exists && existing.Value.IsAccessor ? (Accessor)existing.Value.Cell! : null;
            run.ChargeBytes(40);
            value = new JsValue(new Accessor(
                Half(run, source, "get", old?.Getter), Half(run, source, "set", old?.Setter)));
            flags &= ~PropertyFlags.Writable;
        }
        else
        {
            bool wasAccessor = exists && existing.Value.IsAccessor;
            value = source.Has(run, "value") ? source.Get(run, "value")
                : exists && !(wasAccessor && isData) ? existing.Value : JsValue.Undefined;
            flags = Apply(run, source, "writable", PropertyFlags.Writable, flags);
        }

        if (!target.Define(run, key, value, flags))
        {
            throw run.TypeError(exists ? $"Cannot redefine property: {Name(key)}"
                : $"Cannot define property {Name(key)}, object is not extensible");
        }
    }

    internal static JsValue ToValue(Run run, Property property)
    {
        JsObject result = run.NewObject();
        if (property.Value.IsAccessor)
        {
            Accessor accessor = (Accessor)property.Value.Cell!;
            result.PutOwn(run, "get", accessor.Getter is null ? JsValue.Undefined : new JsValue(accessor.Getter));
            result.PutOwn(run, "set", accessor.Setter is null ? JsValue.Undefined : new JsValue(accessor.Setter));
        }
        else
        {
            result.PutOwn(run, "value", property.Value);
            result.PutOwn(run, "writable", JsValue.Of(property.Is(PropertyFlags.Writable)));
        }

        result.PutOwn(run, "enumerable", JsValue.Of(property.Is(PropertyFlags.Enumerable)));
        result.PutOwn(run, "configurable", JsValue.Of(property.Is(PropertyFlags.Configurable)));
        return new JsValue(result);
    }

    private static string Name(object key) => key is string name ? MessageText.Cut(name) : key.ToString()!;

    private static PropertyFlags Apply(
        Run run, JsObject source, string name, PropertyFlags flag, PropertyFlags flags) =>
        !source.Has(run, name) ? flags
        : Operations.ToBoolean(source.Get(run, name)) ? flags | flag : flags & ~flag;

    private static JsFunction? Half(Run run, JsObject source, string name, JsObject? old)
    {
        if (!source.Has(run, name))
        {
            return (JsFunction?)old;
        }

        JsValue value = source.Get(run, name);
        return value.IsUndefined ? null : Objects.Callable(run, value);
    }
}
