namespace Raven.Scripting.Syntax;

internal enum FunctionKind : byte
{
    Normal, Arrow, Method, Getter, Setter, Constructor, DerivedConstructor, FieldInitializer, Script,
}

/// <summary>The parser's facts of one function.</summary>
internal sealed class FunctionInfo
{
    internal FunctionInfo(FunctionInfo? parent, ScopeInfo? parentScope, FunctionKind kind)
    {
        Parent = parent;
        Kind = kind;
        Scope = new ScopeInfo(parentScope, this, isFunction: true);
    }

    internal FunctionInfo? Parent { get; }

    internal FunctionKind Kind { get; set; }

    internal ScopeInfo Scope { get; }

    internal string Name { get; set; } = "";

    internal bool IsGenerator { get; init; }

    internal bool Strict { get; set; }

    internal int Start { get; set; }

    internal int End { get; set; }

    internal List<PatternElement> Parameters { get; } = [];

    internal SyntaxNode? Rest { get; set; }

    internal List<Statement> Body { get; set; } = [];

    /// <summary>The body of an arrow function without braces.</summary>
    internal Expression? ExpressionBody { get; set; }

    /// <summary>For a whole script: the names that it uses and does not declare, each with its first offset.</summary>
    internal Dictionary<string, int>? Globals { get; set; }

    internal Binding? Arguments { get; set; }

    internal Binding? OwnName { get; set; }

    /// <summary>Offsets of the yields, ascending: a node contains one if one lies between its start and end.</summary>
    internal List<int> Yields { get; } = [];

    /// <summary>Slots of the frame that bindings take.</summary>
    internal int SlotCount;

    internal bool IsArrow => Kind is FunctionKind.Arrow;

    internal bool HasSimpleParameters =>
        Rest is null && Parameters.TrueForAll(one => one.Target is Identifier && one.Default is null);

    /// <summary>The value of <c>length</c>: the parameters before the first default.</summary>
    internal int Length
    {
        get
        {
            int index = Parameters.FindIndex(one => one.Default is not null);
            return index < 0 ? Parameters.Count : index;
        }
    }

    internal bool ContainsYield(SyntaxNode? node)
    {
        if (node is null || Yields.Count == 0)
        {
            return false;
        }

        int index = Yields.BinarySearch(node.Start);
        index = index < 0 ? ~index : index;
        return index < Yields.Count && Yields[index] < node.End;
    }
}
