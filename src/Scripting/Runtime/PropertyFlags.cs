namespace Raven.Scripting.Runtime;

/// <summary>The attributes of a property (ECMA-262, 6.1.7.1).</summary>
[Flags]
internal enum PropertyFlags : byte
{
    None = 0,
    Writable = 1,
    Enumerable = 2,
    Configurable = 4,
    All = Writable | Enumerable | Configurable,

    /// <summary>The attributes of built-in methods.</summary>
    Hidden = Writable | Configurable,
}

[Flags]
internal enum ObjectFlags : byte
{
    None = 0,

    /// <summary>No property may be added.</summary>
    NotExtensible = 1,

    /// <summary>The elements of an array may not be removed.</summary>
    Sealed = 2,

    /// <summary>The elements of an array may not be changed.</summary>
    Frozen = 4,

    /// <summary>Part of the realm that all runs share: it never changes.</summary>
    Immutable = 8,

    /// <summary>Own properties are not, or not only, in the map: the virtual methods handle them.</summary>
    Exotic = 16,

    /// <summary>Some key looks like an array index: enumeration sorts those first.</summary>
    HasIndexKeys = 32,
}

internal enum ObjectClass : byte
{
    Object, Array, Function, Error, Boolean, Number, String, Symbol, Date, RegExp, Map, Set, WeakMap, WeakSet,
    Arguments, Generator, Iterator, Document, BigInt,
}

/// <summary>An own property: its value, or its accessor, and its attributes.</summary>
internal readonly struct Property(JsValue value, PropertyFlags flags)
{
    internal JsValue Value => value;

    internal PropertyFlags Flags => flags;

    internal bool Is(PropertyFlags flag) => (flags & flag) != 0;
}

internal static class PropertyRules
{
    /// <summary>Whether a property may be redefined (ECMA-262, 10.1.6.3).</summary>
    internal static bool MayRedefine(Property existing, JsValue value, PropertyFlags flags)
    {
        if (existing.Is(PropertyFlags.Configurable))
        {
            return true;
        }

        const PropertyFlags Fixed = PropertyFlags.Enumerable | PropertyFlags.Configurable;
        if ((existing.Flags & Fixed) != (flags & Fixed) || existing.Value.IsAccessor != value.IsAccessor)
        {
            return false;
        }

        if (value.IsAccessor)
        {
            return ((Accessor)value.Cell!).Getter == ((Accessor)existing.Value.Cell!).Getter
                && ((Accessor)value.Cell!).Setter == ((Accessor)existing.Value.Cell!).Setter;
        }

        return existing.Is(PropertyFlags.Writable)
            || ((flags & PropertyFlags.Writable) == 0 && Operations.SameValue(existing.Value, value));
    }
}
