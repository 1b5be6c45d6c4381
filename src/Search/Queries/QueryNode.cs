namespace Raven.Search.Queries;

/// <summary>One node of a query; lists of children and of values are chains through the arrays of the query.</summary>
internal struct QueryNode
{
    internal QueryNodeKind Kind;
    internal string Field;
    internal int FirstChild;
    internal int LastChild;
    internal int Next;
    internal int FirstValue;
    internal int ValueCount;

    /// <summary>
    /// Range: the lower bound is included. Search: all words are required. Vector: the value is the term of a document.
    /// </summary>
    internal bool Flag;

    /// <summary>Range: the upper bound is included.</summary>
    internal bool IncludesUpper;

    /// <summary>The boost; the greatest distance of a fuzzy word or a phrase; the least similarity.</summary>
    internal float Number;

    /// <summary>How many entries a condition on vectors returns.</summary>
    internal int Nearest;
    internal object? Pattern;
}
