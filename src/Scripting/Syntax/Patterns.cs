namespace Raven.Scripting.Syntax;

/// <summary>One place that a pattern fills, with its default for undefined.</summary>
internal sealed class PatternElement(SyntaxNode target, Expression? defaultValue) : SyntaxNode
{
    /// <summary>An identifier, a member (in assignments) or a pattern.</summary>
    internal SyntaxNode Target => target;

    internal Expression? Default => defaultValue;
}

internal sealed class ArrayPattern(List<PatternElement?> elements, SyntaxNode? rest) : SyntaxNode
{
    /// <summary>null skips one.</summary>
    internal List<PatternElement?> Elements => elements;

    internal SyntaxNode? Rest => rest;
}

internal sealed class ObjectPatternPart(string? name, Expression? computed, PatternElement element) : SyntaxNode
{
    internal string? Name => name;

    internal Expression? Computed => computed;

    internal PatternElement Element => element;
}

internal sealed class ObjectPattern(List<ObjectPatternPart> parts, SyntaxNode? rest) : SyntaxNode
{
    internal List<ObjectPatternPart> Parts => parts;

    internal SyntaxNode? Rest => rest;
}
