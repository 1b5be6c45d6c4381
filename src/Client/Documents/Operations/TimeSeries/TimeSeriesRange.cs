namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>A range of a time series that is asked for; both ends belong to it.</summary>
public sealed record TimeSeriesRange
{
    /// <summary>The name of the series.</summary>
    public string Name { get; init; } = "";

    /// <summary>The first time; null for an open end.</summary>
    public DateTime? From { get; init; }

    /// <summary>The last time; null for an open end.</summary>
    public DateTime? To { get; init; }
}
