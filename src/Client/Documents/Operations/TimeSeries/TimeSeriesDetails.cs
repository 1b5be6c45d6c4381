namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>Several ranges of the time series of a document.</summary>
public sealed class TimeSeriesDetails
{
    /// <summary>The document.</summary>
    public string Id { get; set; } = "";

    /// <summary>The ranges by the names of the series, in the order in which they were asked for.</summary>
    public Dictionary<string, List<TimeSeriesRangeResult>> Values { get; } = new(StringComparer.OrdinalIgnoreCase);
}
