using System.Text.Json.Serialization;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>The entries of a time series, whose values are objects, that a query has found.</summary>
public sealed class TimeSeriesRawResult<T> : TimeSeriesQueryResult where T : new()
{
    /// <summary>The entries, in the order of their times.</summary>
    [JsonPropertyName("Results")]
    public TimeSeriesEntry<T>[] Results { get; set; } = [];
}
