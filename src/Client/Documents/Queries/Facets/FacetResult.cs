namespace Raven.Client.Documents.Queries.Facets;

/// <summary>The values of one facet over all that a query finds.</summary>
public sealed class FacetResult
{
    /// <summary>Its name.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>The values, or the ranges.</summary>
    public List<FacetValue> Values { get; init => field = value ?? []; } = [];

    /// <summary>The values that were not returned, if they were requested.</summary>
    public List<string> RemainingTerms { get; init => field = value ?? []; } = [];

    /// <summary>How many values were not returned.</summary>
    public long RemainingTermsCount { get; init; }

    /// <summary>How many results have a value that was not returned.</summary>
    public long RemainingHits { get; init; }
}
