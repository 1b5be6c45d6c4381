namespace Raven.Client.Documents.Queries.Facets;

/// <summary>The values of one facet over all results of a query.</summary>
public sealed class FacetResult
{
    /// <summary>The name of the facet.</summary>
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

/// <summary>One value of a facet, or one range.</summary>
public sealed class FacetValue
{
    /// <summary>The field that is aggregated; null if results are only counted.</summary>
    public string? Name { get; init; }

    /// <summary>The value, or the range as text.</summary>
    public string Range { get; init => field = value ?? ""; } = "";

    /// <summary>How many results have the value.</summary>
    public long Count { get; init; }

    /// <summary>The sum of the field, if it was requested.</summary>
    public double? Sum { get; init; }

    /// <summary>The smallest value of the field, if it was requested.</summary>
    public double? Min { get; init; }

    /// <summary>The largest value of the field, if it was requested.</summary>
    public double? Max { get; init; }

    /// <summary>The average of the field, if it was requested.</summary>
    public double? Average { get; init; }
}
