namespace Raven.Client.Documents.Queries;

/// <summary>How a query of a session is sent, and what becomes of its results.</summary>
internal sealed record QueryOptions
{
    internal QueryStatistics Statistics { get; init; } = new();

    internal bool NoTracking { get; set; }

    internal bool NoCaching { get; set; }

    internal TimeSpan? Wait { get; set; }

    /// <summary>Whether the results are no documents.</summary>
    internal bool IsProjection { get; set; }

    /// <summary>The field that is the result; null where the whole object is.</summary>
    internal string? SingleField { get; set; }
}
