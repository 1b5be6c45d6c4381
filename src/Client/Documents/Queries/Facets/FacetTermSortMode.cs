namespace Raven.Client.Documents.Queries.Facets;

/// <summary>In which order the values of a facet come.</summary>
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
