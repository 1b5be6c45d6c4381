namespace Raven.Client.Documents.Queries.Facets;

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
