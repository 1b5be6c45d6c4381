namespace Raven.Scripting.Values;

/// <summary>The attributes of a property (ECMA-262, 6.1.7.1).</summary>
[Flags]
internal enum PropertyFlags : byte
{
    None = 0,
    Writable = 1,
    Enumerable = 2,
    Configurable = 4,
    All = Writable | Enumerable | Configurable,

    /// <summary>How built-in methods are.</summary>
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

    /// <summary>Part of the realm that all runs share: nothing about it ever changes.</summary>
    Immutable = 8,

    /// <summary>Own properties are not, or not only, in the map: the virtual methods know.</summary>
    Exotic = 16,

    /// <summary>Some key looks like an array index: enumeration sorts those first.</summary>
    HasIndexKeys = 32,
}

internal enum ObjectClass : byte
{
    Object, Array, Function, Error, Boolean, Number, String, Symbol, Date, RegExp, Map, Set, WeakMap, WeakSet,
    Arguments, Generator, Iterator, Document,
}

/// <summary>An own property: its value, or its accessor, and its attributes.</summary>
internal readonly struct Property(JsValue value, PropertyFlags flags)
{
    internal JsValue Value => value;

    internal PropertyFlags Flags => flags;

    internal bool Is(PropertyFlags flag) => (flags & flag) != 0;
}
