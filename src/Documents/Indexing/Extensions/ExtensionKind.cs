namespace Raven.Documents.Indexing.Extensions;

/// <summary>The kinds of code that users write in C# for indexes besides their maps.</summary>
public enum ExtensionKind
{
    /// <summary>Makes terms of texts.</summary>
    Analyzer,

    /// <summary>Orders values.</summary>
    Sorter,
}
