namespace Raven.Client.Documents.Queries.Facets;

/// <summary>The values of one facet over all that a query finds.</summary>
public sealed class FacetResult
{
    /// <summary>Its name.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>The values, or the ranges.</summary>
    public List<FacetValue> Values { get; init => field = value ?? []; } = [];

    /// <summary>The values that did not come, where they were asked for.</summary>
    public List<string> RemainingTerms { get; init => field = value ?? []; } = [];

    /// <summary>How many values did not come.</summary>
    public long RemainingTermsCount { get; init; }

    /// <summary>How many results have a value that did not come.</summary>
    public long RemainingHits { get; init; }
}
