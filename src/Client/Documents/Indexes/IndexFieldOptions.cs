namespace Raven.Client.Documents.Indexes;

/// <summary>What an index does with a field.</summary>
public sealed class IndexFieldOptions
{
    /// <summary>Whether its values are kept.</summary>
    public FieldStorage? Storage { get; set; }

    /// <summary>How it is cut into terms.</summary>
    public FieldIndexing? Indexing { get; set; }

    /// <summary>The analyzer that cuts it; null takes that of <see cref="Indexing"/>.</summary>
    public string? Analyzer { get; set; }

    /// <summary>What is kept of its terms.</summary>
    public FieldTermVector? TermVector { get; set; }

    /// <summary>Whether words like a given one can be asked for.</summary>
    public bool? Suggestions { get; set; }

    /// <summary>How it is kept if it is spatial.</summary>
    public SpatialOptions? Spatial { get; set; }

    /// <summary>How it is kept if it holds vectors.</summary>
    public VectorOptions? Vector { get; set; }
}
