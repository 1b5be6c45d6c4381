using Raven.Search.Analysis;

namespace Raven.Search.Fields;

/// <summary>A field of an index; made once, and the same for every entry.</summary>
public sealed class IndexField
{
    internal IndexField(
        int number, string name, FieldKind kind, Analyzer analyzer, VectorFormat format = VectorFormat.None,
        int dimensions = 0)
    {
        VectorFormat = format;
        Dimensions = dimensions;
        Number = number;
        Name = name;
        Kind = kind;
        Analyzer = analyzer;
    }

    /// <summary>The name of the field, as queries write it.</summary>
    public string Name { get; }

    /// <summary>How its values are kept.</summary>
    public FieldKind Kind { get; }

    /// <summary>Makes terms of its texts.</summary>
    public Analyzer Analyzer { get; }

    /// <summary>How its vectors are kept.</summary>
    public VectorFormat VectorFormat { get; }

    /// <summary>How many numbers its vectors have; 0 as long as it has none and the definition sets none.</summary>
    public int Dimensions { get; }

    internal int Number { get; }

    /// <summary>Whether texts of any length are terms as they are; otherwise long ones are cut.</summary>
    internal bool KeepsWholeTexts { get; init; } = true;

    /// <exception cref="SearchIndexException">Vectors of the field have another number of dimensions.</exception>
    internal void CheckDimensions(int dimensions)
    {
        if (dimensions != Dimensions)
        {
            throw new SearchIndexException(
                $"The field '{Name}' has vectors of {Dimensions} dimensions; this one has {dimensions}.");
        }
    }
}
