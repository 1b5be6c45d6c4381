using System.Text.Json.Serialization;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>
/// Groups of the entries of a time series, whose values are objects, with what a query has worked out of them.
/// </summary>
public sealed class TimeSeriesAggregationResult<T> : TimeSeriesQueryResult where T : new()
{
    /// <summary>The groups, in the order of their times.</summary>
    [JsonPropertyName("Results")]
    public TimeSeriesRangeAggregation<T>[] Results { get; set; } = [];
}
