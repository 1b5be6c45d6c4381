using Raven.Search.Analysis;

namespace Raven.Search;

/// <summary>A field of an index; made once, and the same for every entry.</summary>
public sealed class IndexField
{
    internal IndexField(int number, string name, FieldKind kind, Analyzer analyzer)
    {
        Number = number;
        Name = name;
        Kind = kind;
        Analyzer = analyzer;
    }

    /// <summary>Its name, as queries write it.</summary>
    public string Name { get; }

    /// <summary>How its values are kept.</summary>
    public FieldKind Kind { get; }

    /// <summary>Makes terms of its texts.</summary>
    public Analyzer Analyzer { get; }

    internal int Number { get; }
}
