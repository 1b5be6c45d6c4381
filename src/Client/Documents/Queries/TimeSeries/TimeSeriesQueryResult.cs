using System.Text.Json.Serialization;

namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>What a query gives of a time series.</summary>
public abstract class TimeSeriesQueryResult
{
    /// <summary>How many entries there were.</summary>
    [JsonPropertyName("Count")]
    public long Count { get; set; }
}
