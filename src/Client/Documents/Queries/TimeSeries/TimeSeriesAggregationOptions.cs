namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>How entries are grouped.</summary>
public sealed class TimeSeriesAggregationOptions
{
    /// <summary>How stretches of time without entries are filled.</summary>
    public InterpolationType Interpolation { get; set; }
}
