namespace Raven.Scripting.Runtime;

/// <summary>
/// The reference of a <see cref="JsValue"/> unless it is a number: a tag, a string, a symbol, an object; or the digits
/// of a number that no double holds.
/// </summary>
internal abstract class HeapValue(ValueKind kind)
{
    internal readonly ValueKind Kind = kind;
}

/// <summary>The values that have one instance: undefined, null, true, false and internal marks.</summary>
internal sealed class ValueTag : HeapValue
{
    internal static readonly ValueTag Undefined = new(ValueKind.Undefined);
    internal static readonly ValueTag Null = new(ValueKind.Null);
    internal static readonly ValueTag True = new(ValueKind.Boolean);
    internal static readonly ValueTag False = new(ValueKind.Boolean);

    /// <summary>A hole of an array, a binding before its declaration, a property that does not exist.</summary>
    internal static readonly ValueTag Empty = new(ValueKind.Empty);

    private ValueTag(ValueKind kind)
        : base(kind)
    {
    }
}

/// <summary>A getter and a setter, kept in place of a property's value.</summary>
internal sealed class Accessor(JsObject? getter, JsObject? setter) : HeapValue(ValueKind.Accessor)
{
    internal JsObject? Getter => getter;

    internal JsObject? Setter => setter;
}

/// <summary>A symbol: a property key that equals only itself.</summary>
internal sealed class JsSymbol(string? description) : HeapValue(ValueKind.Symbol)
{
    internal static readonly JsSymbol Iterator = new("Symbol.iterator");
    internal static readonly JsSymbol HasInstance = new("Symbol.hasInstance");
    internal static readonly JsSymbol ToPrimitive = new("Symbol.toPrimitive");
    internal static readonly JsSymbol ToStringTag = new("Symbol.toStringTag");

    internal string? Description => description;

    /// <summary>Its key in the registry of its run; null if it is not registered.</summary>
    internal string? Key { get; init; }

    /// <inheritdoc/>
    public override string ToString() => $"Symbol({description})";
}
