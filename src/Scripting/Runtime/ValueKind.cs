namespace Raven.Scripting.Runtime;

/// <summary>The types of JavaScript's values.</summary>
public enum ValueKind : byte
{
    /// <summary>undefined.</summary>
    Undefined,

    /// <summary>null.</summary>
    Null,

    /// <summary>true or false.</summary>
    Boolean,

    /// <summary>An IEEE double.</summary>
    Number,

    /// <summary>UTF-16 text.</summary>
    String,

    /// <summary>A unique property key.</summary>
    Symbol,

    /// <summary>An object, array or function.</summary>
    Object,

    /// <summary>Not a value: a hole, or a binding before its declaration. Scripts and hosts never see it.</summary>
    Empty,

    /// <summary>Not a value: a getter and setter. Scripts and hosts never see it.</summary>
    Accessor,

    /// <summary>A whole number of any size.</summary>
    BigInt,
}
