namespace Raven.Client.Documents.Queries.Facets;

/// <summary>One value of a facet, or one range.</summary>
public sealed class FacetValue
{
    /// <summary>The field that is aggregated; null if results are only counted.</summary>
    public string? Name { get; init; }

    /// <summary>The value, or the range as text.</summary>
    public string Range { get; init => field = value ?? ""; } = "";

    /// <summary>How many results have it.</summary>
    public long Count { get; init; }

    /// <summary>The sum, if it was requested.</summary>
    public double? Sum { get; init; }

    /// <summary>The smallest, if it was requested.</summary>
    public double? Min { get; init; }

    /// <summary>The largest, if it was requested.</summary>
    public double? Max { get; init; }

    /// <summary>The average, if it was requested.</summary>
    public double? Average { get; init; }
}
