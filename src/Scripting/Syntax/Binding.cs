namespace Raven.Scripting.Syntax;

internal enum BindingKind : byte
{
    Var, Let, Const, Class, Function, Parameter, CatchParameter,

    /// <summary>The name of a function expression inside of itself: read-only.</summary>
    OwnName,

    /// <summary>The object <c>arguments</c>.</summary>
    Arguments,
}

/// <summary>A declared name and the place of its value.</summary>
internal sealed class Binding(string name, BindingKind kind, ScopeInfo scope, int position)
{
    internal string Name => name;

    internal BindingKind Kind { get; set; } = kind;

    internal ScopeInfo Scope => scope;

    /// <summary>An inner function uses it: it is in a heap scope, not in the frame.</summary>
    internal bool Captured;

    /// <summary>
    /// Some use may precede the declaration: reads check, and the scope marks it as not yet declared.
    /// </summary>
    internal bool NeedsCheck;

    /// <summary>Place in the frame, or in the heap scope if it is captured.</summary>
    internal int Slot = -1;

    /// <summary>Uses behind this offset, in the same function and outside of a switch, need no check.</summary>
    internal int DeclaredAt = position;

    internal bool IsLexical => Kind is BindingKind.Let or BindingKind.Const or BindingKind.Class;
}
