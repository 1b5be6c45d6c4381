namespace Raven.Search.Fields;

/// <summary>How the values of a field are kept. Written to disk.</summary>
public enum FieldKind
{
    /// <summary>Each value is one term: for equality, ranges, sorting, facets, projections.</summary>
    Exact = 1,

    /// <summary>Texts are words with frequencies and positions: for full-text search and scoring.</summary>
    FullText = 2,

    /// <summary>Vectors of numbers, of one number of dimensions: for the nearest ones.</summary>
    Vector = 3,
}
