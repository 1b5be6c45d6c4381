using System.Text.Json.Serialization;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>The entries of a time series that a query has found.</summary>
public sealed class TimeSeriesRawResult : TimeSeriesQueryResult
{
    /// <summary>The entries, in the order of their times.</summary>
    [JsonPropertyName("Results")]
    public TimeSeriesEntry[] Results { get; set; } = [];
}
