namespace Raven.Client.Documents.Queries;

/// <summary>How a query of a session is sent, and what happens to its results.</summary>
internal sealed record QueryOptions
{
    internal bool NoTracking { get; set; }

    internal bool NoCaching { get; set; }

    internal TimeSpan? Wait { get; set; }

    internal ProjectionBehavior Projection { get; set; }

    /// <summary>Whether the results are projections, not documents.</summary>
    internal bool IsProjection { get; set; }

    /// <summary>The field that is the result; null if the whole object is.</summary>
    internal string? SingleField { get; set; }

    /// <summary>Called before the query is sent.</summary>
    internal Action<IndexQuery>? BeforeSent { get; set; }

    /// <summary>Called with each answer.</summary>
    internal Action<QueryAnswer>? Answered { get; set; }

    /// <summary>Fills a caller's statistics with each answer.</summary>
    internal void FillWithEachAnswer(QueryStatistics statistics) =>
        Answered += answer => statistics.CopyFrom(answer.Statistics);
}
