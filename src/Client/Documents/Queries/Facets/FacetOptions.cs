namespace Raven.Client.Documents.Queries.Facets;

/// <summary>Which values of a facet are returned, and in which order.</summary>
public sealed class FacetOptions
{
    /// <summary>Their order.</summary>
    public FacetTermSortMode TermSortMode { get; init; }

    /// <summary>How many to skip.</summary>
    public int Start { get; init; }

    /// <summary>The most to give.</summary>
    public int PageSize { get; init; } = int.MaxValue;

    /// <summary>Whether the values that are not returned are named.</summary>
    public bool IncludeRemainingTerms { get; init; }
}

/// <summary>The order of the values of a facet.</summary>
public enum FacetTermSortMode
{
    /// <summary>By value.</summary>
    ValueAsc,

    /// <summary>By value, the largest first.</summary>
    ValueDesc,

    /// <summary>The rarest first.</summary>
    CountAsc,

    /// <summary>The most frequent first.</summary>
    CountDesc,
}
