namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>How a file has the entries of a time series.</summary>
public enum TimeSeriesFileFormat
{
    /// <summary>A JSON object in each line: <c>{"Timestamp","Tag","Values"}</c>.</summary>
    JsonLines,

    /// <summary>CSV with a header: Timestamp, Tag, and a column of each value.</summary>
    Csv,
}
