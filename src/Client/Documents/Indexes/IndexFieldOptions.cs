namespace Raven.Client.Documents.Indexes;

/// <summary>How an index treats a field.</summary>
public sealed class IndexFieldOptions
{
    /// <summary>Whether the index stores the values.</summary>
    public FieldStorage? Storage { get; set; }

    /// <summary>How the values become terms.</summary>
    public FieldIndexing? Indexing { get; set; }

    /// <summary>The analyzer, which makes terms of texts; null takes that of <see cref="Indexing"/>.</summary>
    public string? Analyzer { get; set; }

    /// <summary>What is stored of the terms.</summary>
    public FieldTermVector? TermVector { get; set; }

    /// <summary>Whether the field is used for suggestions: words similar to a given one.</summary>
    public bool? Suggestions { get; set; }

    /// <summary>The options of a spatial field.</summary>
    public SpatialOptions? Spatial { get; set; }

    /// <summary>The options of a field of vectors.</summary>
    public VectorOptions? Vector { get; set; }
}
