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
