namespace Raven.Client.Documents.Queries.Facets;

/// <summary>Which values of a facet are returned, and in which order.</summary>
public sealed class FacetOptions
{
    /// <summary>The order of the values.</summary>
    public FacetTermSortMode TermSortMode { get; init; }

    /// <summary>How many values to skip.</summary>
    public int Start { get; init; }

    /// <summary>The most values to return.</summary>
    public int PageSize { get; init; } = int.MaxValue;

    /// <summary>Whether the answer lists the values that it leaves out.</summary>
    public bool IncludeRemainingTerms { get; init; }
}

/// <summary>The order of the values of a facet.</summary>
public enum FacetTermSortMode
{
    /// <summary>By value, the smallest first.</summary>
    ValueAsc,

    /// <summary>By value, the largest first.</summary>
    ValueDesc,

    /// <summary>By count, the rarest first.</summary>
    CountAsc,

    /// <summary>By count, the most frequent first.</summary>
    CountDesc,
}
