using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>A range of a time series.</summary>
public sealed class TimeSeriesRangeResult
{
    /// <summary>Its first time; null if it is open there.</summary>
    public DateTime? From { get; set; }

    /// <summary>Its last time; null if it is open there.</summary>
    public DateTime? To { get; set; }

    /// <summary>The entries, in the order of their times.</summary>
    public TimeSeriesEntry[] Entries { get; set; } = [];

    /// <summary>How many entries the series has; null if these are not all of them.</summary>
    public long? TotalResults { get; set; }

    /// <summary>The documents that were sent along.</summary>
    internal GetDocumentsResult Included { get; } = new();
}
