namespace Raven.Client.Documents.Session.TimeSeries;

/// <summary>From which end of a time series a range is counted.</summary>
public enum TimeSeriesRangeType
{
    /// <summary>From none: no range has it.</summary>
    None,

    /// <summary>From the last entry back.</summary>
    Last,
}
